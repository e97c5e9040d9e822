/** What the balancers are fast with: sorted objects, a heap of processors, a tree of maxima. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MaxTree } from '../../../../master/strategies/charm/max-tree.ts'
import { heaviestFirst, lightestFirst } from '../../../../master/strategies/charm/order-by-load.ts'
import { ProcessorHeap } from '../../../../master/strategies/charm/processor-heap.ts'

const anyLoads = fc
  .array(fc.oneof(fc.constantFrom(0, -0, 1, 1, 1 + Number.EPSILON, 5e-324), fc.double({ min: 0, noNaN: true })), {
    maxLength: 60,
  })
  .map(loads => Float64Array.from(loads).map(load => (load === Number.POSITIVE_INFINITY ? Number.MAX_VALUE : load)))

const equal = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a.length === b.length && Array.from(a).every((value, i) => value === b[i])

describe('objects by load', () => {
  it('come in the order that comparing gives, equals by number', () => {
    fc.assert(
      fc.property(anyLoads, loads => {
        const numbers = [...loads.keys()]
        return (
          equal(
            heaviestFirst(loads),
            numbers.toSorted((a, b) => loads[b]! - loads[a]! || a - b),
          ) &&
          equal(
            lightestFirst(loads, heaviestFirst(loads)),
            numbers.toSorted((a, b) => loads[a]! - loads[b]! || a - b),
          )
        )
      }),
      { numRuns: 500 },
    )
  })
})

describe('a heap of processors', () => {
  it('has the smallest key on top, of equals the lower number', () => {
    const step = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constantFrom('pop', 'replace'))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), steps => {
        const heap = new ProcessorHeap(80)
        const model: { id: number; key: number }[] = []
        return steps.every((what, i) => {
          if (typeof what === 'number') {
            // Numbers that are not in the order of entry.
            const id = (i * 37) % 101
            heap.push(id, what)
            model.push({ id, key: what })
          } else if (model.length > 0) {
            const top = model[0]!
            if (what === 'pop') {
              heap.pop()
              model.shift()
            } else {
              top.key += i % 3
              heap.replaceTop(top.key)
            }
          }
          model.sort((a, b) => a.key - b.key || a.id - b.id)
          return heap.size === model.length && (model.length === 0 || heap.top === model[0]!.id)
        })
      }),
      { numRuns: 500 },
    )
  })

  it('counts entries and removals', () => {
    const heap = new ProcessorHeap(2)
    heap.push(0, 1)
    heap.push(1, 2)
    heap.replaceTop(3)
    heap.pop()
    expect(heap.operations).toBe(5)
  })
})

describe('a tree of maxima', () => {
  it('knows the largest, and the first that reaches a bound', () => {
    const anyValue = fc.constantFrom(Number.NEGATIVE_INFINITY, -1, 0, 1, 2, 3)
    fc.assert(
      fc.property(
        fc.array(anyValue, { minLength: 1, maxLength: 20 }),
        fc.array(fc.tuple(fc.nat(19), anyValue)),
        anyValue,
        (values, changes, bound) => {
          const tree = new MaxTree(values.length)
          tree.fill(Float64Array.from(values))
          for (const [place, value] of changes) {
            if (place >= values.length) continue
            tree.set(place, value)
            values[place] = value
          }
          const first = bound === Number.NEGATIVE_INFINITY ? 0 : values.findIndex(value => value >= bound)
          return tree.largest === Math.max(...values) && tree.firstAtLeast(bound) === first
        },
      ),
      { numRuns: 500 },
    )
  })

  it('copes with nobody', () => {
    const tree = new MaxTree(0)
    expect(tree.largest).toBe(Number.NEGATIVE_INFINITY)
    expect(tree.firstAtLeast(0)).toBe(-1)
  })
})
