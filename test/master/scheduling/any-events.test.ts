/** A frame's schedule under any sequence of events. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Plan, PlannedTile } from '../../../master/strategies/strategy.ts'
import { areaId, leaseId } from '../../../shared/ids.ts'
import { times } from '../../support/nightly.ts'
import { partitionOf } from '../../support/partition.ts'
import { ready } from '../../support/schedules.ts'
import { ToyWorkers } from '../../support/toy-workers.ts'

const size = [64, 48] as const
const everyone = ['a', 'b', 'c', 'd'].map(areaId)

const KINDS = [
  'done',
  'part',
  'failed',
  'lost',
  'leave',
  'join',
  'return',
  'aside',
  'ready',
  'tick',
  'hang',
  'stray',
  'early',
  'quiet',
] as const

interface Command {
  readonly kind: (typeof KINDS)[number]
  readonly which: number
  readonly wait: number
}

const anyCommand = (failures: number): fc.Arbitrary<Command> =>
  fc.record({
    kind: fc.oneof(
      ...KINDS.map(kind => ({
        weight:
          kind === 'failed'
            ? failures
            : {
                done: 6,
                part: 4,
                tick: 6,
                hang: 1,
                join: 1,
                return: 1,
                aside: 1,
                ready: 1,
                lost: 1,
                leave: 1,
                stray: 1,
                early: 1,
                quiet: 2,
              }[kind],
        arbitrary: fc.constant(kind),
      })),
    ),
    which: fc.nat(20),
    wait: fc.constantFrom(1, 10, 300, 700, 5000),
  })

interface Frame {
  readonly plan: Plan
  readonly commands: readonly Command[]
}

const anyPlan = fc
  .record({
    rects: partitionOf(size, 12),
    owned: fc.boolean(),
    stealing: fc.constantFrom(undefined, 'tiles' as const, 'rows' as const),
    duplicates: fc.boolean(),
    ahead: fc.constantFrom(undefined, 0, 1, 3),
  })
  .map(({ rects, owned, stealing, duplicates, ahead }): Plan => {
    const tiles = rects.map((rect, i): PlannedTile => ({ rect, ...(owned ? { worker: everyone[i % 4]! } : {}) }))
    return {
      tiles,
      ...(stealing ? { stealing } : {}),
      ...(duplicates ? { duplicates } : {}),
      ...(ahead === undefined ? {} : { ahead }),
    }
  })

const anyFrame = (failures: number): fc.Arbitrary<Frame> =>
  fc.record({ plan: anyPlan, commands: fc.array(anyCommand(failures), { maxLength: 60 }) })

function play({ plan, commands }: Frame): ToyWorkers {
  const workers = new ToyWorkers(
    size,
    plan,
    everyone.map((id, i) => ({ id, speed: i === 3 ? 0.3 : 1 })),
  )
  for (const { kind, which, wait } of commands) {
    workers.now += wait
    const worker = everyone[which % 4]!
    const able = [...workers.held.values()].filter(lease => !workers.hung.has(lease.worker))
    const lease = able[which % Math.max(1, able.length)]
    if (kind === 'tick') workers.wait(0)
    else if (kind === 'lost') workers.tell({ type: 'area-lost', area: worker })
    else if (kind === 'leave') workers.leave(worker, which)
    else if (kind === 'join') workers.join()
    else if (kind === 'return') workers.return(worker)
    else if (kind === 'aside') workers.tell({ type: 'area-quarantined', area: worker })
    else if (kind === 'ready' && workers.quarantined.has(worker) && !workers.left.has(worker))
      workers.tell(ready(worker))
    else if (kind === 'hang') workers.hung.add(worker)
    else if (kind === 'stray')
      workers.tell({ type: 'tile-done', area: worker, lease: leaseId(1000 + which), from: 0, to: 1, more: false })
    else if (kind === 'early') workers.tell({ type: 'tile-progress', area: worker, lease: leaseId(1000 + which) })
    else if (kind === 'quiet') workers.quiet(everyone.filter((_, i) => (which >> i) & 1))
    else if (!lease) continue
    else if (kind === 'failed')
      workers.tell({ type: 'tile-failed', area: lease.worker, lease: lease.id, reason: 'no light' })
    else workers.answer(lease, kind === 'part' ? 1 + (which % 7) : undefined)
  }
  return workers
}

describe('under any sequence of events', () => {
  it('loses no pixel, accepts none twice, keeps copies to two, and ends', () => {
    fc.assert(
      fc.property(anyFrame(0), frame => {
        const workers = play(frame)
        workers.finish()
        expect(workers.outcome).toBe('complete')
      }),
      { numRuns: times(200) },
    )
  })

  it('tries failed pixels elsewhere first, and gives a frame up by the rule only', () => {
    fc.assert(
      fc.property(anyFrame(4), frame => play(frame).finish()),
      { numRuns: times(200) },
    )
  })

  it('comes to rest when all have left', () => {
    fc.assert(
      fc.property(anyFrame(1), frame => {
        const workers = play(frame)
        for (const worker of [...workers.schedule.live, ...everyone]) workers.tell({ type: 'area-lost', area: worker })
        if (workers.outcome !== 'failed') expect([...workers.schedule.open()]).toEqual([])
        if (!workers.outcome) expect(workers.schedule.live.size).toBe(0)
        workers.now += 1e6
        expect(workers.schedule.happened({ type: 'tick' }, workers.now)).toEqual([])
      }),
      { numRuns: times(70) },
    )
  })
})
