/** Skins, morph targets, instances and films of glTF files that are wrong: a picture, or one sentence, soon. */
import { describe, expect, it } from 'vitest'
import { type AnyGltf, FLOAT, type GltfParts, glb, type Numbers } from '../../../support/gltf.ts'
import { gltfFolder } from './gltf-scenes.ts'
import { withArrays } from './moving-gltf.ts'

const { ending } = gltfFolder()
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

interface Arrays {
  readonly weights?: Numbers
  readonly inverse?: Numbers
  readonly target?: Numbers
  readonly places?: Numbers
}

/**
 * A triangle with a skin of two joints, and another one with two targets in two places. Accessors: 2 joints, 3 weights, 4 inverse
 * matrices, 5 a target, 6 places, 7 times, 8 values.
 */
function figures(change: (document: AnyGltf) => void, arrays: Arrays = {}): GltfParts {
  const {
    weights = Float32Array.of(1, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 1, 0, 0),
    inverse = Float32Array.of(...IDENTITY, ...IDENTITY),
    target = Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1),
    places = Float32Array.of(0, 0, 0, 5, 0, 0),
  } = arrays
  return withArrays(
    [
      [Uint8Array.of(0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0), 'VEC4'],
      [weights, 'VEC4'],
      [inverse, 'MAT4'],
      [target, 'VEC3'],
      [places, 'VEC3'],
      [Float32Array.of(0, 1), 'SCALAR'],
      [Float32Array.of(0, 0, 0, 0, 1, 0), 'VEC3'],
    ],
    document => {
      document.meshes = [
        { primitives: [{ attributes: { POSITION: 0, JOINTS_0: 2, WEIGHTS_0: 3 }, indices: 1 }] },
        {
          weights: [0.5, 0],
          primitives: [{ attributes: { POSITION: 0 }, targets: [{ POSITION: 5 }, { POSITION: 5 }] }],
        },
      ]
      document.nodes = [
        { mesh: 0, skin: 0 },
        { children: [2] },
        { translation: [0, 0, 1] },
        { mesh: 1, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 6 } } } },
      ]
      document.scenes[0].nodes = [0, 1, 3]
      document.skins = [{ joints: [1, 2], inverseBindMatrices: 4 }]
      document.animations = [
        {
          samplers: [{ input: 7, output: 8 }],
          channels: [{ sampler: 0, target: { node: 2, path: 'translation' } }],
        },
      ]
      change(document)
    },
  )
}

/** The sentence, or undefined for what ends in a picture. */
type Case = readonly [what: string, parts: GltfParts, sentence: string | undefined]

const not = (at: number, numbers: readonly number[], value: number) =>
  Float32Array.from(numbers, (each, i) => (i === at ? value : each))
const sparseTarget = (place: number) => (d: AnyGltf) => {
  d.accessors[5].sparse = {
    count: 1,
    indices: { bufferView: 2, byteOffset: place, componentType: 5121 },
    values: { bufferView: 5 },
  }
}
/** Claims more elements than there are, or has none of them. */
const keys = (count: number, bufferView?: number) => (d: AnyGltf) => {
  for (const [accessor, type] of [
    [7, 'SCALAR'],
    [8, 'VEC3'],
  ] as const)
    d.accessors[accessor] = { componentType: FLOAT, count, type, ...(bufferView === undefined ? {} : { bufferView }) }
}

const SKINS: readonly Case[] = [
  ['as it should be', figures(() => {}), undefined],
  ['with a joint that is not there', figures(d => d.skins[0].joints.push(9)), 'skin 0: expected a node below 4, got 9'],
  [
    'with too few inverse matrices',
    figures(() => {}, { inverse: Float32Array.from(IDENTITY) }),
    'skin 0: expected a matrix of floats for each of its 2 joints, got 1 MAT4',
  ],
  [
    'with vectors for inverse matrices',
    figures(d => Object.assign(d.skins[0], { inverseBindMatrices: 3 })),
    'skin 0: expected a matrix of floats for each of its 2 joints, got 3 VEC4',
  ],
  [
    'with inverse matrices that are not in the buffer',
    figures(d => Object.assign(d.accessors[4], { count: 9 })),
    'accessor 4 within its bytes, it needs 576 bytes, and there are 128',
  ],
  [
    'with an inverse matrix that is no number',
    figures(() => {}, { inverse: not(5, [...IDENTITY, ...IDENTITY], Number.NaN) }),
    "mesh 'mesh_0' in its pose, vertex 0: expected three finite numbers",
  ],
  [
    'with a weight that is no number',
    figures(() => {}, { weights: not(4, Array(12).fill(0.5), Number.NaN) }),
    "mesh 'mesh_0' in its pose, vertex 1: expected three finite numbers",
  ],
  ['without any weight', figures(() => {}, { weights: new Float32Array(12) }), undefined],
  [
    'whose joints contain each other',
    figures(d => Object.assign(d.nodes[2], { children: [1] })),
    'node 1: expected nodes that form a tree, got a node that contains itself',
  ],
  [
    'of which two joints have one child',
    figures(d => {
      d.nodes[1].children = [2, 3]
      d.nodes[2].children = [3]
      d.scenes[0].nodes = [0, 1]
    }),
    'node 3: expected one parent, got nodes 1 and 2',
  ],
  ['that is moved by its own node', figures(d => Object.assign(d.skins[0], { joints: [0, 0] })), undefined],
  [
    'that hangs on one of its joints',
    figures(d => {
      d.nodes[2].children = [0]
      d.scenes[0].nodes = [1, 3]
    }),
    undefined,
  ],
  ['with a skeleton that is not there', figures(d => Object.assign(d.skins[0], { skeleton: 77 })), undefined],
  ['with a skeleton below its joints', figures(d => Object.assign(d.skins[0], { skeleton: 3 })), undefined],
  [
    'with millions of joints',
    figures(d => {
      d.skins = Array.from({ length: 20 }, () => ({ joints: Array(60_000).fill(1) }))
    }),
    'all skins together: expected at most 1048576 joints, got 1200000',
  ],
]

const TARGETS: readonly Case[] = [
  ['with too many weights', figures(d => Object.assign(d.meshes[1], { weights: Array(9).fill(0.1) })), undefined],
  ['with too few weights', figures(d => Object.assign(d.meshes[1], { weights: [1] })), undefined],
  [
    'with too many weights of a node',
    figures(d => Object.assign(d.nodes[3], { weights: Array(9).fill(0.1) })),
    undefined,
  ],
  [
    'with a weight in words',
    figures(d => Object.assign(d.meshes[1], { weights: ['1'] })),
    "meshes[1].weights[0]: expected a number, got '1'",
  ],
  [
    'with one that is not there',
    figures(d => d.meshes[1].primitives[0].targets.push({ POSITION: 99 })),
    'a morph target of mesh 1, primitive 0, POSITION: expected an accessor below 9, got 99',
  ],
  [
    'that are no numbers',
    figures(() => {}, { target: not(4, Array(9).fill(0), Number.NaN) }),
    "mesh 'mesh_1' in its pose, vertex 1: expected three finite numbers",
  ],
  ['that replace one element', figures(sparseTarget(0)), undefined],
  [
    'that replace elements beyond their own',
    figures(d => {
      sparseTarget(0)(d)
      d.bufferViews.push({ buffer: 0, byteOffset: d.bufferViews[3].byteOffset + 3, byteLength: 1 })
      d.accessors[5].sparse.indices = { bufferView: d.bufferViews.length - 1, componentType: 5121 }
    }),
    'accessor 5: expected sparse elements below 3, got 63',
  ],
]

const INSTANCES: readonly Case[] = [
  [
    'at a place that is no number',
    figures(() => {}, { places: not(3, Array(6).fill(0), Number.NaN) }),
    "mesh 'mesh_1', instance 1: expected a place that is finite in single precision, got none",
  ],
  [
    'at places that are not in the buffer',
    figures(d => Object.assign(d.accessors[6], { count: 1_000_000 })),
    'accessor 6 within its bytes, it needs 12000000 bytes, and there are 24',
  ],
  [
    'of different numbers',
    figures(d => Object.assign(d.nodes[3].extensions.EXT_mesh_gpu_instancing.attributes, { SCALE: 5 })),
    'the instances of node 3, SCALE: expected 2 elements like the other attributes, got 3',
  ],
  [
    'of turns that are places',
    figures(d => Object.assign(d.nodes[3].extensions.EXT_mesh_gpu_instancing.attributes, { ROTATION: 6 })),
    'the instances of node 3, ROTATION: expected VEC4, got VEC3',
  ],
  ['of nothing', figures(d => Reflect.deleteProperty(d.nodes[3], 'mesh')), undefined],
  [
    'without places',
    figures(d => Object.assign(d.nodes[3].extensions.EXT_mesh_gpu_instancing, { attributes: {} })),
    undefined,
  ],
]

const FILMS: readonly Case[] = [
  [
    'with ten million keys that are not in the buffer',
    figures(keys(10_000_000, 7)),
    'accessor 7 within its bytes, it needs 40000000 bytes, and there are 8',
  ],
  [
    'with ten million keys at once',
    figures(keys(10_000_000)),
    'animation 0, channel 0: expected times from 0 to 86400 s that increase, got 0 s at key 1',
  ],
  [
    'with four billion keys',
    figures(keys(4_000_000_000)),
    'accessor 7: expected at most 268435456 bytes of zeros in all, got more',
  ],
  [
    'with keys in words',
    figures(d => Object.assign(d.animations[0].samplers[0], { input: '7' })),
    "animations[0].samplers[0].input: expected a number, got '7'",
  ],
  ['without channels', figures(d => Object.assign(d.animations[0], { channels: [] })), undefined],
  ['without samplers', figures(d => Object.assign(d, { animations: [{}] })), undefined],
  [
    'of a node that is out of the scene',
    figures(d => {
      d.nodes.push({})
      d.animations[0].channels[0].target.node = 4
    }),
    undefined,
  ],
]

describe.each([
  ['a skin', SKINS],
  ['morph targets', TARGETS],
  ['instances', INSTANCES],
  ['a film', FILMS],
])('%s', (_, cases) => {
  it.each(cases)('%s', async (_, parts, sentence) => {
    const said = await ending(glb(parts))
    if (sentence === undefined) expect(said).toBeUndefined()
    else expect(said).toContain(sentence)
  })
})
