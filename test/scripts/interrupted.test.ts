/**
 * A run that is interrupted, in each of its phases and with workers that do not hear: it ends by itself, whole files stay,
 * begun ones go, and no process is left behind.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startEmbeddedCluster } from '../../scripts/library/embedded-cluster.ts'
import { WorkerStartError } from '../../scripts/library/worker-process.ts'
import { silentLog } from '../../shared/text/log.ts'
import { childrenOf, gone } from '../support/processes.ts'
import { BENCHES, type Running, sortfirst, sortfirstProcess, start } from '../support/program.ts'

const mesh = fileURLToPath(new URL('../../../test/support/tent.obj', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let out: string
beforeEach(() => {
  out = join(mkdtempSync(join(folder, 'run-')), 'film')
})

/** More frames than are ever reached. */
const film = (scene = mesh, workers = 1) => [
  ...['render', scene, '--frames', '20000', '--size', '160x90', '--samples', '1', '--ambient-rays', '1'],
  ...['--workers', `${workers}`, '--out', out, '--trace', join(out, 'trace.json')],
]

const unfinished = () => (existsSync(out) ? readdirSync(out) : []).filter(name => name.endsWith('.part'))

/** Has a program say when its report is half written, and wait with the rest until it is interrupted. */
const HELD_REPORT = `
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
const { rename } = fs
fs.rename = async (from, to) => {
  if (to.endsWith('frames.csv')) {
    const alive = setInterval(() => {}, 1000)
    const interrupted = new Promise(resolve => process.once('SIGINT', resolve))
    process.stderr.write('the report is being written\\n')
    await interrupted
    clearInterval(alive)
  }
  return rename(from, to)
}
syncBuiltinESMExports()
`

/** A film that is being traced, and the processes of its workers. */
async function tracing(): Promise<{ readonly run: Running; readonly workers: readonly number[] }> {
  const run = start(film(mesh, 2))
  await run.line(/frame\s+1 /)
  const workers = childrenOf(run.child.pid!)
  expect(workers).toHaveLength(2)
  return { run, workers }
}

describe('Ctrl-C', () => {
  it('while the scene is loaded', async () => {
    const endless = join(folder, 'endless.mjs')
    writeFileSync(endless, "console.log('begun'); await new Promise(then => setTimeout(then, 1e9))")
    const run = start(film(endless))
    await run.line(/^begun$/)
    expect(await run.stop('SIGINT')).toBe(130)
    await run.line(/^sortfirst: interrupted by SIGINT$/)
    await expect(run.line(/loaded in/)).rejects.toThrow('ended without')
    expect(existsSync(out)).toBe(false)
  })

  it('before the first frame leaves the folder to the film that is in it', async () => {
    // A frame that takes minutes.
    const run = start([...film(), '--integrator', 'ambient', '--samples', '1024', '--size', '1280x720'])
    await run.line(/loaded in/)
    await run.stop('SIGINT')
    expect(await run.line(/^no frame was finished/)).toBe(`no frame was finished; ${out} is unchanged`)
  })

  it('while a preview is shown leaves the folder to the film that is in it', async () => {
    const quick = ['--size', '160x90', '--integrator', 'path', '--workers', '1', '--frames', '2', '--out', out]
    expect((await sortfirst(['render', mesh, ...quick, '--samples', '1'])).code).toBe(0)
    // What is kept of the frame is beside it.
    const inFolder = () => readdirSync(out).filter(name => !/\.lock$|^0000\.(checkpoint|partial\.png)$/.test(name))
    const bytes = () => inFolder().map(name => `${name} ${readFileSync(join(out, name), 'base64')}`)
    const before = bytes()
    const run = start(['render', mesh, ...quick, '--samples', '16384', '--passes', '1024', '--progressive'])
    while (!inFolder().includes('.0000.png.kept')) await delay(5)
    expect(await run.stop('SIGINT')).toBe(130)
    await run.line(
      /^no frame was finished; (frame 0 has .*; the same command with --resume goes on there|.* is unchanged)$/,
    )
    expect(bytes()).toEqual(before)
  })

  it('says what is there, and how to go on', async () => {
    const run = start(film())
    await run.line(/frame\s+3 /)
    expect(await run.stop('SIGTERM')).toBe(143)
    const written = readdirSync(out).filter(name => /^\d+\.png$/.test(name)).length
    await run.line(
      new RegExp(
        `^${written} of 20,000 frames are in ${out}; (.*; )?the same command with --resume (renders the others|goes on there)$`,
      ),
    )
  })

  it.each<[string, RegExp]>([
    ['workers are started', /loaded in/],
    ['workers are awaited, or take the scene', /waiting for|load the scene/],
    ['workers are warmed up', /workers are ready/],
    ['frames are traced and written', /frame\s+1 /],
  ])('while %s', async (_, phase) => {
    const run = start(film(mesh, 2))
    await run.line(phase)
    const workers = childrenOf(run.child.pid!)
    expect(await run.stop('SIGINT')).toBe(130)
    await run.line(/^sortfirst: interrupted by SIGINT$/)
    expect(unfinished()).toEqual([])
    expect(existsSync(join(out, 'trace.json'))).toBe(false)
    await gone(workers)
  })

  it('while the report is written', async () => {
    const args = ['compare', mesh, '--frames', '6', '--size', '640x360', '--samples', '1', '--ambient-rays', '1']
    const held = join(folder, 'held.mjs')
    writeFileSync(held, HELD_REPORT)
    const run = start([...args, '--workers', '1', '--strategies', 'static-blocks,pbt', '--out', out], {
      NODE_OPTIONS: `--import ${pathToFileURL(held)}`,
    })
    await run.line(/^the report is being written$/)
    expect(await run.stop('SIGINT')).toBe(130)
    await run.line(/^sortfirst: interrupted by SIGINT$/)
    expect(existsSync(join(out, 'summary.json'))).toBe(true)
    expect(existsSync(join(out, 'report.html'))).toBe(false)
    expect(readdirSync(out, { recursive: true }).filter(name => `${name}`.endsWith('.part'))).toEqual([])
  })

  it('while strategies are compared', async () => {
    const args = ['compare', mesh, '--frames', '20000', '--size', '64x36', '--workers', '1']
    const run = start([...args, '--strategies', 'pbt,predictive', '--out', out])
    await run.line(/frame\s+1 /)
    expect(await run.stop('SIGINT')).toBe(130)
    await run.line(/^0 of 2 runs are complete in .*; --resume makes the others$/)
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('a simulation or a bench that is ended by %s', async (signal, code) => {
    const size = ['--size', '160x90', '--frames', '1000']
    const simulation = start(['simulate', mesh, ...size, '--out', out])
    await simulation.line(/^traced frame 1,/)
    expect(await simulation.stop(signal)).toBe(code)
    await simulation.line(new RegExp(`^sortfirst: interrupted by ${signal}$`))
    const bench = start(['balance', '--scene', mesh, ...size], {}, BENCHES)
    await bench.line(/^tracing 1000 frames/)
    expect(await bench.stop(signal)).toBe(code)
  })
})

describe.skipIf(!existsSync('/proc/self/stat'))('a worker that is stopped', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends with a run that is ended by %s', async (signal, code) => {
    const { run, workers } = await tracing()
    process.kill(workers[0]!, 'SIGSTOP')
    expect(await run.stop(signal)).toBe(code)
    await gone(workers)
    expect(unfinished()).toEqual([])
  })

  it('ends with a run that is ended by a second Ctrl-C', async () => {
    const { run, workers } = await tracing()
    process.kill(workers[0]!, 'SIGSTOP')
    run.child.kill('SIGINT')
    expect(await run.stop('SIGINT')).toBe(130)
    await gone(workers)
  })
})

it.skipIf(!existsSync('/proc/self/stat'))('workers end with a run that is killed', async () => {
  const { run, workers } = await tracing()
  await run.stop('SIGKILL')
  await gone(workers)
})

it('a worker that cannot be started is said in a sentence, and leaves nobody behind', async () => {
  const { execPath } = process
  const before = process.listenerCount('exit')
  process.execPath = join(folder, 'nowhere')
  try {
    const starting = startEmbeddedCluster(
      { pacing: { shares: null, speeds: [1, 1] }, threads: 1, engine: 'wasm' },
      silentLog,
    )
    await expect(starting).rejects.toThrow(WorkerStartError)
    await expect(starting).rejects.toThrow(/^worker-\d: expected a process to be started, got .*ENOENT.*--workers/)
  } finally {
    process.execPath = execPath
  }
  expect(process.listenerCount('exit')).toBe(before)
})

it('a dozen workers are no reason for a warning', async () => {
  const args = ['render', mesh, '--frames', '1', '--size', '64x36', '--workers', '12', '--out', out]
  const { code, stderr } = await sortfirstProcess(args)
  expect(stderr).not.toMatch(/Warning/)
  expect(code).toBe(0)
})
