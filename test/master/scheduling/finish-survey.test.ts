/** Flat arrays that are renewed where something changes say the same as looking at every worker. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FinishForecast } from '../../../master/scheduling/finish-forecast.ts'
import { FinishSurvey } from '../../../master/scheduling/finish-survey.ts'
import { remaining, type TrackedLease, type TrackedWorker } from '../../../master/scheduling/tracked-workers.ts'
import { areaId, leaseId } from '../../../shared/ids.ts'

const MOST_HELD = 2
const TRIP_MS = 2

/** Looks at every worker anew. */
function naive(
  workers: readonly TrackedWorker[],
  forecast: FinishForecast,
  now: number,
  soonest: number,
  able: (worker: TrackedWorker) => boolean,
) {
  const all = workers.map(worker => ({ worker, finish: Math.max(soonest, forecast.finish(worker, now)) }))
  const isSpared = (worker: TrackedWorker) => worker.robbed && forecast.veryLateAt(worker) > now
  const takers = all.filter(({ worker }) => worker.leases.length < MOST_HELD && able(worker))
  const givers = all.filter(({ worker }) => worker.leases.length > 0 && !isSpared(worker))
  const speeds = workers.reduce((sum, { speed }) => sum + speed, 0)
  return {
    earliest: Math.min(...takers.map(({ finish }) => finish)),
    latest: Math.max(...givers.map(({ finish }) => finish)),
    end: all.reduce((sum, { worker, finish }) => sum + finish * worker.speed, 0) / speeds,
    awaiting: workers.some(({ pendingCost }) => pendingCost > 0),
    finishOf: new Map(all.map(({ worker, finish }) => [worker, finish])),
  }
}

const anyWorker = fc.record({
  speed: fc.constantFrom(0.5, 1, 8),
  since: fc.double({ min: 0, max: 100, noNaN: true }),
  costs: fc.array(fc.double({ min: 0, max: 50, noNaN: true }), { maxLength: 3 }),
  pendingShare: fc.constantFrom(0, 0, 0.7),
  robbed: fc.boolean(),
})
type AnyWorker = typeof anyWorker extends fc.Arbitrary<infer T> ? T : never

function tracked(number: number, { speed, since, costs, pendingShare, robbed }: AnyWorker): TrackedWorker {
  const leases: TrackedLease[] = []
  const worker = { id: areaId(`w${number}`), speed, isNewcomer: false, grain: undefined, leases, since, robbed }
  const whole = { ...worker, assignedCost: 0, pendingCost: 0 }
  for (const [i, cost] of costs.entries())
    leases.push({
      worker: whole,
      id: leaseId(10 * number + i),
      top: 0,
      bottom: 1,
      doneRow: 0,
      above: Float64Array.of(0, cost),
      factor: 1,
      batchRows: 1,
      pinned: false,
    })
  whole.assignedCost = remaining(whole)
  whole.pendingCost = pendingShare * (costs[0] ?? 0)
  return whole
}

const isNear = (a: number, b: number) => a === b || Math.abs(a - b) < 1e-9 * Math.abs(a + b)

it('agrees with looking at every worker, whoever comes, changes and goes', () => {
  fc.assert(
    fc.property(
      fc.array(anyWorker, { minLength: 1, maxLength: 40 }),
      fc.array(fc.record({ which: fc.nat(39), worker: fc.option(anyWorker), now: fc.nat(200) }), { maxLength: 20 }),
      fc.nat(6),
      (first, changes, unable) => {
        const forecast = new FinishForecast(TRIP_MS)
        forecast.took(10, 12)
        forecast.took(10, 8)
        const survey = new FinishSurvey(forecast, MOST_HELD)
        const workers = first.map((worker, i) => tracked(i, worker))
        for (const worker of workers) survey.update(worker)
        for (const { which, worker: changed, now } of changes) {
          const worker = workers[which % workers.length]!
          if (changed) {
            const { since, robbed, leases, assignedCost, pendingCost } = tracked(which, { ...changed, speed: 1 })
            Object.assign(worker, { since, robbed, leases, assignedCost, pendingCost })
            survey.update(worker)
          } else if (workers.length > 1) {
            survey.remove(worker)
            workers.splice(workers.indexOf(worker), 1)
          }
          const able = ({ id }: TrackedWorker) => id !== `w${unable}`
          const [seen, all] = [survey.at(now, now + 1, able), naive(workers, forecast, now, now + 1, able)]
          expect(seen.awaiting).toBe(all.awaiting)
          expect(isNear(seen.end, all.end)).toBe(true)
          expect(isNear(seen.earliest, all.earliest)).toBe(true)
          expect(isNear(seen.latest, all.latest)).toBe(true)
          if (seen.thief) expect(isNear(all.finishOf.get(seen.thief)!, all.earliest)).toBe(true)
          if (seen.victim) expect(isNear(all.finishOf.get(seen.victim)!, all.latest)).toBe(true)
        }
      },
    ),
  )
})
