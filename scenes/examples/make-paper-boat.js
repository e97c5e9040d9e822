/**
 * Writes paper-boat.gltf, the model that paper-boats.js loads: a folded boat about two units long, afloat at y = 0.
 *
 *     node scenes/examples/make-paper-boat.js
 */
import { writeFileSync } from 'node:fs'

const [bow, stern] = [
  [1.05, 0.5, 0],
  [-1.05, 0.5, 0],
]
const keel = [
  [0.58, -0.16, 0],
  [-0.58, -0.16, 0],
]
const peak = [0, 0.92, 0]

/** A side of the hull with its folded rim, and half of the tent in the middle; the other half is mirrored. */
const half = [
  [keel[0], bow, [0, 0.3, 0.44]],
  [keel[1], keel[0], [0, 0.3, 0.44]],
  [stern, keel[1], [0, 0.3, 0.44]],
  [bow, [0.5, 0.16, 0], [0, 0.29, 0.42]],
  [[-0.5, 0.16, 0], stern, [0, 0.29, 0.42]],
  [[0.5, 0.16, 0], peak, [0, 0.16, 0.13]],
  [peak, [-0.5, 0.16, 0], [0, 0.16, 0.13]],
  [
    [0.5, 0.16, 0],
    [0, 0.16, 0.13],
    [0, 0.29, 0.42],
  ],
  [
    [0, 0.16, 0.13],
    [-0.5, 0.16, 0],
    [0, 0.29, 0.42],
  ],
]
const mirrored = half.map(([a, b, c]) => [b, a, c].map(([x, y, z]) => [x, y, -z]))
const corners = [...half, ...mirrored].flat()
const bytes = Buffer.from(Float32Array.from(corners.flat()).buffer)
const extreme = pick => [0, 1, 2].map(axis => Math.fround(pick(...corners.map(corner => corner[axis]))))

const gltf = {
  asset: { version: '2.0', generator: 'make-paper-boat.js' },
  scene: 0,
  scenes: [{ nodes: [0] }],
  nodes: [{ name: 'boat', mesh: 0 }],
  meshes: [{ name: 'boat', primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
  // Without normals, faces are flat; paper has two sides.
  materials: [{ name: 'paper', doubleSided: true, pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 0.9 } }],
  accessors: [
    {
      ...{ bufferView: 0, componentType: 5126, count: corners.length, type: 'VEC3' },
      ...{ min: extreme(Math.min), max: extreme(Math.max) },
    },
  ],
  bufferViews: [{ buffer: 0, byteLength: bytes.length }],
  buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }],
}
writeFileSync(new URL('./paper-boat.gltf', import.meta.url), `${JSON.stringify(gltf, null, 2)}\n`)
