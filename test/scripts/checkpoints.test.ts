/**
 * Stills and films that are interrupted, killed, or have no room for what is kept of them: what was traced is there, and the frames that
 * another run goes on with have the bytes of those that were made at once.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lentCluster } from '../support/lent-cluster.ts'
import { sortfirst, start } from '../support/program.ts'
import { canMount, onSmallDisk } from '../support/small-disk.ts'

const mesh = fileURLToPath(new URL('../../../test/support/tent.obj', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const lent = lentCluster()

let out: string
beforeEach(() => {
  out = join(mkdtempSync(join(folder, 'run-')), 'still')
})

/** Its passes are divided into tiles, too. */
const PICTURE = [
  '--size',
  '64x36',
  '--integrator',
  'path',
  '--samples',
  '2048',
  '--passes',
  '24',
  '--output',
  'png,exr',
]
const still = (...more: string[]) => [
  'render',
  mesh,
  ...PICTURE,
  '--workers',
  '1',
  '--frames',
  '1',
  ...more,
  '--out',
  out,
]
/** As often as can be. */
const OFTEN = ['--checkpoint', '0.001']

const names = () => (existsSync(out) ? readdirSync(out) : []).filter(name => !name.endsWith('.lock')).sort()
const bytes = (name: string, of = out) => readFileSync(join(of, name)).toString('base64')

/** Resolves when there is such a file: of files of other processes there is no event. */
async function thereIs(name: string): Promise<void> {
  while (!names().includes(name)) await delay(1)
}

describe('a still', () => {
  /** Made at once. */
  const whole = join(folder, 'whole')
  beforeAll(async () => {
    expect((await sortfirst(['render', mesh, ...PICTURE, '--frames', '1', '--out', whole, ...lent()])).code).toBe(0)
  })

  it('that is killed, and ended twice when it goes on, has the same bytes in the end', async () => {
    const killed = start(still(...OFTEN))
    await thereIs('0000.checkpoint')
    expect(await killed.stop('SIGKILL')).toBeNull()
    for (const [signal, code] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
    ] as const) {
      const before = bytes('0000.checkpoint')
      const again = start(still(...OFTEN, '--resume'))
      while (bytes('0000.checkpoint') === before) await delay(1)
      expect(await again.stop(signal)).toBe(code)
      const kept =
        /frame 0 has [\d.]+ of 2,048 samples per pixel \(\d+ %\): 0000.checkpoint and 0000.partial.png, in .*still; the same command goes on there$/
      expect(await again.line(/^no frame was finished; frame 0 has /)).toMatch(kept)
      expect(names()).toEqual(['0000.checkpoint', '0000.partial.png'])
    }
    const { data, info } = await sharp(join(out, '0000.partial.png')).raw().toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ width: 64, height: 36, channels: 4 })
    expect(data.filter((_, i) => i % 4 === 3)).toContain(255)

    const { code, stderr, stdout } = await sortfirst(still('--resume'))
    expect(stdout.trim().split('\n').at(-1)).toBe(`picture: ${join(out, '0000.png')}`)
    expect(stderr).not.toMatch(/warning/)
    expect(stderr).toMatch(
      /^frame 0 goes on: [\d.]+ of 2,048 samples per pixel are there; its times will be of the rest alone$/m,
    )
    expect(code).toBe(0)
    for (const name of ['0000.png', '0000.exr']) expect(bytes(name)).toBe(bytes(name, whole))
    const [is, was] = [out, whole].map(of => JSON.parse(readFileSync(join(of, 'summary.json'), 'utf8')))
    expect(is.strategies[0].frameSha256).toEqual(was.strategies[0].frameSha256)
    expect(is.scene).toEqual(was.scene)
    expect(is.wentOn).toEqual([{ frame: 0, samples: expect.any(Number) }])
    expect(was.wentOn).toBeUndefined()
    // To which samples can be added.
    expect(names()).toEqual(['0000.checkpoint', '0000.exr', '0000.png', 'frames.csv', 'render.json', 'summary.json'])
  })

  it('is not kept if nobody wants that', async () => {
    const run = start(still('--checkpoint', '0'))
    await run.line(/tracing/)
    expect(await run.stop('SIGINT')).toBe(130)
    await run.line(/^no frame was finished; .* is unchanged$/)
    expect(existsSync(out)).toBe(false)
  })

  describe('that was interrupted', () => {
    let kept: Buffer
    beforeAll(async () => {
      out = join(mkdtempSync(join(folder, 'kept-')), 'still')
      const run = start(still(...OFTEN))
      await thereIs('0000.checkpoint')
      await run.stop('SIGINT')
      kept = readFileSync(join(out, '0000.checkpoint'))
    })
    beforeEach(() => {
      out = mkdtempSync(join(folder, 'resumed-'))
    })
    const put = (content: string | Buffer) => writeFileSync(join(out, '0000.checkpoint'), content)

    it.each<[string, string[], RegExp]>([
      [
        'fewer samples than were begun',
        ['--samples', '32'],
        /expected for 0000.checkpoint --samples at least the \d+ that were begun; got 32; use such a number/,
      ],
      ['another seed', ['--seed', '7'], /expected the --seed of 0000.checkpoint, 1, got 7; use/],
      ['another pattern', ['--pattern', 'film'], /expected the --pattern of 0000.checkpoint, frame, got film; use/],
      [
        'another integrator',
        ['--integrator', 'ambient', '--samples', '64', '--passes', '1'],
        /expected the --integrator of 0000.checkpoint, path, got ambient; use/,
      ],
      ['another size', ['--size', '32x18'], /expected the size of 0000.checkpoint, \[64,36\], got \[32,18\]/],
      ['other files', ['--output', 'png'], /expected the files of 0000.checkpoint, /],
    ])('does not go on with %s, and says so', async (_, more, sentence) => {
      put(kept)
      const { code, stderr } = await sortfirst(still(...more, '--resume'))
      const said = stderr.trim().split('\n').at(-1)
      expect(said).toMatch(sentence)
      expect(said).toMatch(/, or remove 0000.checkpoint to begin the frame anew$/)
      expect(code).toBe(2)
      expect(names()).toEqual(['0000.checkpoint'])
      expect(bytes('0000.checkpoint')).toBe(kept.toString('base64'))
    })

    it.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
      ['is cut off', all => all.subarray(0, -1), /expected a whole 0000.checkpoint, got a damaged one/],
      ['has a wrong byte', flipped, /expected a whole 0000.checkpoint, got a damaged one/],
      ['is of another release', newer, /expected a 0000.checkpoint of this release/],
    ])('does not go on with a file that %s, and says so', async (_, harm, sentence) => {
      put(harm(kept))
      const { code, stderr } = await sortfirst(still('--resume'))
      expect(stderr.trim().split('\n').at(-1)).toMatch(sentence)
      expect(code).toBe(2)
      expect(names()).toEqual(['0000.checkpoint'])
    })

    it('leaves a file of another program where it is', async () => {
      put('a diary')
      const run = start(still(...OFTEN, '--resume'))
      await run.line(
        /^warning: what there is of frame 0 cannot be kept: 0000.checkpoint is a file of another program; it goes on without$/,
      )
      await run.stop('SIGINT')
      expect(readFileSync(join(out, '0000.checkpoint'), 'utf8')).toBe('a diary')
    })

    it('leaves a picture of another program where it is, and is kept beside it', async () => {
      writeFileSync(join(out, '0000.partial.png'), 'a diary')
      const run = start(still(...OFTEN))
      await thereIs('0000.checkpoint')
      await run.stop('SIGINT')
      expect(names()).toEqual(['0000.checkpoint', '0000.partial.png'])
      expect(readFileSync(join(out, '0000.partial.png'), 'utf8')).toBe('a diary')

      rmSync(join(out, '0000.checkpoint'))
      expect((await sortfirst(still(...OFTEN))).code).toBe(0)
      expect(readFileSync(join(out, '0000.partial.png'), 'utf8')).toBe('a diary')
    })

    it('is begun anew by one that is not kept, which is said', async () => {
      put(kept)
      const run = start(still('--checkpoint', '0', '--resume'))
      await run.line(
        /^warning: 0000.checkpoint: only a run without --time, --verify, --mix-engines and --checkpoint 0 goes on there; the frame is begun anew$/,
      )
      await run.stop('SIGINT')
      expect(names()).toEqual(['0000.checkpoint'])
    })

    it('goes on elsewhere', async () => {
      put(kept)
      const { code, stderr } = await sortfirst([...elsewhere(...lent()), '--resume'])
      expect(stderr).not.toMatch(/warning/)
      expect(code).toBe(0)
      for (const name of ['0000.png', '0000.exr']) expect(bytes(name)).toBe(bytes(name, whole))
    })
  })

  /** The same on workers of a master that is not this program's. */
  const elsewhere = (...more: string[]) => [
    ...['render', mesh, ...PICTURE, '--frames', '1', '--out', out, ...OFTEN],
    ...more,
  ]

  it('that is made elsewhere is kept here when it is killed, ended, or its master is lost', async () => {
    const killed = start(elsewhere(...lent()))
    await thereIs('0000.checkpoint')
    expect(await killed.stop('SIGKILL')).toBeNull()
    const before = bytes('0000.checkpoint')
    const ended = start(elsewhere('--resume', ...lent()))
    while (bytes('0000.checkpoint') === before) await delay(1)
    expect(await ended.stop('SIGINT')).toBe(130)
    const kept = (resumed: string) =>
      new RegExp(
        `^no frame was finished; frame 0 has .*: 0000.checkpoint .*; the same command${resumed} goes on there$`,
      )
    await ended.line(kept(''))

    const master = start(['master', '--listen', '127.0.0.1:0'])
    const [, url] = (await master.line(/(ws:\/\/[\d.:]+)/)).match(/(ws:\/\/[\d.:]+)/)!
    const worker = start(['worker', url!, '--threads', '1', '--no-cache'])
    const then = bytes('0000.checkpoint')
    const left = start(elsewhere('--resume', '--master', url!, '--reconnect', '0'))
    while (bytes('0000.checkpoint') === then) await delay(1)
    await master.stop('SIGKILL')
    await left.line(kept(''))
    expect(await left.ended).toBe(1)
    await worker.stop('SIGTERM')

    expect((await sortfirst(still('--resume'))).code).toBe(0)
    for (const name of ['0000.png', '0000.exr']) expect(bytes(name)).toBe(bytes(name, whole))
  })

  it.skipIf(!canMount)('for which there is no room goes on without', async () => {
    const run = await onSmallDisk(folder, '200k', disk => [
      ...['render', mesh, '--size', '160x90', '--integrator', 'path', '--samples', '16', '--passes', '16'],
      ...['--workers', '1', '--frames', '1', ...OFTEN, '--out', join(disk, 'still')],
    ])
    const full = /^warning: what there is of frame 0 cannot be kept: .*got a full disk \(ENOSPC\)/gm
    expect(run.stderr.match(full)).toHaveLength(1)
    expect(run.code).toBe(0)
    expect(readdirSync(join(run.left, 'still')).sort()).toEqual([
      '0000.png',
      'frames.csv',
      'render.json',
      'summary.json',
    ])
  })
})

describe('a complete still', () => {
  const picture = (samples: number, more: readonly string[], to: string) => [
    ...['render', mesh, '--size', '40x24', '--frames', '1', '--integrator', 'path', '--samples', String(samples)],
    ...['--workers', '1', '--output', 'png,exr', ...more, '--out', to],
  ]
  it.each<[string, [number, number, ...number[]], readonly string[]]>([
    ['as it is', [64, 256], []],
    ['several times', [32, 33, 100, 250], []],
    ['with a noise limit that it did not reach', [64, 256], ['--noise', '0.001', '--aov', 'samples']],
    ['with one that some of it reached', [64, 512], ['--noise', '0.05']],
    ['denoised until it is clean', [64, 256], ['--noise', '0.02', '--denoise', 'on']],
    [
      'with everything that one can have',
      [64, 128],
      [
        ...['--denoise', 'on', '--transparent', '--region', '5,3,24,16', '--f-number', '2', '--passes', '3'],
        ...['--aov', 'albedo,normal,depth,position,id,cryptoObject,cryptoMaterial,samples'],
      ],
    ],
  ])('%s has more samples with --resume, and then the bytes of one that was made at once', async (_, all, more) => {
    for (const [i, samples] of all.entries()) {
      const { code, stderr } = await sortfirst(picture(samples, [...more, ...(i > 0 ? ['--resume'] : [])], out))
      expect(stderr).not.toMatch(/cannot be kept|sortfirst:/)
      expect(code).toBe(0)
    }
    const whole = `${out}-at-once`
    expect((await sortfirst(picture(all.at(-1)!, [...more, '--checkpoint', '0'], whole))).code).toBe(0)
    for (const name of ['0000.png', '0000.exr']) expect(bytes(name)).toBe(bytes(name, whole))
    expect(names().filter(name => /partial|checkpoint/.test(name))).toEqual(['0000.checkpoint'])
    expect(readdirSync(whole).filter(name => /partial|checkpoint/.test(name))).toEqual([])
  })

  it.each<[string, number, number, readonly string[], RegExp]>([
    ['fewer', 256, 64, [], /expected for 0000.checkpoint --samples 256 or more, which it has; got 64/],
    ['more of so few', 16, 64, [], /expected the samples of the existing frames, 16, got 64, which are only added to /],
    ['more than halves are of', 100, 256, ['--denoise', 'on'], /--samples 100: with --noise or denoising more are/],
    ['more moments', 64, 128, ['--shutter', '0.5'], /expected the samples of the existing frames, 64, got 128/],
    ['more without a checkpoint', 64, 128, ['--checkpoint', '0'], /, got 128, which are only added to path-traced/],
  ])('does not get %s, which is said, and stays as it is', async (_, had, asked, more, sentence) => {
    expect((await sortfirst(picture(had, more, out))).code).toBe(0)
    const before = names().map(name => bytes(name))
    const { code, stderr } = await sortfirst(picture(asked, [...more, '--resume'], out))
    expect(stderr.trim().split('\n').at(-1)).toMatch(sentence)
    expect(code).toBe(2)
    expect(names().map(name => bytes(name))).toEqual(before)
  })

  it('ends its program when nothing is left to do, and when it cannot go on', async () => {
    expect((await sortfirst(picture(32, [], out))).code).toBe(0)
    const complete = start(picture(32, ['--resume'], out))
    await complete.line(/^1 of 1 frame is complete already$/)
    expect(await complete.ended).toBe(0)
    const refused = start(picture(32, ['--resume', '--seed', '7'], out))
    await refused.line(/^sortfirst: /)
    expect(await refused.ended).toBe(2)
  })
})

/** A byte of the sums is another one. */
function flipped(all: Buffer): Buffer {
  const copy = Buffer.from(all)
  const at = all.length - 5000
  copy[at] = copy[at]! ^ 1
  return copy
}

/** The version is another one. */
function newer(all: Buffer): Buffer {
  const copy = Buffer.from(all)
  copy.writeUInt32LE(99, 8)
  return copy
}

it('frames of a film that are in the making at the same time are all kept', async () => {
  const film = (...more: string[]) => [
    ...[
      'render',
      mesh,
      '--size',
      '64x36',
      '--integrator',
      'path',
      '--samples',
      '1024',
      '--frames',
      '3',
      '--workers',
      '2',
    ],
    ...['--threads', '1', '--passes', '8', '--in-flight', '2', ...more, '--out', out],
  ]
  const run = start(film(...OFTEN))
  await thereIs('0001.checkpoint')
  await run.stop('SIGINT')
  const left = names().filter(name => name.endsWith('.checkpoint'))
  expect(left).toContain('0001.checkpoint')
  const { code } = await sortfirst(film('--resume'))
  expect(code).toBe(0)
  expect(names().filter(name => /checkpoint|partial/.test(name))).toEqual([])
  const resumed = [0, 1, 2].map(i => bytes(`000${i}.png`))
  out = join(out, '..', 'whole')
  expect((await sortfirst(film())).code).toBe(0)
  expect(resumed).toEqual([0, 1, 2].map(i => bytes(`000${i}.png`)))
})
