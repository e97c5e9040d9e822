/** What a packed scene may not be, whoever sends it: tracers check nothing any more. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PackedScene, PackedSceneError, type SceneData } from '../../../shared/scene/packed-layout.ts'
import { packScene, readPackedScene } from '../../../shared/scene/packed-scene.ts'
import { mixedScene } from '../../worker/support/meshes.ts'

const scene = mixedScene()
const material = (change: object) => ({
  materials: [{ ...scene.materials[0]!, ...change }, ...scene.materials.slice(1)],
})
const with_ = (change: object): PackedScene => packScene({ ...scene, ...change } as SceneData)
/** Of one kind of numbers, with one of them changed. */
const changed = <T extends Float32Array | Uint32Array | Uint16Array>(array: T, at: number, value: number): T => {
  const copy = array.slice() as T
  copy[at] = value
  return copy
}

describe('a packed scene', () => {
  it('is read as it was packed', () => {
    const { bytes, ...data } = readPackedScene(scene.bytes)
    expect(bytes).toBe(scene.bytes)
    expect(data).toEqual({ ...scene, bytes: undefined })
  })

  it.each<[string, object, string]>([
    ['a negative colour', material({ color: [0.5, -0.1, 0.5] }), 'head: ✖ Too small: expected number to be >=0'],
    ['a colour above white', material({ color: [0.5, 1.1, 0.5] }), 'head: ✖ Too big: expected number to be <=1'],
    ['negative light', { sky: { ...scene.sky, ground: [-1, 0, 0] } }, 'expected number to be >=0'],
    [
      'light beyond all measure',
      { sun: { ...scene.sun, irradiance: [1e300, 0, 0] } },
      'expected number to be <=1000000000000',
    ],
    ['a sun in no direction', { sun: { ...scene.sun, direction: [0, 0, 0] } }, 'expected a unit vector'],
    ['a sun too far', { sun: { ...scene.sun, direction: [0, 2, 0] } }, 'expected a unit vector'],
    [
      'a normal that is no number',
      { normals: changed(scene.normals, 7, Number.NaN) },
      'the normal of vertex 2 is 0, NaN, 0: expected a unit vector, or zeros',
    ],
    [
      'an infinite normal',
      { normals: changed(scene.normals, 6, Number.POSITIVE_INFINITY) },
      'the normal of vertex 2 is Infinity, 1, 0',
    ],
    ['a long normal', { normals: changed(scene.normals, 4, 1.5) }, 'the normal of vertex 1 is 0, 1.5, 0'],
    ['a position that is no number', { positions: changed(scene.positions, 3, Number.NaN) }, 'vertex 1 is not finite'],
    ['a corner that is not there', { indices: changed(scene.indices, 4, 1e6) }, 'triangle 1 names vertex 1000000 of'],
    [
      'a material that is not there',
      { materialIds: changed(scene.materialIds, 1, 9) },
      'triangle 1 names material 9 of 4',
    ],
  ])('is refused with %s', (_, change, words) => {
    expect(() => with_(change)).toThrow(PackedSceneError)
    expect(() => with_(change)).toThrow(words)
  })

  it('may have vertices without a normal', () => {
    const normals = changed(changed(scene.normals, 0, 0), 1, 0)
    expect([...normals.subarray(0, 3)]).toEqual([0, 0, 0])
    expect(with_({ normals }).normals).toEqual(normals)
  })

  it('takes unit vectors as floats have them', () => {
    const coordinate = fc.double({ min: -1, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.tuple(coordinate, coordinate, coordinate), v => {
        const length = Math.hypot(...v)
        fc.pre(length > 1e-3)
        const normals = scene.normals.slice()
        normals.set(v.map(x => x / length))
        expect(with_({ normals }).normals).toEqual(normals)
      }),
    )
  })
})
