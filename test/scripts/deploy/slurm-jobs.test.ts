/** The printed scripts on a real Slurm: whatever happens to its nodes and its time, the film has the same bytes. */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sortfirst, start } from '../../support/program.ts'
import { NO_SLURM, type Slurm, startSlurm, WAIT } from '../../support/slurm.ts'

const PICTURE = ['--size', '160x90', '--samples', '64', '--frames', '12']

describe.skipIf(NO_SLURM !== undefined)(`on a real Slurm${NO_SLURM ? ` (skipped: ${NO_SLURM})` : ''}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  let slurm: Slurm
  let alone: readonly string[]
  beforeAll(async () => {
    const out = join(folder, 'alone')
    expect(await sortfirst(['render', 'corner', ...PICTURE, '--out', out])).toMatchObject({ code: 0 })
    alone = hashes(out)
    slurm = await startSlurm(folder)
  })
  afterAll(async () => {
    await slurm?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const hashes = (out: string): string[] =>
    readdirSync(out)
      .filter(name => name.endsWith('.png'))
      .sort()
      .map(name =>
        createHash('sha256')
          .update(readFileSync(join(out, name)))
          .digest('hex'),
      )
  const has = (out: string, frame: string) => vi.waitFor(() => expect(existsSync(join(out, frame))).toBe(true), WAIT)
  const stateOf = (job: string) => /JobState=(\S+)/.exec(slurm.run('scontrol', 'show', 'job', job))![1]
  const reaches = (job: string, state: string) => vi.waitFor(() => expect(stateOf(job)).toBe(state), WAIT)
  /** Prints a script and submits it. @returns the number of its job, and the film's folder */
  const submit = async (name: string, ...words: readonly string[]): Promise<{ job: string; out: string }> => {
    const out = join(folder, name)
    const film = ['--', 'render', 'corner', ...PICTURE, '--out', out]
    const { stdout } = await sortfirst(['slurm', '--print', ...words, ...film])
    writeFileSync(join(folder, `${name}.sh`), stdout)
    return { job: slurm.run('sbatch', '--parsable', `${name}.sh`).trim(), out }
  }
  const log = (job: string) => readFileSync(join(folder, `sortfirst-${job}.out`), 'utf8')
  /** The worker of a node, and the keeper of its step. */
  const workerOn = (node: string): { readonly worker: number; readonly keeper: number } => {
    const worker = readdirSync('/proc')
      .map(Number)
      .find(id => id > 0 && isWorker(id, node))!
    const [, keeper] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${worker}/status`, 'utf8'))!
    return { worker, keeper: Number(keeper) }
  }
  /** Of a worker itself, not of the `srun` that waits for it. */
  function isWorker(id: number, node: string): boolean {
    try {
      const words = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0')
      return words[0] === process.execPath && words[2] === 'worker' && words.includes(node)
    } catch {
      return false
    }
  }

  it('four nodes make a film, and the loss of one does no harm', async () => {
    const { job, out } = await submit('lost')
    await vi.waitFor(() => expect(log(job)).toMatch(/ joined \S+ as c3$/m), WAIT)
    await has(out, '0000.png')
    // A node that is gone takes the step's keeper with it, so nobody says why the worker has ended.
    const { worker, keeper } = workerOn('c3')
    process.kill(keeper, 'SIGKILL')
    process.kill(worker, 'SIGKILL')
    await reaches(job, 'COMPLETED')
    expect(log(job)).toMatch(/worker c3 .*3 in the cluster/)
    expect(hashes(out)).toEqual(alone)
  })

  it('a film whose time is nearly over is queued again, and goes on where it was', async () => {
    const { job, out } = await submit('again')
    await has(out, '0002.png')
    // What Slurm sends so long before the end.
    slurm.run('scancel', '--batch', '--signal=USR1', job)
    await vi.waitFor(() => expect(log(job)).toContain('queued again'), WAIT)
    await reaches(job, 'PENDING')
    const before = hashes(out).length
    expect(before).toBeGreaterThanOrEqual(3)
    expect(before).toBeLessThan(alone.length)
    // Otherwise Slurm waits for two minutes.
    slurm.run('scontrol', 'update', `JobId=${job}`, 'StartTime=now')
    await reaches(job, 'COMPLETED')
    expect(hashes(out)).toEqual(alone)
  })

  it('an array of workers joins a master elsewhere, with the secret of a file, and leaves before its time is over', async () => {
    const secret = join(folder, 'secret')
    writeFileSync(secret, 'the-secret-of-the-workers')
    const master = start(['master', '--listen', '127.0.0.1:0', '--token-file', secret])
    try {
      const url = /ws:\S+/.exec(await master.line(/listens on/))![0]
      const args = [
        '--array',
        '2',
        '--master',
        url,
        '--token-file',
        secret,
        '--cpus',
        '1',
        '--time',
        '1',
        '--grace',
        '58',
      ]
      const { stdout } = await sortfirst(['slurm', '--print', ...args])
      writeFileSync(join(folder, 'workers.sh'), stdout)
      const job = slurm.run('sbatch', '--parsable', 'workers.sh').trim()
      for (const task of [1, 2]) {
        await master.line(new RegExp(`slurm-${job}-${task}.* leaves \\(its lifetime is over\\)`))
        await reaches(`${job}_${task}`, 'COMPLETED')
      }
    } finally {
      await master.stop()
    }
  })
})
