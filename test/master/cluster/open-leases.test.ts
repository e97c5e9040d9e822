import { describe, expect, it } from 'vitest'
import { OpenLeases, type TileRequest } from '../../../master/cluster/open-leases.ts'
import { leaseId } from '../../../shared/ids.ts'
import type { TileDone } from '../../../shared/protocol/codec.ts'
import { ProtocolError } from '../../../shared/protocol/protocol-error.ts'
import { MAX_PLANES_BYTES, WORKS_HELD } from '../../../shared/protocol/version.ts'
import { holding } from '../../support/lease-holder.ts'
import { smallCamera } from '../../support/small-scene.ts'

const request: TileRequest = {
  lease: leaseId(500),
  work: 3,
  scene: 'ab'.repeat(32),
  view: {
    frame: 0,
    size: [64, 48],
    camera: smallCamera(0),
    quality: { samples: 1, ambientRays: 1, maxDepth: 1 },
    exposure: 1,
  },
  rect: { x: 8, y: 4, w: 10, h: 6 },
}
const answer = (change: Partial<TileDone>): TileDone => ({
  kind: 'tile-done',
  lease: 0,
  rect: request.rect,
  encoding: 'raw',
  rawBytes: 180,
  times: { waitMs: 0, wallMs: 1, cpuMs: 1, encodeMs: 0 },
  body: new Uint8Array(180),
  ...change,
})
const { times } = answer({})

describe('an answer', () => {
  it.each<[string, Partial<TileDone>, Partial<TileRequest>, string]>([
    ['of other rows', { rect: { ...request.rect, y: 5, h: 5 } }, {}, 'expected its rows from 4, got 8,5 10x5'],
    ['of more rows', { rect: { ...request.rect, h: 7 }, rawBytes: 210 }, {}, 'expected its rows from 4, got 8,4 10x7'],
    ['of other columns', { rect: { ...request.rect, w: 9 } }, {}, 'expected its rows from 4, got 8,4 9x6'],
    ['of too many bytes', { rawBytes: 0xffffffff }, {}, 'expected 180 bytes of pixels, got 4294967295'],
    ['of too few bytes', { rect: { ...request.rect, h: 5 } }, {}, 'expected 150 bytes of pixels, got 180'],
    ['in another channel', {}, { channels: ['light'] }, 'expected 1440 bytes of pixels, got 180'],
    [
      'with pixels that a pattern leaves out',
      {},
      { pattern: { kind: 'lattice', stepX: 4, stepY: 4, dx: 0, dy: 0 } },
      'expected 18 bytes of pixels, got 180',
    ],
    [
      'with word of more after its last row',
      { times: { ...times, more: true } },
      {},
      'expected no more rows after its last',
    ],
    ['with costs that nobody asked for', { cells: new Uint8Array(9) }, {}, 'cell costs that were not requested'],
  ])('is refused by its header %s', (_, change, order, reason) => {
    const leases = new OpenLeases()
    leases.order(0, { ...request, ...order }, holding())
    expect(() => leases.answered(answer(change))).toThrow(ProtocolError)
    const again = new OpenLeases()
    again.order(0, { ...request, ...order }, holding())
    expect(() => again.answered(answer(change))).toThrow(reason)
  })

  it('is for its lease until the last part of it came, and counted when it is late', () => {
    const leases = new OpenLeases()
    leases.order(0, { ...request, part: 4 }, holding())
    const [first, second] = [
      { ...request.rect, h: 4 },
      { ...request.rect, y: 8, h: 2 },
    ]
    const parts = [
      answer({ rect: first, rawBytes: 120, times: { ...times, more: true } }),
      answer({ rect: second, rawBytes: 60 }),
    ]
    expect(parts.map(part => leases.answered(part)?.request.lease)).toEqual([request.lease, request.lease])
    expect(leases.late).toBe(0)
    expect(leases.answered(parts[1]!)).toBeUndefined()
    expect(leases.answered(answer({ lease: 77 }))).toBeUndefined()
    expect(leases.late).toBe(2)
  })

  it('to a lease that was given up is late, also where a lease after it has the same rows', () => {
    const leases = new OpenLeases()
    const first = leases.order(0, request, holding())
    leases.close(first.lease)
    const second = leases.order(0, { ...request, work: 4 }, holding())
    expect(second.lease).not.toBe(first.lease)
    expect(leases.answered(answer({ lease: first.lease }))).toBeUndefined()
    expect(leases.answered(answer({ lease: second.lease }))?.request.work).toBe(4)
  })
})

describe('an order', () => {
  const orderOf = (leases: OpenLeases, work: number, lease: number) =>
    leases.order(0, { ...request, work, lease: leaseId(lease) }, holding())

  it('brings the view of a work along once, and again after the worker has forgotten it', () => {
    const leases = new OpenLeases()
    const views = [0, 1, 2].map(lease => orderOf(leases, 3, lease).view)
    expect(views).toEqual([{ scene: request.scene, view: request.view }, undefined, undefined])
    for (let work = 4; work < 3 + WORKS_HELD; work++) expect(orderOf(leases, work, work + 100).view).toBeDefined()
    expect(orderOf(leases, 3, 7).view).toBeUndefined()
    expect(orderOf(leases, 100, 8).view).toBeDefined()
    expect(orderOf(leases, 3, 9).view).toBeDefined()
  })

  it('of a lease that is open already is a bug', () => {
    const leases = new OpenLeases()
    leases.order(0, request, holding())
    expect(() => leases.order(0, request, holding())).toThrow('lease 500 was ordered twice')
  })

  it('is forgotten with its work', () => {
    const leases = new OpenLeases()
    orderOf(leases, 3, 1)
    orderOf(leases, 4, 2)
    expect(leases.closeWork(3)).toBe(true)
    expect(leases.closeWork(3)).toBe(false)
    expect([leases.numberOf(leaseId(1)), leases.numberOf(leaseId(2))]).toEqual([undefined, 1])
    expect(orderOf(leases, 3, 3).view).toBeDefined()
  })
})

it('know the longest answer that may come, of leases that are closed, too', () => {
  const leases = new OpenLeases()
  expect(leases.mostBytes).toBe(0)
  leases.order(0, request, holding())
  leases.close(0)
  expect(leases.mostBytes).toBe(10 * 6 * 3)
  leases.order(0, { ...request, lease: leaseId(501), channels: ['light'] }, holding())
  leases.order(0, { ...request, lease: leaseId(502), rect: { x: 0, y: 0, w: 1, h: 1 } }, holding())
  expect(leases.mostBytes).toBe(10 * 6 * 24)
  leases.order(0, { ...request, lease: leaseId(503), rect: { x: 0, y: 0, w: 16384, h: 16384 } }, holding())
  expect(leases.mostBytes).toBe(MAX_PLANES_BYTES)
})
