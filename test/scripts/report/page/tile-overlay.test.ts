import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { labelsSvg } from '../../../../scripts/report/page/overlay-labels.ts'
import { type OverlayTile, type Picture, tileOverlay } from '../../../../scripts/report/page/tile-overlay.ts'
import { workerColors } from '../../../../shared/dashboard/worker-colors.ts'
import type { Rect } from '../../../../shared/frame/rect.ts'
import { WEIRD_WORKER } from '../summaries.ts'
import { manyWorkers, picture, sizePx, strategyRun, workersNamed } from '../synthetic-run.ts'

const [width, height] = sizePx
const frame: Picture = { pixels: picture(0), width, height }

async function decode(
  png: Buffer,
): Promise<{ at(x: number, y: number): number[]; width: number; height: number; channels: number }> {
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true })
  return { ...info, at: (x, y) => [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)] }
}

const tilesOf = (count: number): readonly OverlayTile[] =>
  strategyRun('pbt', 'by-cost', manyWorkers(count), 2).reports[1]!.tiles

describe.each([1, 8, 64])('%i workers', count => {
  test('the picture keeps its size, and borders have their worker’s colour', async () => {
    const workers = manyWorkers(count)
    const tiles = tilesOf(count)
    const overlay = await decode(await tileOverlay(frame, tiles, workers))
    expect([overlay.width, overlay.height, overlay.channels]).toEqual([width, height, 3])
    const colors = workerColors(workers.map(worker => worker.id))
    for (const { rect, worker } of tiles) {
      // Labels hang from the top left corner, one border in: the borders themselves stay free.
      const corners = [
        [rect.x, rect.y],
        [rect.x + rect.w - 1, rect.y],
        [rect.x, rect.y + rect.h - 1],
        [rect.x + rect.w - 1, rect.y + rect.h - 1],
      ] as const
      for (const [x, y] of corners) expect(overlay.at(x, y)).toEqual([...colors.get(worker)!])
    }
  })
})

test('the inside is tinted towards the worker’s colour, the given pixels are left alone', async () => {
  const pixels = new Uint8Array(120 * 90 * 3).fill(100)
  const rect = { x: 0, y: 0, w: 120, h: 90 }
  const overlay = await decode(
    await tileOverlay({ pixels, width: 120, height: 90 }, [{ rect, worker: 'a', cpuMs: 1 }], []),
  )
  const color = workerColors(['a']).get('a')!
  expect(overlay.at(60, 80)).toEqual(color.map(channel => Math.round(100 + (channel - 100) * 0.2)))
  expect(pixels.every(channel => channel === 100)).toBe(true)
})

describe('patterns', () => {
  const picture = { pixels: new Uint8Array(64 * 32 * 3).fill(100), width: 64, height: 32 }
  const rect = { x: 0, y: 0, w: 64, h: 32 }
  const grid = { cellW: 16, cellH: 16, columns: 4 } as const
  const style = { tint: 0.2 }

  test('are cells in their owner’s colour, edged where owners meet, without a label', async () => {
    const tiles: OverlayTile[] = [
      { rect, worker: 'a', cpuMs: 1, pattern: { kind: 'cells', ...grid, cells: [0, 1, 5] } },
      { rect, worker: 'b', cpuMs: 1, pattern: { kind: 'cells', ...grid, cells: [2, 3, 4, 6, 7] } },
    ]
    const { at } = await decode(await tileOverlay(picture, tiles, [], style))
    expect(at(8, 8)).toEqual(at(24, 8))
    expect(at(8, 8)).not.toEqual(at(40, 8))
    // Between cells of one owner nothing is drawn; between two owners there is an edge.
    expect(at(16, 8)).toEqual(at(8, 8))
    expect(at(32, 8)).not.toEqual(at(40, 8))
    expect(at(4, 4)).toEqual(at(8, 8))
  })

  test('of single pixels have no edges', async () => {
    const strided = { kind: 'strided', cellW: 1, cellH: 1, columns: 64, stride: 2 } as const
    const tiles = [0, 1].map(phase => ({ rect, worker: `w${phase}`, cpuMs: 1, pattern: { ...strided, phase } }))
    const { at } = await decode(await tileOverlay(picture, tiles, [], style))
    expect(at(10, 10)).toEqual(at(12, 20))
    expect(at(10, 10)).not.toEqual(at(11, 10))
  })

  test('of a probe do not hide the tiles that were cut after it', async () => {
    const lattice = { stepX: 8, stepY: 8, dx: 4, dy: 4 }
    const cut: OverlayTile[] = [{ rect, worker: 'a', cpuMs: 5, pattern: { kind: 'gaps', ...lattice } }]
    const probe: OverlayTile[] = [{ rect, worker: 'b', cpuMs: 1, pattern: { kind: 'lattice', ...lattice } }]
    const whole: OverlayTile[] = [{ rect, worker: 'a', cpuMs: 5 }]
    const workers = workersNamed(['a', 'b']).map(({ name }) => ({ id: name, name }))
    expect(await tileOverlay(picture, [...probe, ...cut], workers)).toEqual(await tileOverlay(picture, whole, workers))
  })

  test('can do without labels, and without a picture', async () => {
    const tile = { rect, worker: 'a', cpuMs: 1 }
    const bare = await tileOverlay({ width: 64, height: 32 }, [tile], [])
    expect((await sharp(bare).metadata()).width).toBe(64)
    const big = { pixels: new Uint8Array(400 * 300 * 3), width: 400, height: 300 }
    const whole = { rect: { x: 0, y: 0, w: 400, h: 300 }, worker: 'a', cpuMs: 1 }
    expect(await tileOverlay(big, [whole], [])).not.toEqual(await tileOverlay(big, [whole], [], { labels: false }))
  })
})

test('tiles of single pixels and rows are tinted without border or label', async () => {
  const tiles = Array.from({ length: 40 }, (_, y) => ({
    rect: { x: 0, y, w: 64, h: 1 },
    worker: `w${y % 3}`,
    cpuMs: 1,
  }))
  const overlay = await decode(
    await tileOverlay({ pixels: new Uint8Array(64 * 40 * 3), width: 64, height: 40 }, tiles, []),
  )
  expect(overlay.at(0, 0)).toEqual(overlay.at(63, 0))
  expect(overlay.at(5, 0)).not.toEqual(overlay.at(5, 1))
  expect(overlay.at(5, 0)).toEqual(overlay.at(5, 3))
})

test('a worker’s name is drawn as text whatever it is', async () => {
  const workers = workersNamed([WEIRD_WORKER])
  const rect = { x: 0, y: 0, w: width, h: height }
  const png = await tileOverlay(frame, [{ rect, worker: 'id-0', cpuMs: 12 }], workers)
  expect((await sharp(png).metadata()).width).toBe(width)
})

describe('labels', () => {
  const platesOf = (rects: readonly Rect[], name = 'worker-12'): { rect: Rect; plates: Rect[] }[] =>
    rects.map(rect => {
      const svg = labelsSvg([{ rect, name, cpuMs: 41.25, color: '#ff0000' }], 2000, 1200, 2) ?? ''
      const plates = [...svg.matchAll(/<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/g)]
      return {
        rect,
        plates: plates.map(([, x, y, w, h]) => ({ x: Number(x), y: Number(y), w: Number(w), h: Number(h) })),
      }
    })

  test('stay inside their tile, at every size', () => {
    const sizes = [4, 12, 20, 33, 47, 60, 75, 90, 120, 180, 260, 500]
    const rects = sizes.flatMap(w => sizes.map(h => ({ x: 7, y: 11, w, h })))
    for (const name of ['w3', 'worker-12', 'render-node-with-a-long-name.example']) {
      for (const { rect, plates } of platesOf(rects, name)) {
        for (const plate of plates) {
          expect(plate.x + plate.w, `${name} in ${rect.w}x${rect.h}`).toBeLessThanOrEqual(rect.x + rect.w - 2)
          expect(plate.y + plate.h, `${name} in ${rect.w}x${rect.h}`).toBeLessThanOrEqual(rect.y + rect.h - 2)
        }
      }
    }
  })

  test('are there where there is room, and left out where there is none', () => {
    expect(platesOf([{ x: 0, y: 0, w: 300, h: 200 }])[0]!.plates).toHaveLength(2)
    expect(platesOf([{ x: 0, y: 0, w: 14, h: 200 }])[0]!.plates).toHaveLength(0)
    expect(labelsSvg([], 100, 100, 1)).toBeUndefined()
  })

  test('name the worker and its time', () => {
    const svg = labelsSvg(
      [{ rect: { x: 0, y: 0, w: 400, h: 300 }, name: 'w3', cpuMs: 41.25, color: '#f00' }],
      400,
      300,
      2,
    )!
    expect(svg).toContain('w3')
    expect(svg).toContain('41.3 ms')
  })
})
