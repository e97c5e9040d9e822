/** Small glTF files with animations. */
import { type AnyGltf, FLOAT, type GltfParts, type Numbers, triangle, viewsOf } from '../../../support/gltf.ts'

const CORNERS = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0)
export const HALF = Math.SQRT1_2

/** A document with more arrays, each with an accessor: 0 positions, 1 indices, 2 and so on those that are given. */
export function withArrays(
  arrays: readonly (readonly [Numbers, string, (object | undefined)?])[],
  change: (document: AnyGltf) => void,
) {
  const { document } = triangle()
  const { bufferViews, body } = viewsOf(CORNERS, Uint16Array.of(0, 1, 2), ...arrays.map(([array]) => array))
  Object.assign(document, { bufferViews, buffers: [{ byteLength: body.length }] })
  arrays.forEach(([array, type, more], i) => {
    const size = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 }[type]!
    const componentType = array instanceof Float32Array ? FLOAT : array instanceof Int8Array ? 5120 : 5121
    document.accessors.push({ bufferView: i + 2, componentType, count: array.length / size, type, ...more })
  })
  change(document)
  return { document, body }
}

/** One animation of node 0. */
export const moving = (
  path: string,
  times: Numbers,
  values: Numbers,
  type: string,
  interpolation?: string,
  more?: object,
) =>
  withArrays(
    [
      [times, 'SCALAR'],
      [values, type, more],
    ],
    document => {
      document.animations = [
        {
          samplers: [{ input: 2, output: 3, ...(interpolation ? { interpolation } : {}) }],
          channels: [{ sampler: 0, target: { node: 0, path } }],
        },
      ]
    },
  )

/** A skin of two joints that turn, a mesh of two targets with weights, a wheel; three animations. */
export function severalMotions(): GltfParts {
  const times = Float32Array.of(0, 1, 2)
  return withArrays(
    [
      [times, 'SCALAR'],
      [Float32Array.of(0, 0, 0, 1, 0, 0, HALF, HALF, 0, 0, 0, 1), 'VEC4'],
      [Float32Array.of(0, 0, 1, 0, 0.5, 1), 'SCALAR'],
      [Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1), 'VEC3'],
      [Float32Array.of(2, 0, 0, 2, 0, 0, 2, 0, 0), 'VEC3'],
      [Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0), 'VEC4'],
      [Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0), 'VEC4'],
      [Float32Array.of(1, 1, 1, 2, 2, 2, 1, 1, 1), 'VEC3'],
    ],
    document => {
      document.meshes.push(
        { primitives: [{ attributes: { POSITION: 0, JOINTS_0: 7, WEIGHTS_0: 8 }, indices: 1 }] },
        {
          weights: [0.25, 0],
          primitives: [{ attributes: { POSITION: 0 }, targets: [{ POSITION: 5 }, { POSITION: 6 }] }],
        },
      )
      document.nodes = [
        { mesh: 1, skin: 0, translation: [9, 9, 9] },
        { name: 'root', children: [2] },
        { name: 'tip', translation: [0, 1, 0] },
        { mesh: 2, translation: [5, 0, 0] },
        { mesh: 0, translation: [-5, 0, 0] },
      ]
      document.scenes[0].nodes = [0, 1, 3, 4]
      document.skins = [{ joints: [1, 2] }]
      const sampler = (output: number, interpolation = 'LINEAR') => ({ input: 2, output, interpolation })
      document.animations = [
        {
          name: 'bend',
          samplers: [sampler(3)],
          channels: [
            { sampler: 0, target: { node: 1, path: 'rotation' } },
            { sampler: 0, target: { node: 2, path: 'rotation' } },
          ],
        },
        { name: 'swell', samplers: [sampler(4)], channels: [{ sampler: 0, target: { node: 3, path: 'weights' } }] },
        { samplers: [sampler(9, 'STEP')], channels: [{ sampler: 0, target: { node: 4, path: 'scale' } }] },
      ]
    },
  )
}
