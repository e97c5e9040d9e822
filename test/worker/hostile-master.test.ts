/** A worker whose master asks for too much, or for what there is not: it fails the tile, or leaves, and has allocated nothing for it. */
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../shared/node/sha256.ts'
import type { FromWorker, ToWorker, TraceTile } from '../../shared/protocol/messages.ts'
import { MAX_OPEN_LEASES, MAX_USED_SCENES } from '../../shared/protocol/peer-limits.ts'
import { WORKS_HELD } from '../../shared/protocol/version.ts'
import { sceneName } from '../../shared/scene/manifest.ts'
import { held, orderOf, rect, scene, settle, startWorker, view } from './support/by-hand.ts'
import { viewOf } from './support/meshes.ts'

const huge = { ...viewOf([16384, 16384]), quality: { samples: 4, ambientRays: 1, maxDepth: 1 } }
const whole = { x: 0, y: 0, w: 16384, h: 16384 }
const small = { x: 0, y: 0, w: 4, h: 4 }
const hugeOrder = (change: Partial<TraceTile>): TraceTile =>
  orderOf({ lease: 1, view: { scene, view: huge }, rect: small, ...change })
const later = ({ view: _, ...rest }: TraceTile): TraceTile => rest

const failed = (lease: number, reason: unknown) => ({ type: 'tile-failed', lease, reason }) as FromWorker

/** What its master orders, how it answers, and how many tiles are traced. */
const FAILED: Readonly<Record<string, readonly [readonly ToWorker[], FromWorker[], number?]>> = {
  'of more pixels than any may have': [
    [hugeOrder({ rect: whole })],
    [failed(1, 'tile 0,0 16384x16384: expected at most 67108864 bytes of pixels, got 805306368')],
  ],
  'of more light than any may have': [
    [hugeOrder({ rect: { ...whole, h: 512 }, channels: ['light'] })],
    [failed(1, expect.stringContaining('expected at most 67108864 bytes'))],
  ],
  'of no samples': [[hugeOrder({ samples: { from: 2, to: 2 } })], [failed(1, 'tile 0,0 4x4: samples 2 to 2 of 4')]],
  'of samples that there are not': [
    [hugeOrder({ samples: { from: 0, to: 5 } })],
    [failed(1, 'tile 0,0 4x4: samples 0 to 5 of 4')],
  ],
  'beyond the frame': [
    [orderOf({ rect: { ...rect, x: 45 } })],
    [failed(7, 'tile 45,5 20x12 lies outside frame 64x48')],
  ],
  'of another scene': [
    [orderOf({ view: { scene: 'ab'.repeat(32), view } })],
    [failed(7, 'scene abababababab is not held here')],
  ],
  'of an area that it has not': [[orderOf({ area: 2 })], [failed(7, 'this worker has no area 3')]],
  'of a work whose view is not known any more': [
    [
      ...Array.from({ length: WORKS_HELD + 1 }, (_, work) => orderOf({ lease: work, work })),
      later(orderOf({ lease: 101, work: 0 })),
    ],
    [failed(101, 'work 0 is not known here')],
    WORKS_HELD + 1,
  ],
  'none, of few enough pixels of a large rectangle': [
    [hugeOrder({ rect: whole, pattern: { kind: 'lattice', stepX: 64, stepY: 64, dx: 0, dy: 0 } })],
    [],
    1,
  ],
}

describe('it fails a tile', () => {
  it.each(Object.entries(FAILED))('%s', async (_, [orders, answers, traced = 0]) => {
    const { pool, said, order, ends } = await startWorker()
    await order(...orders)
    expect(said).toEqual(answers)
    expect([pool.asked.length, ends]).toEqual([traced, []])
  })
})

/** The same scene in another look. */
function useAnother(i: number): ToWorker {
  const [look, ...others] = held.manifest.parts
  const manifest = { parts: [{ ...look!, sha256: sha256(Uint8Array.of(i, i >> 8)), bytes: 1 }, ...others] }
  return { type: 'use-scene', scene: sceneName(manifest, sha256), manifest }
}
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

/** What its master orders, the reason for which it leaves, and how many tiles are traced. */
const LEFT: Readonly<Record<string, readonly [readonly ToWorker[], string, number]>> = {
  'a lease twice': [many(2, () => orderOf({ lease: 1 })), 'lease 1 was ordered twice', 1],
  'more tiles than it takes answers of': [
    many(MAX_OPEN_LEASES + 1, lease => orderOf({ lease })),
    `expected at most ${MAX_OPEN_LEASES} at a time`,
    MAX_OPEN_LEASES,
  ],
  'scene after scene': [many(MAX_USED_SCENES + 1, useAnother), `expected at most ${MAX_USED_SCENES} in use`, 0],
}

describe('it leaves a master that orders', () => {
  it.each(Object.entries(LEFT))('%s', async (_, [orders, reason, traced]) => {
    const { pool, order, ends } = await startWorker()
    await order(...orders)
    while (ends.length === 0) await settle()
    expect(ends).toEqual([expect.stringContaining(reason)])
    expect(pool.asked.length).toBe(traced)
  })
})
