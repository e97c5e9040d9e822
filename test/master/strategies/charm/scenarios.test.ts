/**
 * What the slides show of GreedyLB, RefineLB and RefineSwapLB, on loads made up after their examples: `test/scenarios`
 * says how they were made.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { greedy } from '../../../../master/strategies/charm/greedy.ts'
import { greedyRefine } from '../../../../master/strategies/charm/greedy-refine.ts'
import type { Objects, Processors } from '../../../../master/strategies/charm/objects.ts'
import { refine } from '../../../../master/strategies/charm/refine.ts'
import { refineSwap } from '../../../../master/strategies/charm/refine-swap.ts'

const scenarioSchema = z.object({
  about: z.array(z.string()),
  processors: z.int().min(1),
  loads: z.array(z.number()),
  owners: z.array(z.int()),
})

function scenario(name: string): { objects: Objects; processors: Processors } {
  const file = new URL(`../../../../../test/scenarios/${name}.json`, import.meta.url)
  const { processors, loads, owners } = scenarioSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  return {
    objects: { loads: Float64Array.from(loads), owners: Int32Array.from(owners) },
    processors: { speeds: new Float64Array(processors).fill(1), background: new Float64Array(processors) },
  }
}

/** What the slowest processor takes. */
function slowest(loads: Float64Array, owners: Int32Array): number {
  const sums = new Map<number, number>()
  owners.forEach((owner, object) => {
    sums.set(owner, (sums.get(owner) ?? 0) + loads[object]!)
  })
  return Math.max(...sums.values())
}

describe('many objects, most of them well placed: BT-MZ', () => {
  const { objects, processors } = scenario('bt-mz')
  const { loads } = objects
  const byGreedy = greedy(objects, processors)
  const byRefine = refine(objects, processors)

  it('needs 1015 migrations by greedy and 13 by refine', () => {
    expect(byGreedy.decisions).toMatchObject({ objects: 1024, moved: 1015 })
    expect(byRefine.decisions).toMatchObject({ objects: 1024, moved: 13, stuck: 0 })
    expect(byGreedy.decisions.moved).toBeGreaterThan(50 * byRefine.decisions.moved)
  })

  it('ends slightly less balanced by refine', () => {
    const [before, greedyTime, refineTime] = [objects, byGreedy, byRefine].map(({ owners }) => slowest(loads, owners))
    expect(refineTime!).toBeGreaterThan(greedyTime!)
    expect(refineTime!).toBeLessThan(greedyTime! * 1.02)
    expect(refineTime!).toBeLessThan(before! * 0.95)
  })

  it('ends as balanced by greedy and refine as by greedy', () => {
    const { owners } = greedyRefine(objects, processors)
    expect(slowest(loads, owners)).toBeLessThanOrEqual(slowest(loads, byGreedy.owners))
  })

  it('stays nearly as balanced when loads drift and refine follows greedy, and few objects move', () => {
    // Every tenth object becomes dearer by a fifth.
    const drifted = loads.map((load, object) => (object % 10 === 3 ? load * 1.2 : load))
    const followed = refine({ loads: drifted, owners: byGreedy.owners }, processors)
    const afresh = greedy({ loads: drifted, owners: byGreedy.owners }, processors)
    expect(slowest(drifted, followed.owners)).toBeLessThan(slowest(drifted, afresh.owners) * 1.03)
    expect(followed.decisions.moved).toBeLessThan(afresh.decisions.moved / 20)
  })
})

describe('few objects per processor', () => {
  const { objects, processors } = scenario('few-objects')
  const msOf = (owners: Int32Array) => Math.round(slowest(objects.loads, owners))

  it('takes 85 ms a step at first, 60 by greedy', () => {
    expect(msOf(objects.owners)).toBe(85)
    expect(msOf(greedy(objects, processors).owners)).toBe(60)
  })

  it('is where refine gets stuck, at 67 ms', () => {
    const { owners, decisions } = refine(objects, processors)
    expect(msOf(owners)).toBe(67)
    expect(decisions.stuck).toBeGreaterThan(0)
    expect(decisions.refused).toBeGreaterThanOrEqual(decisions.stuck)
  })

  it('is where swaps go on, to 62 ms', () => {
    const { owners, decisions } = refineSwap(objects, processors)
    expect(msOf(owners)).toBe(62)
    expect(decisions.swapped).toBeGreaterThan(0)
    expect(decisions.stuck).toBeLessThan(refine(objects, processors).decisions.stuck)
  })

  it('takes about 60 ms by greedy and refine', () => {
    expect(msOf(greedyRefine(objects, processors).owners)).toBe(60)
  })
})
