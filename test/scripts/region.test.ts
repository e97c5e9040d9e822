/** Parts of frames, typed as a user would: their pixels are those of the whole frames, and their files say where they belong. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { startCluster } from '../../scripts/library/cluster.ts'
import type { Frame } from '../../scripts/library/frame.ts'
import { render } from '../../scripts/library/render.ts'
import type { RenderOptions } from '../../scripts/library/render-options.ts'
import { summarySchema } from '../../shared/frame/summary.ts'
import { saidIn } from '../support/complaint.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { sortfirst } from '../support/program.ts'
import { readExr } from '../support/read-exr.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const lent = lentCluster()

const SIZE = ['--size', '48x32']
/** Where most of the scene is. */
const PART = { x: 27, y: 13, w: 20, h: 17 }
const words = ({ x, y, w, h }: typeof PART) => ['--region', `${x},${y},${w},${h}`]

async function run(command: string, out: string, rest: readonly string[]): Promise<string> {
  const into = join(folder, out)
  const { code, stderr } = await sortfirst([command, 'corner', ...SIZE, '--out', into, ...rest, ...lent()])
  expect(code, stderr).toBe(0)
  return into
}

/** RGB or RGBA of a picture, or of a part of it. */
const pixelsOf = async (file: string, part?: typeof PART): Promise<Buffer> => {
  const picture = sharp(file)
  return (part ? picture.extract({ left: part.x, top: part.y, width: part.w, height: part.h }) : picture)
    .raw()
    .toBuffer()
}

async function firstOf(options: RenderOptions): Promise<Frame> {
  for await (const frame of render('corner', options)) return frame
  throw new RangeError('no frame')
}

describe('--region', () => {
  it.each<[what: string, options: readonly string[], part: typeof PART, files: readonly string[]]>([
    [
      'of two frames of the ambient integrator',
      ['--frames', '2', '--integrator', 'ambient'],
      PART,
      ['0000.png', '0001.png'],
    ],
    [
      'of the path tracer, in passes',
      ['--frames', '1', '--integrator', 'path', '--samples', '4', '--passes', '2'],
      PART,
      ['0000.png'],
    ],
    [
      'with motion blur, a lens and no background',
      ['--frames', '1', '--samples', '8', '--shutter', '1', '--f-number', '0.5', '--focus', '3', '--transparent'],
      PART,
      ['0000.png'],
    ],
    ['with an exposure that suits the film', ['--frames', '1', '--exposure', 'auto'], PART, ['0000.png']],
    [
      'with as many samples as its cells need, at multiples of their sides',
      ['--frames', '1', '--integrator', 'path', '--noise', '0.1', '--samples', '128'],
      { x: 24, y: 16, w: 24, h: 16 },
      ['0000.png'],
    ],
    ['of one pixel', ['--frames', '1'], { x: 47, y: 31, w: 1, h: 1 }, ['0000.png']],
  ])('%s has the pixels of the whole frame', async (what, options, part, files) => {
    const [whole, cut] = [`${what} all`, `${what} cut`]
    const all = await run('render', whole, options)
    const some = await run('render', cut, [...options, ...words(part)])
    for (const file of files) {
      const pixels = await pixelsOf(join(some, file))
      expect(pixels).toEqual(await pixelsOf(join(all, file), part))
      // Not of the sky alone.
      if (part.w > 1) expect(new Set(pixels).size).toBeGreaterThan(100)
    }
    const summary = summarySchema.parse(JSON.parse(readFileSync(join(some, 'summary.json'), 'utf8')))
    expect([summary.size, summary.region]).toEqual([[part.w, part.h], { ...part, of: [48, 32] }])
  })

  it('is the data window of EXR files, in the window of the frame', async () => {
    const files = ['--frames', '1', '--output', 'exr', '--aov', 'depth,objectId,cryptoObject']
    const [all, some] = [await run('render', 'exr-all', files), await run('render', 'exr', [...files, ...words(PART)])]
    for (const name of ['0000.exr', '0000.depth.exr', '0000.objectId.exr', '0000.cryptoObject.exr']) {
      const [whole, cut] = [all, some].map(each => readExr(readFileSync(join(each, name))))
      expect(cut!.windows).toEqual({ data: [27, 13, 46, 29], display: [0, 0, 47, 31] })
      expect(whole!.windows).toEqual({ data: [0, 0, 47, 31], display: [0, 0, 47, 31] })
      for (const [channel, values] of Object.entries(cut!.channels)) {
        const expected = values.map((_, i) => {
          const [x, y] = [PART.x + (i % PART.w), PART.y + Math.floor(i / PART.w)]
          return whole!.channels[channel]![y * 48 + x]!
        })
        expect(values).toEqual(expected)
      }
    }
  })

  it('is what strategies divide, on several workers', async () => {
    const options = ['--frames', '2', '--workers', '2', '--strategies', 'static-blocks,pbt,predictive']
    const into = join(folder, 'compared')
    const { code, stderr } = await sortfirst(['compare', 'corner', ...SIZE, '--out', into, ...options, ...words(PART)])
    expect(code, stderr).toBe(0)
    const all = await run('render', 'uncompared', ['--frames', '2', '--integrator', 'ambient', '--camera', 'orbit'])
    for (const strategy of ['static-blocks', 'pbt', 'predictive'])
      for (const frame of ['0000.png', '0001.png'])
        expect(await pixelsOf(join(into, strategy, frame))).toEqual(await pixelsOf(join(all, frame), PART))
  })

  it('is what a program asks for, too', async () => {
    const cluster = await startCluster({ workers: 1 })
    try {
      const shared = { size: [48, 32], cluster } as const
      const [all, some] = [await firstOf(shared), await firstOf({ ...shared, region: PART })]
      expect(some.size).toEqual([PART.w, PART.h])
      const expected = Array.from({ length: PART.h }, (_, row) => {
        const from = ((PART.y + row) * 48 + PART.x) * 3
        return [...all.pixels.subarray(from, from + PART.w * 3)]
      })
      expect([...some.pixels]).toEqual(expected.flat())
      await expect(firstOf({ ...shared, region: { x: 40, y: 0, w: 9, h: 1 } })).rejects.toThrow(
        'render: region: expected one inside the frame of 48x32 px, got 40,0,9,1',
      )
    } finally {
      await cluster.close()
    }
  })

  it('of a film that is resumed is the same', async () => {
    const into = await run('render', 'resumed', ['--frames', '1', ...words(PART)])
    const again = (part: readonly string[]) =>
      sortfirst(['render', 'corner', ...SIZE, '--out', into, '--frames', '1', '--resume', ...part, ...lent()])
    expect((await again(words(PART))).stderr).toContain('1 of 1 frame is complete already')
    for (const part of [words({ ...PART, x: 28 }), []]) {
      const { code, stderr } = await again(part)
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('expected the region of the existing frames, {"x":27,'),
      ])
    }
  })

  it('is that of a tile that is traced alone', async () => {
    const all = await run('render', 'untiled', ['--frames', '1'])
    const file = join(folder, 'tile.png')
    const tile = ['--frame', '0', '--rect', '2,3,8,6', '--out', file]
    const { code, stderr } = await sortfirst(['tile', 'corner', ...SIZE, ...tile, ...words(PART)])
    expect(code, stderr).toBe(0)
    expect(await pixelsOf(file)).toEqual(await pixelsOf(join(all, '0000.png'), { x: 29, y: 16, w: 8, h: 6 }))
  })

  it.each([
    ['40,0,9,32', 'one inside the frame of 48x32 px, got 40,0,9,32'],
    ['0,0,0,8', "each side at least 1, such as 320,180,640,360, got '0,0,0,8'"],
    ['1.5,0,8,8', "got '1.5,0,8,8'"],
    ['-1,0,8,8', "got '-1,0,8,8'"],
    ['1,2,3', "got '1,2,3'"],
    ['all', "got 'all'"],
  ])('%s is refused in a sentence', async (region, says) => {
    const { code, stderr } = await sortfirst(['render', 'corner', ...SIZE, `--region=${region}`])
    expect(code).toBe(2)
    expect(saidIn(stderr)).toEqual([expect.stringContaining(says)])
    expect(stderr).toContain('--region')
  })
})
