/** The programs that benches start: asked in lines, answering in lines, ended with all that they have started. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { kindsKnownTo } from '../../../scripts/bench/kernel/compare-builds.ts'
import { LineProcess } from '../../../scripts/bench/kernel/line-process.ts'
import { writeRays, writeScene } from '../../../scripts/bench/kernel/ray-files.ts'
import { makeRaySets } from '../../../scripts/bench/kernel/ray-sets.ts'
import { RAY_KINDS } from '../../../scripts/bench/kernel/rays/ray-kinds.ts'
import { runCommand } from '../../../scripts/bench/kernel/run-command.ts'
import { bakedScene } from '../../../shared/scene/ambient-look.ts'
import { readPackedScene } from '../../../shared/scene/packed-scene.ts'
import { BENCHES } from '../../support/program.ts'
import { smallCamera, smallScene } from '../../support/small-scene.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const node = (script: string) => new LineProcess(process.execPath, ['-e', script])

describe('a program asked in lines', () => {
  it('answers in order', async () => {
    const program = node(`require('readline').createInterface({ input: process.stdin }).on('line', line =>
      console.log(line === 'no' ? 'error not this one' : 'ok 1 2.5 ' + line))`)
    const answers = await Promise.allSettled([program.ask('7'), program.ask('no'), program.ask('8')])
    expect(answers[0]).toMatchObject({ value: [1, 2.5, 7] })
    expect(answers[1]).toMatchObject({ reason: new Error('not this one') })
    expect(answers[2]).toMatchObject({ value: [1, 2.5, 8] })
    program.close()
  })

  it('that ends leaves no question open', async () => {
    const program = node('process.stdin.once("data", () => process.exit(3))')
    await expect(program.ask('how are you')).rejects.toThrow('exit code 3')
    await expect(program.ask('are you there')).rejects.toThrow('exit code 3')
  })

  it('that is not there says so', async () => {
    await expect(new LineProcess(join(folder, 'nothing'), []).ask('hello')).rejects.toThrow('ENOENT')
  })
})

describe('a command', () => {
  const { signal } = new AbortController()
  it('gives its output, or why it failed', async () => {
    expect(await runCommand(folder, signal, process.execPath, ['-p', '6 * 7'])).toBe('42')
    await expect(runCommand(folder, signal, process.execPath, ['-e', 'throw new Error("oh")'])).rejects.toThrow('oh')
    await expect(runCommand(folder, signal, join(folder, 'nothing'), [])).rejects.toThrow('ENOENT')
  })

  it('ends with its children when it is interrupted', async () => {
    const abort = new AbortController()
    // The child holds the output open: the command counts as ended only when the child has, too.
    const script = `require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })`
    const running = runCommand(folder, abort.signal, process.execPath, ['-e', script])
    abort.abort()
    await expect(running).rejects.toThrow(/abort/i)
  })
})

it('leaves out the kinds of rays that an older build does not know', async () => {
  const answering = (reason: string) =>
    node(`require('readline').createInterface({ input: process.stdin }).on('line', line =>
      console.log(/primary|bounce$/.test(line) ? 'ok 1' : 'error ${reason} ' + line))`)
  const older = answering('unknown order')
  expect(await kindsKnownTo(older)).toEqual(['primary', 'bounce', 'deep-bounce'])
  older.close()
  const broken = answering('out of memory at')
  await expect(kindsKnownTo(broken)).rejects.toThrow('out of memory')
  broken.close()
})

it('measures the kernel of a build with rays from files', async () => {
  const scene = bakedScene(readPackedScene(smallScene().bytes))
  const quality = { samples: 1, ambientRays: 0, maxDepth: 0 }
  writeScene(folder, scene)
  writeRays(folder, makeRaySets(scene, { frame: 0, size: [24, 24], camera: smallCamera(0), quality, exposure: 1 }))
  const rounds = new LineProcess(process.execPath, [BENCHES, 'kernel-rounds', folder])
  for (const kind of RAY_KINDS) {
    const [ms] = await rounds.ask(`trace ${kind}`)
    expect(ms).toBeGreaterThanOrEqual(0)
  }
  await expect(rounds.ask('trace sideways')).rejects.toThrow('unknown order')
  rounds.close()
})
