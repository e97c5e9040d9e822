import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Action,
  beginFrame,
  type ClusterEvent,
  DEFAULT_LIMITS,
  type SchedulerState,
  type Step,
  step,
} from '../../../master/scheduling/scheduler.ts'
import type { PlannedTile } from '../../../master/strategies/strategy.ts'
import { type LeaseId, leaseId, type WorkerId, workerId } from '../../../shared/ids.ts'
import type { Rect } from '../../../shared/rect.ts'
import { expectPartition, partitionOf } from '../../support/partition.ts'

const [a, b, c] = ['a', 'b', 'c'].map(workerId) as [WorkerId, WorkerId, WorkerId]
const left: Rect = { x: 0, y: 0, w: 50, h: 40 }
const right: Rect = { x: 50, y: 0, w: 50, h: 40 }

const traces = (actions: readonly Action[]) => actions.filter(action => action.type === 'trace')
const types = (actions: readonly Action[]) => actions.map(action => action.type)

describe('a frame without trouble', () => {
  it('leases every planned tile to its worker and ends with the last one', () => {
    const begun = beginFrame(
      [
        { rect: left, worker: a },
        { rect: right, worker: b },
      ],
      [a, b],
      7,
      0,
    )
    expect(traces(begun.actions)).toEqual([
      { type: 'trace', worker: a, lease: 7, rect: left },
      { type: 'trace', worker: b, lease: 8, rect: right },
    ])
    const first = step(begun.state, { type: 'tile-done', worker: b, lease: leaseId(8) }, 100)
    expect(types(first.actions)).toEqual(['accept'])
    const second = step(first.state, { type: 'tile-done', worker: a, lease: leaseId(7) }, 120)
    expect(types(second.actions)).toEqual(['accept', 'frame-complete'])
    expect(second.state).toMatchObject({ status: 'complete', rescued: 0, nextLease: 9 })
  })

  it('keeps a second tile on its way to a worker with several, and gives unowned ones to the idle', () => {
    const column = (x: number, worker?: WorkerId): PlannedTile => ({
      rect: { x, y: 0, w: 10, h: 8 },
      ...(worker ? { worker } : {}),
    })
    const begun = beginFrame([column(0, a), column(10, a), column(20, a), column(30)], [a, b], 0, 0)
    expect(traces(begun.actions).map(({ worker, rect }) => [worker, rect.x])).toEqual([
      [a, 0],
      [b, 30],
      [a, 10],
    ])
    const next = step(begun.state, { type: 'tile-done', worker: a, lease: leaseId(0) }, 5)
    expect(traces(next.actions).map(({ worker, rect }) => [worker, rect.x])).toEqual([[a, 20]])
  })

  it('drops a tile of a lease that it never gave, or gave to somebody else', () => {
    const begun = beginFrame([{ rect: left, worker: a }], [a, b], 0, 0)
    expect(types(step(begun.state, { type: 'tile-done', worker: a, lease: leaseId(99) }, 1).actions)).toEqual(['drop'])
    expect(types(step(begun.state, { type: 'tile-done', worker: b, lease: leaseId(0) }, 1).actions)).toEqual(['drop'])
  })
})

describe('a frame with trouble', () => {
  it('shares the tile of a lost worker between the others', () => {
    const begun = beginFrame(
      [
        { rect: left, worker: a },
        { rect: right, worker: b },
        { rect: { ...right, x: 100 }, worker: c },
      ],
      [a, b, c],
      0,
      0,
    )
    const idle = step(
      step(begun.state, { type: 'tile-done', worker: b, lease: leaseId(1) }, 5).state,
      { type: 'tile-done', worker: c, lease: leaseId(2) },
      6,
    )
    const lost = step(idle.state, { type: 'worker-lost', worker: a }, 10)
    const rescue = traces(lost.actions)
    expect(rescue.map(({ worker }) => worker)).toEqual([b, c])
    expectPartition(
      rescue.map(({ rect }) => rect),
      [50, 40],
    )
    expect(lost.state.rescued).toBe(1)
    const straggler = step(lost.state, { type: 'tile-done', worker: a, lease: leaseId(0) }, 11)
    expect(types(straggler.actions)).toEqual(['drop'])
  })

  it('waits for a worker when all are gone, and takes the first that comes', () => {
    const begun = beginFrame([{ rect: left, worker: a }], [a], 0, 0)
    const alone = step(begun.state, { type: 'worker-lost', worker: a }, 1)
    expect(alone.actions).toEqual([])
    const back = step(alone.state, { type: 'worker-ready', worker: b }, 2)
    expect(traces(back.actions)).toMatchObject([{ worker: b, rect: left }])
  })

  it('lets everyone help who comes after all had gone', () => {
    const plan = [left, right].map(rect => ({ rect, worker: a }))
    const alone = step(beginFrame(plan, [a], 0, 0).state, { type: 'worker-lost', worker: a }, 1)
    const first = step(alone.state, { type: 'worker-ready', worker: b }, 2)
    const second = step(first.state, { type: 'worker-ready', worker: c }, 3)
    expect([...traces(first.actions), ...traces(second.actions)].map(({ worker }) => worker)).toEqual([b, c])
  })

  it('does not use a worker that joins while others are at work', () => {
    const begun = beginFrame([{ rect: left, worker: a }], [a], 0, 0)
    expect(step(begun.state, { type: 'worker-ready', worker: b }, 1)).toEqual({ state: begun.state, actions: [] })
  })

  it('takes a tile back from a worker that is far too late, once another is idle', () => {
    const begun = beginFrame(
      [
        { rect: left, worker: a },
        { rect: right, worker: b },
      ],
      [a, b],
      0,
      0,
    )
    const half = step(begun.state, { type: 'tile-done', worker: b, lease: leaseId(1) }, 6000)
    expect(step(half.state, { type: 'tick' }, 23_000).actions).toEqual([])
    const late = step(half.state, { type: 'tick' }, 24_001)
    expect(types(late.actions)).toEqual(['cancel', 'trace'])
    expect(traces(late.actions)[0]).toMatchObject({ worker: b, rect: left })
    // Nobody is idle any more, so the second tile stays where it is however long it takes.
    expect(step(late.state, { type: 'tick' }, 1e9).actions).toEqual([])
  })

  it('tries a failing tile again, and gives the frame up at the third failure', () => {
    const { maxFailures } = DEFAULT_LIMITS
    let current: Step = beginFrame([{ rect: left, worker: a }], [a, b], 0, 0)
    for (let failure = 1; failure <= maxFailures; failure++) {
      const [order] = traces(current.actions)
      expect(order).toMatchObject({ rect: left })
      current = step(
        current.state,
        { type: 'tile-failed', worker: order!.worker, lease: order!.lease, reason: 'bad luck' },
        failure,
      )
    }
    expect(current.actions).toMatchObject([
      { type: 'frame-failed', reason: expect.stringContaining('tile 0,0 50x40 failed 3 times, last on') },
    ])
    expect(current.state.status).toBe('failed')
  })
})

describe('under any sequence of events', () => {
  type Command = { kind: 'done' | 'failed' | 'lost' | 'ready' | 'tick' | 'stray'; which: number; wait: number }
  const anyCommand: fc.Arbitrary<Command> = fc.record({
    kind: fc.constantFrom('done', 'done', 'done', 'lost', 'ready', 'tick', 'failed', 'stray'),
    which: fc.nat(20),
    wait: fc.constantFrom(1, 10, 500, 20_000, 100_000),
  })
  const size = [64, 48] as const

  it('loses no pixel, accepts none twice, and ends as soon as workers stay', () => {
    fc.assert(
      fc.property(
        partitionOf(size, 9),
        fc.array(anyCommand, { maxLength: 60 }),
        fc.boolean(),
        (rects, commands, owned) => {
          const everyone = [a, b, c]
          const plan = rects.map((rect, i): PlannedTile => ({ rect, ...(owned ? { worker: everyone[i % 3]! } : {}) }))
          const open = new Map<LeaseId, { worker: WorkerId; rect: Rect }>()
          const accepted: Rect[] = []
          let now = 0
          let ended = 0
          const limits = { ...DEFAULT_LIMITS, maxFailures: 1000 }
          let state: SchedulerState
          const take = (result: Step) => {
            state = result.state
            for (const action of result.actions) {
              if (action.type === 'trace') open.set(action.lease, action)
              if (action.type === 'cancel') open.delete(action.lease)
              if (action.type === 'accept') {
                const lease = open.get(action.lease)
                expect(lease).toBeDefined()
                accepted.push(lease!.rect)
                open.delete(action.lease)
              }
              if (action.type === 'frame-complete') ended++
            }
            for (const worker of everyone)
              expect([...state.leases.values()].filter(lease => lease.worker === worker).length).toBeLessThanOrEqual(
                limits.leasesPerWorker,
              )
          }
          const happen = (event: ClusterEvent) => {
            if (event.type === 'tile-failed') open.delete(event.lease)
            if (event.type === 'worker-lost')
              for (const [lease, { worker }] of open) if (worker === event.worker) open.delete(lease)
            take(step(state, event, now))
          }
          take(beginFrame(plan, everyone, 0, now, limits))
          for (const { kind, which, wait } of commands) {
            now += wait
            const worker = everyone[which % 3]!
            const [lease, held] = [...open][which % Math.max(1, open.size)] ?? []
            if (kind === 'tick') happen({ type: 'tick' })
            else if (kind === 'lost') happen({ type: 'worker-lost', worker })
            else if (kind === 'ready') happen({ type: 'worker-ready', worker })
            else if (kind === 'stray') happen({ type: 'tile-done', worker, lease: leaseId(1000 + which) })
            else if (lease !== undefined && held && kind === 'done')
              happen({ type: 'tile-done', worker: held.worker, lease })
            else if (lease !== undefined && held)
              happen({ type: 'tile-failed', worker: held.worker, lease, reason: 'x' })
          }
          happen({ type: 'worker-ready', worker: a })
          for (let rounds = 0; ended === 0 && rounds < 500; rounds++) {
            const [lease, held] = [...open][0]!
            happen({ type: 'tile-done', worker: held.worker, lease })
          }
          expect(ended).toBe(1)
          expectPartition(accepted, size)
        },
      ),
      { numRuns: 300 },
    )
  })
})
