/** Small problems for balancers, the awkward ones among them: equal loads, loads and speeds of 0, objects that stay. */
import fc from 'fast-check'
import { NOWHERE, type Objects, type Processors } from '../../../../master/strategies/charm/objects.ts'

export interface Problem {
  readonly objects: Objects
  readonly processors: Processors
  readonly tolerance: number
}

const awkwardLoad = fc.oneof(
  fc.constantFrom(0, 0, 1, 1, 2, 3, 5, 8),
  fc.double({ min: 0, max: 10, noNaN: true }),
  fc.constantFrom(1e-300, 1e-9, 1 + Number.EPSILON, 1e6),
)

/** Loads too much alike to be given away, so that exchanges are called for. */
const likeLoad = fc.oneof(fc.integer({ min: 4, max: 12 }), fc.double({ min: 4, max: 12, noNaN: true }))

const awkward = problems({
  load: awkwardLoad,
  speed: fc.constantFrom(1, 1, 1, 0.5, 2, 0.3, 0),
  background: fc.oneof(fc.constantFrom(0, 0, 0, 4), fc.double({ min: 0, max: 20, noNaN: true })),
})

const alike = problems({ load: likeLoad, speed: fc.constant(1), background: fc.constantFrom(0, 0, 0, 3) })

export const anyProblem: fc.Arbitrary<Problem> = fc.oneof(awkward, alike)

interface Ingredients {
  readonly load: fc.Arbitrary<number>
  readonly speed: fc.Arbitrary<number>
  readonly background: fc.Arbitrary<number>
}

function problems({ load, speed, background }: Ingredients): fc.Arbitrary<Problem> {
  return fc.integer({ min: 1, max: 7 }).chain(count => {
    const owner = fc.oneof(
      { arbitrary: fc.integer({ min: 0, max: count - 1 }), weight: 20 },
      { arbitrary: fc.constant(NOWHERE), weight: 1 },
    )
    const object = fc.record({ load, owner, fixed: fc.constantFrom(false, false, false, false, false, true) })
    const processor = fc.record({ speed, background })
    return fc
      .record({
        objects: fc.array(object, { maxLength: count * 5 }),
        processors: fc.array(processor, { minLength: count, maxLength: count }),
        tolerance: fc.constantFrom(1, 1.02, 1.05, 1.3),
      })
      .map(({ objects, processors, tolerance }) => ({
        objects: {
          loads: Float64Array.from(objects, each => each.load),
          owners: Int32Array.from(objects, each => each.owner),
          // What stays has to be somewhere.
          fixed: Uint8Array.from(objects, each => (each.fixed && each.owner !== NOWHERE ? 1 : 0)),
        },
        processors: {
          // Someone has to be able to take something.
          speeds: Float64Array.from(processors, (each, p) => (p === 0 ? each.speed || 1 : each.speed)),
          background: Float64Array.from(processors, each => each.background),
        },
        tolerance,
      }))
  })
}
