import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FolderInUseError, FolderLock } from '../../../scripts/files/folder-lock.ts'
import { type ProcessName, thisProcess } from '../../../scripts/files/running-process.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const own = thisProcess()
const place = '--out film'
const lockOf = ({ place, pid, startedAt }: ProcessName): string =>
  join(folder, `.run-${place}-${pid}-${startedAt}.lock`)
/** A process of another machine; only its file says whether it is alive. */
const elsewhere = (pid: number): ProcessName => ({ place: 'f'.repeat(12), pid, startedAt: 1 })
const isLinux = process.platform === 'linux'

/** One of this machine that has ended. */
function ended(): ProcessName {
  const { pid } = spawnSync(process.execPath, ['--version'])
  return { ...own, pid, startedAt: own.startedAt + 1 }
}

function put(name: ProcessName, state: 'held' | 'looking' = 'held'): string {
  writeFileSync(lockOf(name), state === 'held' ? '1' : '')
  return lockOf(name)
}

/** Resolves at once; `act` is called each time. */
const waiting = (act: (times: number) => void = () => {}) => {
  let times = 0
  return async () => act(++times)
}

describe('the lock of a folder', () => {
  it('is held by one, until that lets it go, and leaves nothing', async () => {
    const lock = await FolderLock.take(folder, place)
    expect(readdirSync(folder)).toHaveLength(1)
    const second = FolderLock.take(folder, place)
    await expect(second).rejects.toThrow(
      `--out film: expected a folder that no other run writes into, got that of a run in progress (process ${own.pid}); wait until it ends, or use another folder`,
    )
    await expect(second).rejects.toMatchObject({ code: 'FOLDER_IN_USE', exitCode: 2 })
    await lock.release()
    expect(readdirSync(folder)).toEqual([])
    await (await FolderLock.take(folder, place)).release()
  })

  it.runIf(isLinux)('of a process that has ended is removed, also if its number is another process’s now', async () => {
    put(ended())
    put({ ...own, startedAt: own.startedAt + 1 })
    const lock = await FolderLock.take(folder, place)
    expect(readdirSync(folder)).toHaveLength(1)
    await lock.release()
  })

  it.runIf(isLinux)('of a zombie is removed', async () => {
    // The shell starts a process that ends, becomes another program that does not wait for it, and tells its number.
    const shell = `sleep 0 & echo $!; exec sleep 1000`
    const { spawn } = await import('node:child_process')
    const parent = spawn('sh', ['-c', shell], { stdio: ['ignore', 'pipe', 'ignore'] })
    const pid = Number(String(await new Promise(resolve => parent.stdout.once('data', resolve))))
    const statOf = async () => (await import('node:fs')).readFileSync(`/proc/${pid}/stat`, 'utf8')
    while (!/\) Z /.test(await statOf())) await new Promise(setImmediate)
    put({ ...own, pid, startedAt: Number((await statOf()).replace(/^.*\) /s, '').split(' ')[19]) })
    await (await FolderLock.take(folder, place)).release()
    parent.kill('SIGKILL')
  })

  it('of another machine holds while it changes, and no longer', async () => {
    const path = put(elsewhere(7))
    const touched = FolderLock.take(
      folder,
      place,
      own,
      waiting(times => times === 3 && utimesSync(path, 7, 7)),
    )
    await expect(touched).rejects.toThrow('(process 7, on another machine or in another container)')
    expect(readdirSync(folder)).toHaveLength(1)
    await (await FolderLock.take(folder, place, own, waiting())).release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is decided by name among those that look at the same time', async () => {
    const before = { ...elsewhere(7), place: '0'.repeat(12) }
    for (const [other, wins] of [
      [before, false],
      [elsewhere(7), true],
    ] as const) {
      const path = put(other, 'looking')
      let time = 0
      // The other one is alive, and holds it after a while, too.
      const wait = waiting(times => {
        if (times === 30) truncateSync(path, 1)
        utimesSync(path, ++time, time)
      })
      const taking = FolderLock.take(folder, place, own, wait)
      if (wins) await (await taking).release()
      else await expect(taking).rejects.toBeInstanceOf(FolderInUseError)
      expect(statSync(path).size).toBe(1)
      rmSync(path)
      expect(readdirSync(folder)).toEqual([])
    }
  })

  it('is given up by one that finds another that has looked before, whatever their names', async () => {
    const path = put(elsewhere(7))
    const wait = waiting(times => utimesSync(path, times, times))
    await expect(FolderLock.take(folder, place, own, wait)).rejects.toBeInstanceOf(FolderInUseError)
  })

  it('is not what a folder or other files are', async () => {
    mkdirSync(lockOf(elsewhere(7)))
    writeFileSync(join(folder, '.run-me.lock'), 'mine')
    await (await FolderLock.take(folder, place)).release()
    expect(readdirSync(folder)).toHaveLength(2)
  })

  it.runIf(isLinux)('goes with its folder', async () => {
    const lock = await FolderLock.take(folder, place)
    const moved = `${folder}-moved`
    renameSync(folder, moved)
    await lock.release()
    expect(readdirSync(moved)).toEqual([])
    rmSync(moved, { recursive: true })
  })
})
