/** Animations of glTF files that are wrong: one sentence that names the part, or no matter. */
import { describe, expect, it } from 'vitest'
import type { CheckedLook } from '../../../../scenes/look/scene-look.ts'
import { type AnyGltf, type GltfParts, glb, type Numbers } from '../../../support/gltf.ts'
import { gltfFolder } from './gltf-scenes.ts'
import { moving, severalMotions } from './moving-gltf.ts'

const { loaded, refusal } = gltfFolder()

const opened = (parts: GltfParts, look: CheckedLook = {}) => loaded(glb(parts), 'moving.glb', look)

describe('an animation that is wrong', () => {
  const wrong = (change: (document: AnyGltf) => void, times: Numbers = Float32Array.of(0, 1)) => {
    const parts = moving('translation', times, Float32Array.of(0, 0, 0, 1, 0, 0), 'VEC3')
    change(parts.document)
    return parts
  }
  const [first] = [(document: AnyGltf) => document.animations[0]]
  it.each([
    [
      'a node that is not there',
      wrong(d => Object.assign(first(d).channels[0].target, { node: 7 })),
      'animation 0, channel 0: expected a node below 1, got 7',
    ],
    [
      'a sampler that is not there',
      wrong(d => Object.assign(first(d).channels[0], { sampler: 1 })),
      'animation 0, channel 0: expected a sampler below 1, got 1',
    ],
    [
      'an accessor that is not there',
      wrong(d => Object.assign(first(d).samplers[0], { output: 9 })),
      'animation 0, sampler 0: expected an accessor below 4, got 9',
    ],
    [
      'an unknown interpolation',
      wrong(d => Object.assign(first(d).samplers[0], { interpolation: 'CURVED' })),
      "animations[0].samplers[0].interpolation: expected one of LINEAR, STEP, CUBICSPLINE, got 'CURVED'",
    ],
    [
      'keys out of order',
      wrong(() => {}, Float32Array.of(1, 0)),
      'animation 0, channel 0: expected times from 0 to 86400 s that increase, got 0 s at key 1',
    ],
    [
      'the same key twice',
      wrong(() => {}, Float32Array.of(1, 1)),
      'animation 0, channel 0: expected times from 0 to 86400 s that increase, got 1 s at key 1',
    ],
    [
      'a key that is not a number',
      wrong(() => {}, Float32Array.of(0, Number.NaN)),
      'animation 0, channel 0: expected times from 0 to 86400 s that increase, got NaN s at key 1',
    ],
    [
      'a value that is not a number',
      moving('translation', Float32Array.of(0, 1), Float32Array.of(0, 0, 0, 0, Number.NaN, 0), 'VEC3'),
      'animation 0, channel 0: expected finite values, got NaN at key 1',
    ],
    [
      'too few values',
      wrong(d => Object.assign(d.accessors[3], { count: 1 })),
      'animation 0, channel 0: expected 2 values of VEC3 for 2 times, got 1 of VEC3',
    ],
    [
      'values for a spline that has none',
      wrong(d => Object.assign(first(d).samplers[0], { interpolation: 'CUBICSPLINE' })),
      'animation 0, channel 0: expected 6 values of VEC3 for 2 times, got 2 of VEC3',
    ],
    [
      'values of another type',
      wrong(d => Object.assign(first(d).channels[0].target, { path: 'rotation' })),
      'animation 0, channel 0: expected 2 values of VEC4 for 2 times, got 2 of VEC3',
    ],
    [
      'times of another type',
      wrong(d => Object.assign(d.accessors[2], { componentType: 5121 })),
      'animation 0, channel 0: expected times of floats, got SCALAR of component type 5121',
    ],
    [
      'more values than there are',
      wrong(d => Object.assign(d.accessors[3], { count: 1000 })),
      'animation 0, channel 0: expected 2 values of VEC3 for 2 times, got 1000 of VEC3',
    ],
    [
      'targets of another number than its weights',
      (() => {
        const parts = severalMotions()
        parts.document.animations.shift()
        parts.document.meshes[2].primitives[0].targets.push({ POSITION: 5 })
        return parts
      })(),
      'animation 0, channel 0: expected 9 values of SCALAR for 3 times, got 6 of SCALAR',
    ],
  ])('by %s is refused', async (_, parts, message) => {
    expect(await refusal('wrong.glb', glb(parts))).toEqual({
      code: expect.stringMatching(/BAD_MESH|MESH_TRUNCATED/),
      message: expect.stringContaining(message),
    })
  })

  it('but does not play, or moves nothing that is shown, is no matter', async () => {
    const parts = wrong(
      d => {
        first(d).channels.push(
          { sampler: 0, target: { path: 'translation' } },
          { sampler: 0, target: { node: 0, path: 'weights' } },
          { sampler: 0, target: { node: 0, path: 'colour' } },
        )
        first(d).channels.shift()
      },
      Float32Array.of(1, 0),
    )
    expect((await opened(parts)).motion).toBeUndefined()
    const late = severalMotions()
    late.document.animations[1].samplers[0].output = 3
    expect((await opened(late, { animation: 'bend' })).motion!.seconds).toBe(2)
  })

  it('sends a joint to infinity, and is told where that shows', async () => {
    const parts = severalMotions()
    parts.document.nodes[1].translation = [1e38, 0, 0]
    parts.document.nodes[2].translation = [3e38, 0, 0]
    const { message } = await refusal('far.glb', glb(parts))
    expect(message).toMatch(/mesh 'mesh_1'.*(finite in single precision|three finite numbers)/)
  })
})
