/** Skins with more than four joints, skinned instances, and morph targets of everything, against numbers worked out by hand. */
import { describe, expect, it } from 'vitest'
import { importThree } from '../../../../scenes/import/import-three.ts'
import type { LoadedScene } from '../../../../scenes/scene-source.ts'
import {
  offsetOf,
  type SceneMesh,
  strideOf,
  VERTEX_ATTRIBUTES,
  type VertexAttribute,
} from '../../../../shared/scene/description.ts'
import { type AnyGltf, type GltfParts, glb, type Numbers } from '../../../support/gltf.ts'
import { gltfFolder, round } from './gltf-scenes.ts'
import { HALF, withArrays } from './moving-gltf.ts'

const { loaded, traced, refusal } = gltfFolder()
const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7]

/** A triangle of which joint k moves what follows it by k along x. Attributes are 2 and 3, 4 and 5. */
function figure(weights: readonly [Numbers, Numbers], change: (document: AnyGltf) => void = () => {}): GltfParts {
  const normalized = !(weights[0] instanceof Float32Array)
  return withArrays(
    [
      [Uint8Array.of(0, 1, 2, 3, 1, 6, 0, 0, 0, 0, 0, 0), 'VEC4'],
      [weights[0], 'VEC4', { normalized }],
      [Uint8Array.of(4, 5, 6, 7, 0, 0, 0, 0, 0, 5, 0, 0), 'VEC4'],
      [weights[1], 'VEC4', { normalized }],
    ],
    document => {
      document.meshes[0].primitives[0].attributes = {
        POSITION: 0,
        JOINTS_0: 2,
        WEIGHTS_0: 3,
        JOINTS_1: 4,
        WEIGHTS_1: 5,
      }
      Object.assign(document.nodes[0], { skin: 0 })
      document.skins = [{ joints: EIGHT.map(joint => joint + 1) }]
      for (const joint of EIGHT) {
        document.nodes.push({ translation: [joint, 0, 0] })
        document.scenes[0].nodes.push(joint + 1)
      }
      change(document)
    },
  )
}

/** The first vertex by all joints alike, the second by 1 and 6, the third by 5, which is in the second set. */
const SHARES = [
  Float32Array.of(0.125, 0.125, 0.125, 0.125, 0.25, 0.75, 0, 0, 0, 0, 0, 0),
  Float32Array.of(0.125, 0.125, 0.125, 0.125, 0, 0, 0, 0, 0, 1, 0, 0),
] as const
const MOVED = [
  [3.5, 0, 0],
  [5.75, 0, 0],
  [5, 1, 0],
]

describe('a skin with eight joints for each vertex', () => {
  it('moves them by all of them', async () => {
    const { corners, problems } = await traced(figure(SHARES))
    expect(corners(0)).toEqual(MOVED)
    expect(problems).toEqual([])
  })

  it('has weights of any size and type, of which the sum counts', async () => {
    const twice = SHARES.map(weights => weights.map(weight => weight * 2)) as [Float32Array, Float32Array]
    expect((await traced(figure(twice))).corners(0)).toEqual(MOVED)
    // 51 / 255 = 1 / 5.
    const bytes = [
      Uint8Array.of(51, 0, 0, 0, 51, 204, 0, 0, 0, 0, 0, 0),
      Uint8Array.of(0, 0, 0, 204, 0, 0, 0, 0, 0, 255, 0, 0),
    ] as const
    expect((await traced(figure(bytes))).corners(0)).toEqual([
      [5.6, 0, 0],
      [6, 0, 0],
      [5, 1, 0],
    ])
  })

  it('is the same in several nodes, also in one that is not skinned, where it stands as it is', async () => {
    const { corners, description } = await traced(
      figure(SHARES, document => {
        document.scenes[0].nodes.push(document.nodes.push({ mesh: 0, skin: 0 }) - 1)
        document.scenes[0].nodes.push(document.nodes.push({ mesh: 0 }) - 1)
      }),
    )
    expect(description.instances).toHaveLength(3)
    expect([corners(0), corners(1), corners(2)]).toEqual([
      MOVED,
      MOVED,
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ],
    ])
  })

  it('with a joint of the second set that is not there is refused', async () => {
    const { message } = await refusal('stray.glb', glb(figure(SHARES, document => document.skins[0].joints.pop())))
    expect(message).toContain("mesh 'sail', vertex 0: expected joints below 7, got 7")
    const wrong = figure(SHARES, document => Object.assign(document.accessors[4], { componentType: 5120 }))
    expect((await refusal('signed.glb', glb(wrong))).message).toContain(
      'JOINTS_1: expected unsigned integers of 8 or 16 bits, got VEC4 of component type 5120',
    )
  })
})

describe('instances that are skinned', () => {
  const placed = (change: (document: AnyGltf) => void = () => {}) => {
    const parts = withArrays(
      [
        [Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0), 'VEC4'],
        [Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0), 'VEC4'],
        [Float32Array.of(0, 0, 0, 0, 10, 0), 'VEC3'],
        [Float32Array.of(1, 1, 1, 2, 2, 2), 'VEC3'],
        [Float32Array.of(0, 1), 'SCALAR'],
        [Float32Array.of(0, 0, 3, 0, 0, 5), 'VEC3'],
      ],
      document => {
        document.meshes[0].primitives[0].attributes = { POSITION: 0, JOINTS_0: 2, WEIGHTS_0: 3 }
        const EXT_mesh_gpu_instancing = { attributes: { TRANSLATION: 4, SCALE: 5 } }
        document.nodes = [{ mesh: 0, skin: 0, extensions: { EXT_mesh_gpu_instancing } }, {}, { translation: [0, 0, 3] }]
        document.scenes[0].nodes = [0, 1, 2]
        document.skins = [{ joints: [1, 2] }]
        document.animations = [
          {
            samplers: [{ input: 6, output: 7, interpolation: 'LINEAR' }],
            channels: [{ sampler: 0, target: { node: 2, path: 'translation' } }],
          },
        ]
        change(document)
      },
    )
    return parts
  }

  it('stand where they should, in the pose of their joints', async () => {
    const { corners, description } = await traced(placed())
    expect(description.meshes).toHaveLength(1)
    expect([corners(0), corners(1)]).toEqual([
      [
        [0, 0, 0],
        [1, 0, 3],
        [0, 1, 0],
      ],
      [
        [0, 10, 0],
        [2, 10, 6],
        [0, 12, 0],
      ],
    ])
  })

  it('are placed relative to their node, which moves no vertex itself', async () => {
    const { corners } = await traced(
      placed(document => Object.assign(document.nodes[0], { translation: [0, 0, 7], scale: [1, 3, 1] })),
    )
    // From the node, z of the vertices is 7 less; twice that, and back. The step of 10 is 30 in the node.
    expect([corners(0), corners(1)]).toEqual([
      [
        [0, 0, 0],
        [1, 0, 3],
        [0, 1, 0],
      ],
      [
        [0, 30, -7],
        [2, 30, -1],
        [0, 32, -7],
      ],
    ])
  })

  it('move with their joints', async () => {
    const scene = await loaded(glb(placed()))
    scene.motion!.setTime(0.5, 1)
    const { meshes, instances } = importThree(scene.scene).description
    expect(instances.map(({ mesh }) => mesh)).toEqual([0, 0])
    expect(verticesOf(meshes[0]!).map(({ position }) => position![2])).toEqual([0, 4, 0])
  })
})

/** By vertex. */
function verticesOf(mesh: SceneMesh) {
  const { attributes, vertices } = mesh
  const stride = strideOf(attributes)
  const numbers = (vertex: number, name: VertexAttribute) => {
    const at = vertex * stride + offsetOf(mesh, name)!
    return [...vertices.subarray(at, at + VERTEX_ATTRIBUTES[name])].map(round)
  }
  return Array.from(
    { length: vertices.length / stride },
    (_, vertex): Partial<Record<VertexAttribute, number[]>> =>
      Object.fromEntries(attributes.map(name => [name, numbers(vertex, name)])),
  )
}

describe('morph targets', () => {
  const PICTURE =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='
  const each = (...values: number[]) => Float32Array.of(...values, ...values, ...values)
  /** Two targets: of tangents and colours, and of texture coordinates of both sets and positions. */
  const parts = (change: (document: AnyGltf) => void = () => {}) =>
    withArrays(
      [
        [each(0, 0, 1), 'VEC3'],
        [each(1, 0, 0, -1), 'VEC4'],
        [Uint8Array.of(0, 0, 255, 0, 0, 255), 'VEC2', { normalized: true }],
        [each(0.5, 0.5, 0.5), 'VEC3'],
        [each(0, 2, 0), 'VEC3'],
        [each(0.4, -2, 2), 'VEC3'],
        [each(1, 2), 'VEC2'],
        [each(0, 0, 4), 'VEC3'],
        [each(-4, 0), 'VEC2'],
        [each(0.25, 0.25, 0.25, 0.5), 'VEC4'],
        [each(0, 0, 0, 0.25), 'VEC4'],
      ],
      document => {
        Object.assign(document.meshes[0], { weights: [0.5, 0.25] })
        Object.assign(document.meshes[0].primitives[0], {
          material: 0,
          attributes: { POSITION: 0, NORMAL: 2, TANGENT: 3, TEXCOORD_0: 4, TEXCOORD_1: 4, COLOR_0: 5 },
          targets: [
            { TANGENT: 6, COLOR_0: 7 },
            { TEXCOORD_0: 8, TEXCOORD_1: 10, POSITION: 9 },
          ],
        })
        document.images = [{ uri: PICTURE }]
        document.textures = [{ source: 0 }]
        document.materials = [
          {
            normalTexture: { index: 0 },
            pbrMetallicRoughness: { baseColorTexture: { index: 0, texCoord: 1 } },
          },
        ]
        change(document)
      },
    )
  const first = (scene: LoadedScene) => {
    const { description, problems } = importThree(scene.scene)
    expect([...scene.problems, ...problems]).toEqual([])
    return verticesOf(description.meshes[0]!)
  }

  it('move tangents, texture coordinates and colours, each by what it says', async () => {
    const [vertex, second] = first(await loaded(glb(parts())))
    expect(vertex).toEqual({
      position: [0, 0, 1],
      normal: [0, 0, 1],
      // 1,0,0 + 0,1,0, of unit length; the bitangent stays on its side.
      tangent: [round(HALF), round(HALF), 0, -1],
      uv: [0.25, 0.5],
      uv2: [-1, 0],
      // 0.5 + 0.5 · (0.4, -2, 2), clamped.
      color: [0.7, 0, 1, 1],
    })
    expect(second).toMatchObject({ uv: [1.25, 0.5], uv2: [0, 0] })
  })

  it('move opacity where the mesh has it', async () => {
    const colored = parts(document => {
      document.meshes[0].primitives[0].attributes.COLOR_0 = 11
      document.meshes[0].primitives[0].targets[0].COLOR_0 = 12
      Object.assign(document.materials[0], { alphaMode: 'BLEND' })
    })
    expect(first(await loaded(glb(colored)))[0]!.color).toEqual([0.25, 0.25, 0.25, 0.625])
  })

  it('move them with time, and back', async () => {
    const moving = parts(document => {
      const times = document.accessors.push({ bufferView: 13, componentType: 5126, count: 2, type: 'SCALAR' }) - 1
      const weights = document.accessors.push({ bufferView: 14, componentType: 5126, count: 4, type: 'SCALAR' }) - 1
      document.animations = [
        {
          samplers: [{ input: times, output: weights }],
          channels: [{ sampler: 0, target: { node: 0, path: 'weights' } }],
        },
      ]
    })
    const { document, body } = moving
    const more = Float32Array.of(0, 1, 0, 0, 0.5, 0.25)
    document.bufferViews.push(
      { buffer: 0, byteOffset: body.length, byteLength: 8 },
      { buffer: 0, byteOffset: body.length + 8, byteLength: 16 },
    )
    const longer = Uint8Array.from([...body, ...new Uint8Array(more.buffer)])
    document.buffers[0].byteLength = longer.length
    const scene = await loaded(glb({ document, body: longer }))
    const at = (seconds: number) => {
      scene.motion!.setTime(seconds, 0)
      return first(scene)[0]!
    }
    expect(at(0)).toMatchObject({ tangent: [1, 0, 0, -1], color: [0.5, 0.5, 0.5, 1], uv: [0, 0] })
    expect(at(0.5)).toMatchObject({ tangent: [0.8944, 0.4472, 0, -1], color: [0.6, 0, 1, 1], uv: [0.125, 0.25] })
    expect(at(0)).toMatchObject({ tangent: [1, 0, 0, -1], color: [0.5, 0.5, 0.5, 1], uv: [0, 0] })
  })

  it('of attributes that are not read, or that the mesh lacks, are no matter', async () => {
    const others = parts(document => {
      document.meshes[0].primitives[0].targets = [{ _HEAT: 1 }, { POSITION: 9, TEXCOORD_7: 8 }]
      const { COLOR_0: _, ...attributes } = document.meshes[0].primitives[0].attributes
      Object.assign(document.meshes[0].primitives[0], { attributes })
      document.meshes[0].primitives[0].targets[1].COLOR_0 = 7
    })
    expect(first(await loaded(glb(others)))[0]).toMatchObject({ position: [0, 0, 1], uv: [0, 0] })
  })
})
