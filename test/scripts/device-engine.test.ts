/** `--engine webgpu` as users type it: what is wrong is one sentence and exit code 2, and every output says what traced it. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { type Summary, summarySchema } from '../../shared/frame/summary.ts'
import { anyAdapter } from '../support/any-adapter.ts'
import { expectSentence } from '../support/complaint.ts'
import { sortfirst, start } from '../support/program.ts'

const { name: adapter, restore } = await anyAdapter()
const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => {
  restore()
  rmSync(folder, { recursive: true, force: true })
})
const mesh = new URL('../../../test/support/tent.obj', import.meta.url).pathname
const SMALL = ['--size', '64x36', '--integrator', 'ambient']
const out = (name: string) => join(folder, name)

describe('--engine webgpu is refused', () => {
  it.each([
    [
      'of an adapter, for workers elsewhere',
      ['--engine', 'webgpu:card', '--master', '127.0.0.1:9'],
      '--engine: expected webgpu with a master elsewhere, whose workers have adapters of their own, got webgpu:card',
    ],
    [
      'of workers elsewhere, for frames that are to be kept',
      ['--engine', 'webgpu', '--master', '127.0.0.1:9', '--checkpoint', '5'],
      '--checkpoint cannot be combined with --engine webgpu and --master',
    ],
    [
      'whose pixels are mixed, for frames that are to be kept',
      ['--engine', 'webgpu', '--mix-engines', '--checkpoint', '5'],
      '--checkpoint cannot be combined with --mix-engines',
    ],
    ['if engines are to be mixed, and it is another', ['--mix-engines'], '--mix-engines needs --engine webgpu'],
    [
      'if engines are to be mixed by one worker',
      ['--engine', 'webgpu', '--mix-engines', '--workers', '1'],
      '--mix-engines needs at least --workers 2',
    ],
  ])('%s', async (_, words, sentence) => {
    const film = ['render', mesh, ...SMALL, '--frames', '1', '--out', out('refused')]
    expectSentence(await sortfirst([...film, ...words]), 2, sentence)
  })
})

describe.skipIf(adapter === undefined)('an adapter that is not here', () => {
  const film = [mesh, ...SMALL, '--frames', '1', '--engine', 'webgpu:voodoo', '--no-cache']
  it.each([
    ['render', [...film, '--out', out('render')]],
    ['compare', [...film, '--workers', '2', '--strategies', 'pbt', '--out', out('compare')]],
    ['tile', [mesh, ...SMALL, '--engine', 'webgpu:voodoo', '--frame', '0', '--rect', '0,0,8,8', '-o', out('t.png')]],
    ['worker', ['ws://127.0.0.1:9', '--engine', 'webgpu:voodoo', '--no-cache']],
  ])('ends %s with one sentence, as wrong usage', async (command, words) => {
    const outcome = await sortfirst([command, ...words])
    expectSentence(
      outcome,
      2,
      /^sortfirst: expected an adapter that is here \(.+\), got 'voodoo'; use a part of its name$/,
    )
    expect(outcome.stderr).not.toContain('warning')
  })

  it('ends a view, which would have nobody to trace it', async () => {
    const view = start(['view', mesh, ...SMALL, '--engine', 'webgpu:voodoo', '--no-cache'])
    expect(await view.ended).toBe(2)
    expect(view.lines.at(-1)).toMatch(/^sortfirst: expected an adapter that is here/)
  })
})

/** A machine with a graphics card has what is missing here. */
const isSoftware = /llvmpipe|lavapipe|swiftshader/i.test(adapter ?? '')
it.skipIf(!isSoftware)('engines that are mixed end at once where there is no card, though CPUs are there', async () => {
  const film = ['render', mesh, ...SMALL, '--frames', '1', '--no-cache', '--out', out('mixed')]
  const outcome = await sortfirst([...film, '--engine', 'webgpu', '--mix-engines'])
  expectSentence(
    outcome,
    1,
    /^sortfirst: workers: expected the graphics card to join, beside which CPUs trace, got the end of its worker: worker-1 ended \(exit code 1: engine webgpu: expected a graphics card/m,
  )
})

describe.skipIf(adapter === undefined)('a picture of a device', () => {
  const BY = new RegExp(`webgpu:${adapter?.slice(0, 8)}`)
  const summaryIn = (place: string): Summary =>
    summarySchema.parse(JSON.parse(readFileSync(join(place, 'summary.json'), 'utf8')))
  const commentOf = async (file: string) => (await sharp(file).metadata()).comments?.[0]?.text

  it('says so, as does its summary, and has the pixels of its tiles', async () => {
    const place = out('alone')
    const picture = [mesh, ...SMALL, '--samples', '2', '--engine', `webgpu:${adapter}`, '--no-cache']
    const film = await sortfirst(['render', ...picture, '--frames', '1', '--passes', '2', '--out', place])
    expect(film.code, film.stderr).toBe(0)
    expect(film.stdout).toMatch(
      /Traced by webgpu:.+: other devices, and CPUs, make the same picture with other bytes\./,
    )
    const summary = summaryIn(place)
    expect(summary.tracedBy).toEqual([expect.stringMatching(BY)])
    expect(summary.strategies[0]!.frames[0]!.tracedBy).toBe(summary.tracedBy![0])
    expect(await commentOf(join(place, '0000.png'))).toBe(`traced by ${summary.tracedBy![0]}`)
    const alone = out('tile.png')
    const tile = await sortfirst(['tile', ...picture, '--frame', '0', '--rect', '20,7,31,17', '-o', alone])
    expect(tile.code, tile.stderr).toBe(0)
    expect(await commentOf(alone)).toBe(`traced by ${summary.tracedBy![0]}`)
    const expected = await sharp(join(place, '0000.png'))
      .extract({ left: 20, top: 7, width: 31, height: 17 })
      .raw()
      .toBuffer()
    expect(Buffer.compare(await sharp(alone).raw().toBuffer(), expected)).toBe(0)
  }, 900_000)

  it('has samples where they are needed, and as many as there is time for', async () => {
    const words = (place: string) => [
      ...['render', mesh, '--size', '24x14', '--integrator', 'path', '--engine', `webgpu:${adapter}`],
      ...['--frames', '1', '--no-cache', '--out', place],
    ]
    const adaptive = await sortfirst([...words(out('noise')), '--samples', '256', '--noise', '0.2'])
    expect(adaptive.code, adaptive.stderr).toBe(0)
    const [{ samplesPerPixel, frames }] = summaryIn(out('noise')).strategies as [Summary['strategies'][number]]
    expect(samplesPerPixel).toBeLessThan(256)
    expect(frames[0]!.noise).toMatchObject({ limit: 0.2, share: 0 })
    const timed = await sortfirst([...words(out('time')), '--samples', '4096', '--time', '1s'])
    expect(timed.code, timed.stderr).toBe(0)
    expect(summaryIn(out('time')).strategies[0]!.frames[0]).toMatchObject({ endedBy: 'time' })
  }, 900_000)

  it('that is killed goes on where it was, with the bytes of one that is made at once', async () => {
    const place = out('kept')
    const words = (frames: string) => [
      ...['render', mesh, '--size', '32x18', '--integrator', 'ambient', '--samples', '64', '--passes', '8'],
      ...['--engine', `webgpu:${adapter}`, '--frames', '1', '--no-cache', '--wait', '900', '--out', frames],
    ]
    const first = start([...words(place), '--checkpoint', '0.001'])
    while (!existsSync(join(place, '0000.checkpoint'))) await delay(1)
    expect(await first.stop('SIGKILL')).toBeNull()
    const rest = await sortfirst([...words(place), '--resume'])
    expect(rest.code, rest.stderr).toBe(0)
    expect(summaryIn(place).wentOn).toEqual([{ frame: 0, samples: expect.any(Number) }])
    const whole = await sortfirst([...words(out('whole')), '--checkpoint', '0'])
    expect(whole.code, whole.stderr).toBe(0)
    const [kept, once] = [place, out('whole')].map(of => readFileSync(join(of, '0000.png')).toString('base64'))
    expect(kept).toBe(once)
    // Processes whose drivers compile, of software perhaps, on a busy machine.
  }, 900_000)

  it('and of a CPU says so in every output', async () => {
    const place = out('mixed')
    const words = [...SMALL, '--engine', `webgpu:${adapter}`, '--mix-engines', '--strategies', 'static-blocks,scatter']
    const film = await sortfirst([
      'compare',
      mesh,
      ...words,
      '--frames',
      '2',
      '--workers',
      '2',
      '--worker-cores',
      'off',
      '--out',
      place,
    ])
    expect(film.code, film.stderr).toBe(0)
    const { tracedBy, workers } = summaryIn(place)
    expect(workers.map(({ engine }) => engine)).toEqual(['webgpu', 'wasm'])
    expect(tracedBy).toEqual([expect.stringMatching(/^wasm mixed with webgpu:/)])
    const said = `Traced by ${tracedBy![0]}: which of them traced a pixel depends on how fast they were`
    expect(film.stdout.replaceAll(/\s+/g, ' ')).toContain(said)
    expect(readFileSync(join(place, 'report.html'), 'utf8')).toContain(said)
    expect(await commentOf(join(place, 'static-blocks', '0001.png'))).toBe(`traced by ${tracedBy![0]}`)
  }, 900_000)
})
