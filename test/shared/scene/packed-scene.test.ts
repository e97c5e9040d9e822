/** What a packed scene may not be, whoever sends it: tracers check nothing any more. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SceneDescription, SceneMesh } from '../../../shared/scene/description.ts'
import type { PackedScene } from '../../../shared/scene/packed-layout.ts'
import { packScene, readPackedScene } from '../../../shared/scene/packed-scene.ts'
import { PackedSceneError } from '../../../shared/scene/packed-scene-error.ts'
import { fullScene } from '../../support/full-scene.ts'

const scene = fullScene()
const changed = (change: object): SceneDescription => ({ ...scene, ...change })
const material = (change: object) => changed({ materials: [{ ...scene.materials[0]!, ...change }, ...scene.materials] })
const light = (at: number, change: object) =>
  changed({ lights: scene.lights.map((each, i) => (i === at ? { ...each, ...change } : each)) })
const map = (change: object) => changed({ environment: { ...scene.environment, ...change } })
const mesh = (change: (mesh: SceneMesh) => Partial<SceneMesh>) =>
  changed({ meshes: [{ ...scene.meshes[0]!, ...change(scene.meshes[0]!) }, scene.meshes[1]] })
const instance = (change: object) => changed({ instances: [{ ...scene.instances[0]!, ...change }] })
/** The first mesh with one of its floats replaced; its vertices have 18. */
const vertex = (at: number, value: number) =>
  mesh(({ vertices }) => ({ vertices: vertices.map((each, i) => (i === at ? value : each)) }))

describe('a packed scene', () => {
  it('is read as it was packed', () => {
    const packed = packScene(scene)
    const { bytes, ...read } = readPackedScene(packed.bytes.slice())
    expect(read).toEqual(scene)
    expect(bytes).toEqual(packed.bytes)
  })

  it('has the same bytes whatever the order of its keys', () => {
    const turned = <T extends object>(of: T): T => Object.fromEntries(Object.entries(of).toReversed()) as T
    const other = { ...scene, materials: scene.materials.map(turned), lights: scene.lights.map(turned) }
    expect(Buffer.compare(packScene(other).bytes, packScene(scene).bytes)).toBe(0)
  })

  it.each<[string, SceneDescription, string]>([
    ['no material', changed({ materials: [] }), 'head: ✖ Too small: expected array'],
    ['a negative colour', material({ color: [0.5, -0.1, 0.5] }), 'head: ✖ Too small: expected number to be >=0'],
    ['a colour above white', material({ color: [0.5, 1.1, 0.5] }), 'head: ✖ Too big: expected number to be <=1'],
    ['a metal of more than all', material({ metallic: 2 }), 'to be <=1'],
    ['a roughness below none', material({ roughness: -1 }), 'to be >=0'],
    ['an index of refraction below air', material({ ior: 0.9 }), 'to be >=1'],
    ['an index of refraction of 5', material({ ior: 5 }), 'to be <=4'],
    ['a transmission that is no number', material({ transmission: Number.NaN }), 'received NaN'],
    ['a thinness in numbers', material({ thin: 1 }), 'expected boolean'],
    ['negative absorption', material({ absorption: [0, 0, -1] }), 'to be >=0'],
    ['a coat of two', material({ coat: 2 }), 'to be <=1'],
    ['a coat rougher than rough', material({ coatRoughness: 2 }), 'to be <=1'],
    ['emission that takes light', material({ emission: [-1, 0, 0] }), 'to be >=0'],
    ['light beyond all measure', light(0, { irradiance: [1e300, 0, 0] }), 'to be <=1000000000000'],
    ['a sun in no direction', light(0, { direction: [0, 0, 0] }), 'expected a unit vector'],
    ['a sun as wide as the sky', light(0, { angle: 0.6 }), 'to be <=0.5'],
    ['a lamp at infinity', light(1, { position: [0, Number.POSITIVE_INFINITY, 0] }), 'expected number'],
    ['a lamp of negative size', light(1, { radius: -1 }), 'to be >=0'],
    ['a spot that is inside out', light(2, { innerCosine: 0.7 }), 'expected an inner cone inside the outer one'],
    ['a spot that falls in another way', light(2, { falloff: 'cubed' }), 'expected "squared"'],
    ['a spot of no cosine', light(2, { outerCosine: -2 }), 'to be >=-1'],
    ['a rectangle that is a line', light(3, { up: [0, 0, 0] }), 'expected sides of a rectangle'],
    ['a rectangle that leans', light(3, { up: [1, 0, 1] }), 'expected sides of a rectangle'],
    ['a light of another kind', light(3, { kind: 'laser' }), 'head: ✖ Invalid'],
    [
      'negative sky',
      changed({ environment: { kind: 'sky', zenith: [-1, 0, 0], horizon: [0, 0, 0], ground: [0, 0, 0] } }),
      'to be >=0',
    ],
    ['a map of other size', map({ height: 2 }), 'environment: 6 channels of texels for 2 × 2'],
    ['a map too wide', map({ width: 20000 }), 'to be <=16384'],
    ['a map of no intensity', map({ intensity: -1 }), 'to be >=0'],
    ['a map turned often', map({ rotation: 2 }), 'to be <=1'],
    [
      'a texel that is no number',
      map({ texels: Float32Array.of(1, 2, 3, Number.NaN, 5, 6) }),
      'environment: texel 1 has NaN: expected 0 to 1000000000000',
    ],
    ['a centre nowhere', changed({ centre: [0, Number.NaN, 0] }), 'received NaN'],
    ['a position that is no number', vertex(18, Number.NaN), 'mesh 0: vertex 1 is not finite'],
    ['a texture coordinate at infinity', vertex(10, Number.POSITIVE_INFINITY), 'mesh 0: vertex 0 is not finite'],
    ['a long normal', vertex(4, 1.5), 'mesh 0: the normal of vertex 0 is 0, 1.5, 1: expected a unit vector, or zeros'],
    ['a long tangent', vertex(7, 2), 'mesh 0: the tangent of vertex 0 is 1, 2, 0: expected a unit vector, or zeros'],
    ['a tangent of no hand', vertex(9, 0), 'mesh 0: the tangent of vertex 0 has handedness 0: expected 1 or -1'],
    ['a vertex brighter than white', vertex(14, 2), 'mesh 0: the colour of vertex 0 has 2: expected 0 to 1'],
    [
      'a corner that is not there',
      mesh(() => ({ indices: Uint32Array.of(0, 1, 2, 2, 3, 0) })),
      'mesh 0: triangle 1 names vertex 3 of 3',
    ],
    ['a slot that is not there', mesh(() => ({ slots: Uint16Array.of(0, 2) })), 'mesh 0: triangle 1 names slot 2 of 2'],
    [
      'too few slots',
      mesh(() => ({ slots: Uint16Array.of(0) })),
      'mesh 0: 54 floats of vertices, 6 indices, 1 slots do not match',
    ],
    ['no triangle', changed({ instances: [] }), 'expected at least one triangle, got none'],
    ['a material that is not there', instance({ materials: [0, 9] }), 'instance 0 names material 9 of 3'],
    ['a material below none', instance({ materials: [0, -1] }), 'instance 0: its materials 0,-1 do not match mesh 0'],
    ['a slot without a material', instance({ materials: [0] }), 'instance 0: its materials 0 do not match mesh 0'],
    ['a mesh that is not there', instance({ mesh: 7 }), 'do not match mesh 7'],
    ['half a transform', instance({ transform: [1, 0, 0] }), 'instance 0 has a transform of 3 numbers, expected 12'],
    [
      'a transform that is no number',
      instance({ transform: [1, 0, 0, 0, 0, Number.NaN, 0, 0, 0, 0, 1, 0] }),
      'instance 0 is not finite in single precision',
    ],
    [
      'a transform too far',
      instance({ transform: [1, 0, 0, 1e39, 0, 1, 0, 0, 0, 0, 1, 0] }),
      'instance 0 is not finite in single precision',
    ],
  ])('is refused with %s', (_, bad, words) => {
    expect(() => packScene(bad)).toThrow(PackedSceneError)
    expect(() => packScene(bad)).toThrow(words)
  })

  it('is refused with more triangles than can be numbered, before they are made', () => {
    const side = 46_000
    const many = {
      ...scene,
      meshes: [{ ...scene.meshes[1]!, indices: new Uint32Array(side * 3), slots: new Uint16Array(side) }],
      instances: Array.from({ length: 50_000 }, () => ({ ...scene.instances[2]!, mesh: 0 })),
    }
    expect(() => packScene(many)).toThrow('expected at most 2147483646 triangles in all instances, got 2300000000')
  })

  it('takes unit vectors as floats have them', () => {
    const coordinate = fc.double({ min: -1, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.tuple(coordinate, coordinate, coordinate), v => {
        const length = Math.hypot(...v)
        fc.pre(length > 1e-3)
        const turned = mesh(({ vertices }) => {
          const copy = vertices.slice()
          copy.set(
            v.map(x => x / length),
            3,
          )
          return { vertices: copy }
        })
        expect(packScene(turned).meshes[0]!.vertices).toEqual(turned.meshes[0]!.vertices)
      }),
    )
  })

  it('is refused with any byte changed, or is another scene', () => {
    const { bytes } = packScene(scene)
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const other = bytes.slice()
        other[at]! ^= by
        let read: PackedScene | undefined
        try {
          read = readPackedScene(other)
        } catch (error) {
          expect(error).toBeInstanceOf(PackedSceneError)
        }
        if (read) expect(read.bytes).not.toEqual(bytes)
      }),
      { numRuns: 2000 },
    )
  })
})
