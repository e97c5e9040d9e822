/** A region of a frame has the bytes that the frame has there: every channel, with both integrators, with lenses, for any set of pixels. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PixelSet, pixelCount } from '../../../shared/frame/pixel-set.ts'
import { frameRect, type Rect, type Size } from '../../../shared/frame/rect.ts'
import { allSamples, type Camera, type Quality, type View } from '../../../shared/frame/view.ts'
import type { EngineName, Tracer } from '../../../worker/engine/engine.ts'
import { engineByName } from '../../../worker/node/engines.ts'
import { times } from '../../support/nightly.ts'
import { picks, pixelSetOf } from '../../support/pixel-sets.ts'
import { openHere, traceTile } from '../support/engines.ts'
import { mixedScene, viewOf } from '../support/meshes.ts'

const SIZE: Size = [52, 35]
const AMBIENT: Quality = { samples: 2, ambientRays: 2, maxDepth: 3 }
const PATH: Quality = { samples: 2, ambientRays: 0, maxDepth: 0, bounces: 2 }
const LENSES: readonly (readonly [name: string, change: Partial<Camera>])[] = [
  ['a pinhole', {}],
  ['a lens', { lens: { radius: 0.2, focus: 5, blades: 5 } }],
  ['parallel rays', { orthographic: true, tanHalfX: 3, tanHalfY: 2 }],
]
const CHANNELS = { light: 3, albedo: 3, alpha: 1, normal: 3, position: 3, centreDepth: 1, id: 1 } as const
type Planes = Readonly<Record<keyof typeof CHANNELS, ArrayLike<number>>>

function trace(tracer: Tracer, view: View, set: PixelSet): Planes {
  const pixels = pixelCount(set)
  const planes = {
    light: new Float64Array(pixels * 3),
    albedo: new Float64Array(pixels * 3),
    alpha: new Uint16Array(pixels),
  }
  const centre = {
    normal: new Float32Array(pixels * 3),
    position: new Float32Array(pixels * 3),
    depth: new Float32Array(pixels),
    id: new Uint32Array(pixels),
  }
  tracer.trace(view, set, allSamples(view), { ...planes, centre })
  return { ...planes, normal: centre.normal, position: centre.position, centreDepth: centre.depth, id: centre.id }
}

const anyPart = fc
  .tuple(fc.nat(SIZE[0] - 1), fc.nat(SIZE[1] - 1), fc.nat(), fc.nat())
  .map(([x, y, across, down]): Rect => ({ x, y, w: 1 + (across % (SIZE[0] - x)), h: 1 + (down % (SIZE[1] - y)) }))

describe.each<[EngineName, runs: number]>([
  ['wasm', 12],
  ['reference', 3],
])('with the engine %s', (name, runs) => {
  const tracer = openHere(engineByName(name), mixedScene())
  describe.each([
    ['ambient', AMBIENT],
    ['path', PATH],
  ] as const)('the integrator %s', (_, quality) => {
    it.each(LENSES)('through %s has the same bytes in a region', (_, change) => {
      const plain = viewOf(SIZE)
      const whole: View = { ...plain, quality, camera: { ...plain.camera, ...change } }
      const all = trace(tracer, whole, { rect: frameRect(SIZE) })
      const anyCut = anyPart.chain(part => fc.tuple(fc.constant(part), pixelSetOf([part.w, part.h])))
      fc.assert(
        fc.property(anyCut, ([part, set]) => {
          const camera: Camera = { ...whole.camera, region: { ...part, of: SIZE } }
          const got = trace(tracer, { ...whole, size: [part.w, part.h], camera }, set)
          const { rect, pattern } = set
          for (const [channel, components] of Object.entries(CHANNELS)) {
            const expected: number[] = []
            for (let y = rect.y; y < rect.y + rect.h; y++)
              for (let x = rect.x; x < rect.x + rect.w; x++) {
                if (!picks(pattern, x, y)) continue
                const pixel = (part.y + y) * SIZE[0] + part.x + x
                for (let k = 0; k < components; k++)
                  expected.push(all[channel as keyof Planes][pixel * components + k]!)
              }
            expect(Array.from(got[channel as keyof Planes]), channel).toEqual(expected)
          }
        }),
        { numRuns: times(runs) },
      )
    })
  })

  it('finished pixels are the same, too', () => {
    const whole: View = { ...viewOf(SIZE), quality: AMBIENT }
    const part: Rect = { x: 13, y: 9, w: 21, h: 17 }
    const camera: Camera = { ...whole.camera, region: { ...part, of: SIZE } }
    const seen = traceTile(tracer, { ...whole, size: [part.w, part.h], camera }, frameRect([part.w, part.h]))
    expect(seen).toEqual(traceTile(tracer, whole, part))
  })
})
