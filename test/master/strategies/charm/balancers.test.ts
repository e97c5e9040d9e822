/** GreedyLB, RefineLB and RefineSwapLB against their naive definitions, and what they promise. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { greedy } from '../../../../master/strategies/charm/greedy.ts'
import type { Assignment, Objects, Processors } from '../../../../master/strategies/charm/objects.ts'
import { refine } from '../../../../master/strategies/charm/refine.ts'
import { refineSwap } from '../../../../master/strategies/charm/refine-swap.ts'
import { InvariantError } from '../../../../shared/errors.ts'
import { type NaiveAnswer, naiveGreedy, naiveRefine } from './naive.ts'
import { anyProblem, type Problem } from './problems.ts'

type Balancer = (problem: Problem) => Assignment
type Definition = (problem: Problem) => NaiveAnswer

const BALANCERS: [string, Balancer, Definition][] = [
  ['greedy', p => greedy(p.objects, p.processors), p => naiveGreedy(p.objects, p.processors)],
  [
    'refine',
    p => refine(p.objects, p.processors, p.tolerance),
    p => naiveRefine(p.objects, p.processors, p.tolerance, false),
  ],
  [
    'refineSwap',
    p => refineSwap(p.objects, p.processors, p.tolerance),
    p => naiveRefine(p.objects, p.processors, p.tolerance, true),
  ],
]

const problem = (loads: number[], owners: number[], speeds: number[], background = speeds.map(() => 0)) => ({
  objects: { loads: Float64Array.from(loads), owners: Int32Array.from(owners) } satisfies Objects,
  processors: { speeds: Float64Array.from(speeds), background: Float64Array.from(background) } satisfies Processors,
  tolerance: 1.02,
})

describe.each(BALANCERS)('%s', (_, balance, define) => {
  it('does what its definition does', () => {
    fc.assert(
      fc.property(anyProblem, given => {
        const { owners, decisions } = balance(given)
        const expected = define(given)
        return (
          owners.every((owner, object) => owner === expected.owners[object]) &&
          decisions.swapped === expected.swapped &&
          decisions.refused === expected.refused &&
          decisions.stuck === expected.stuck
        )
      }),
      { numRuns: 2000 },
    )
  })

  it('places everything where it can be, and leaves what stays', () => {
    fc.assert(
      fc.property(anyProblem, given => {
        const { objects, processors } = given
        const { owners } = balance(given)
        return owners.every((owner, object) =>
          objects.fixed?.[object] ? owner === objects.owners[object] : processors.speeds[owner]! > 0,
        )
      }),
    )
  })

  it('counts what it did, and leaves its input alone', () => {
    fc.assert(
      fc.property(anyProblem, given => {
        const { objects } = given
        const before = [...objects.owners]
        const { owners, decisions } = balance(given)
        const moved = before.filter((owner, object) => owner >= 0 && owner !== owners[object]).length
        return (
          decisions.moved === moved &&
          decisions.objects === objects.fixed!.filter(stays => !stays).length &&
          before.every((owner, object) => owner === objects.owners[object])
        )
      }),
    )
  })

  it('copes with no objects, and refuses to balance for nobody', () => {
    expect(balance(problem([], [], [1, 1])).owners).toHaveLength(0)
    expect(() => balance(problem([1], [0], [0]))).toThrow(InvariantError)
    const nowhere = problem([1], [-1], [1])
    expect(() => balance({ ...nowhere, objects: { ...nowhere.objects, fixed: Uint8Array.of(1) } })).toThrow(
      InvariantError,
    )
  })
})

describe('greedy', () => {
  it('gives the heaviest object to the least loaded processor, and so on', () => {
    const { owners, decisions } = greedy(
      problem([2, 7, 3, 5, 4], [0, 0, 0, 0, 1], [1, 1]).objects,
      problem([], [], [1, 1]).processors,
    )
    // 7 → 0, 5 → 1, 4 → 1 (5 < 7), 3 → 0 (7 < 9), 2 → 1 (9 < 10).
    expect([...owners]).toEqual([1, 0, 0, 1, 1])
    expect(decisions).toMatchObject({ assigned: 5, moved: 2 })
  })

  it('starts from what processors carry anyway', () => {
    const { objects, processors } = problem([1, 1, 1], [0, 0, 0], [1, 1], [2.5, 0])
    expect([...greedy(objects, processors).owners]).toEqual([1, 1, 1])
  })

  it('gives a processor twice as fast about twice as much', () => {
    const { objects, processors } = problem(Array(300).fill(1), Array(300).fill(0), [1, 2])
    expect(greedy(objects, processors).owners.filter(owner => owner === 1)).toHaveLength(200)
  })
})

describe('refine', () => {
  it('leaves alone what is balanced', () => {
    const { objects, processors } = problem([5, 5, 5.05, 5], [0, 1, 2, 3], [1, 1, 1, 1])
    expect(refine(objects, processors).decisions).toMatchObject({ moved: 0, refused: 0, stuck: 0 })
  })

  it('never makes the slowest processor slower, with or without swaps', () => {
    const slowest = ({ objects, processors }: Problem, owners: ArrayLike<number>) => {
      const sums = [...processors.background]
      objects.loads.forEach((load, object) => {
        sums[owners[object]!]! += load
      })
      return Math.max(...sums.map((sum, p) => (sum > 0 ? sum / processors.speeds[p]! : 0)))
    }
    fc.assert(
      fc.property(anyProblem, given => {
        // Where some objects are on no processor yet, there is no before to compare with.
        fc.pre(given.objects.owners.every(owner => owner >= 0 && given.processors.speeds[owner]! > 0))
        const before = slowest(given, given.objects.owners)
        const rounding = 1 + 1e-12
        return (
          slowest(given, refine(given.objects, given.processors, given.tolerance).owners) <= before * rounding &&
          slowest(given, refineSwap(given.objects, given.processors, given.tolerance).owners) <= before * rounding
        )
      }),
    )
  })

  it('places what is on no processor before it repairs', () => {
    const { objects, processors } = problem([4, 4, 4, 4], [0, 0, -1, -1], [1, 1])
    const { owners, decisions } = refine(objects, processors)
    expect([...owners]).toEqual([0, 0, 1, 1])
    expect(decisions).toMatchObject({ assigned: 2, moved: 0 })
  })
})

describe('refineSwap', () => {
  it('exchanges objects where refine is stuck', () => {
    // 5 + 4 against 2 + 3: giving 4 away makes 9 of the other, exchanging 5 for 3 makes both 7.
    const { objects, processors } = problem([5, 4, 2, 3], [0, 0, 1, 1], [1, 1])
    expect(refine(objects, processors).decisions).toMatchObject({ moved: 0, refused: 1, stuck: 1 })
    const { owners, decisions } = refineSwap(objects, processors)
    expect([...owners]).toEqual([1, 0, 1, 0])
    expect(decisions).toMatchObject({ moved: 2, swapped: 1, refused: 1, stuck: 0 })
  })

  it('does what refine does where that is not stuck', () => {
    fc.assert(
      fc.property(anyProblem, given => {
        const { objects, processors, tolerance } = given
        const refined = refine(objects, processors, tolerance)
        fc.pre(refined.decisions.refused === 0)
        return refineSwap(objects, processors, tolerance).owners.every((owner, i) => owner === refined.owners[i])
      }),
    )
  })
})
