/** A master that is told to end: it finishes what it is at, says what is left, and leaves nothing behind. */
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { childrenOf, gone } from '../support/processes.ts'
import { type Running, sortfirst, start } from '../support/program.ts'

const mesh = new URL('../../../test/support/tent.obj', import.meta.url).pathname
const running: Running[] = []
let folder: string
let url: string
let master: Running

const run = (args: string[]): Running => {
  const program = start(args)
  running.push(program)
  return program
}
const render = (name: string, frames: number, ...options: string[]): Running => {
  const picture = ['--size', '160x90', '--samples', '8', ...options]
  const rest = ['--frames', `${frames}`, '--out', join(folder, name), '--master', url, '--reconnect', '0']
  return run(['render', mesh, ...picture, ...rest])
}
const pngs = (name: string) => readdirSync(join(folder, name)).filter(file => file.endsWith('.png'))

/** Whether anybody takes connections there. */
const isOpen = async (): Promise<boolean> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  master = run(['master', '--listen', '127.0.0.1:0'])
  url = /ws:\S+/.exec(await master.line(/listens on/))![0]
})
afterEach(async () => {
  await Promise.all(running.splice(0).map(program => program.stop('SIGKILL')))
  rmSync(folder, { recursive: true, force: true })
})
const hire = async (...options: string[]): Promise<Running> => {
  const worker = run(['worker', url, '--name', 'anna', ...options])
  await worker.line(/joined/)
  return worker
}

describe('a master that is told to end', () => {
  it('finishes the frames in progress of all its sessions, and says what is left', async () => {
    await hire()
    const clients = [render('one', 40_000), render('two', 30_000)]
    await Promise.all(clients.map(client => client.line(/frame\s+1 /)))
    expect(await master.stop('SIGTERM')).toBe(143)
    await master.line(
      /the master closes \(interrupted by SIGTERM\): it finishes the frames in progress of 2 sessions; a/,
    )
    for (const [i, count] of [40_000, 30_000].entries()) {
      const client = clients[i]!
      expect(await client.ended).toBe(1)
      const sentence = await client.line(/^sortfirst: master ws:.*: the master was closed with \d+ of \d+ frames/)
      const [, done, of] = /with (\d+) of (\d+) frames of the film of \S+ done/.exec(sentence)!
      expect(Number(of)).toBe(count)
      // What the master says is done is in the folder, and no frame in part.
      expect(pngs(['one', 'two'][i]!)).toHaveLength(Number(done))
      expect(Number(done)).toBeGreaterThan(1)
      await client.line(/the same command with --resume renders the others/)
      await master.line(new RegExp(`session ended: .*the master was closed with ${done} of ${of} frames`))
    }
    expect(await isOpen()).toBe(false)
  })

  it('lets nobody in meanwhile, in one sentence, and ends at once when it is told again', async () => {
    const worker = await hire('--cores', '0.01')
    const client = render('long', 5, '--samples', '512')
    // A single worker needs no warm-up.
    await client.line(/1 worker is ready/)
    master.child.kill('SIGTERM')
    await master.line(/the master closes/)
    const late = await sortfirst([
      ...['render', mesh, '--frames', '1', '--out', join(folder, 'late')],
      ...['--master', url, '--reconnect', '0'],
    ])
    expect([late.code, late.stderr]).toEqual([
      1,
      expect.stringMatching(/^sortfirst: the master is closing: expected one that stays; use another, .*$/m),
    ])
    const newcomer = run(['worker', url, '--name', 'bert'])
    await newcomer.line(/\(the master is closing: .*\); trying for another/)
    expect(master.child.exitCode).toBe(null)
    expect(await master.stop('SIGTERM')).toBe(143)
    expect(await client.ended).toBe(1)
    expect(await isOpen()).toBe(false)
    expect(worker.child.exitCode).toBe(null)
  })
})

it.skipIf(!existsSync('/proc/self/stat'))('an interrupted run leaves no process behind', async () => {
  const client = run([
    'render',
    mesh,
    '--size',
    '160x90',
    '--workers',
    '3',
    '--frames',
    '40000',
    '--out',
    join(folder, 'own'),
  ])
  await client.line(/frame\s+1 /)
  const pids = childrenOf(client.child.pid!)
  expect(pids.length).toBeGreaterThanOrEqual(3)
  expect(await client.stop('SIGTERM')).toBe(143)
  await gone(pids)
})
