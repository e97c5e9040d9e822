import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Document, NodeIO } from '@gltf-transform/core'
import { describe, expect, it } from 'vitest'
import { KNOWN } from '../../../../scenes/files/gltf/gltf-extensions.ts'
import { importThree } from '../../../../scenes/import/import-three.ts'
import { loadFile } from '../../../../scenes/load-file.ts'
import { DEFAULT_MATERIAL } from '../../../../shared/scene/material.ts'
import { bakedThree } from '../../../support/baked.ts'
import { FLOAT, glb, gltfText, triangle, viewsOf } from '../../../support/gltf.ts'
import { normalOf } from '../../../support/triangles.ts'
import { gltfFolder } from './gltf-scenes.ts'

const { folder, loaded, traced, refusal } = gltfFolder()

const PLAIN = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
]

describe('a glTF file', () => {
  it('is read as text and as bytes, and stands in daylight like any mesh', async () => {
    for (const [name, content] of [
      ['a.glb', glb(triangle())],
      ['b.gltf', gltfText(triangle())],
    ] as const) {
      const path = join(folder, name)
      await writeFile(path, content)
      const scene = await loadFile(path)
      expect(scene.subject.max.toArray()).toEqual([1, 1, 0])
      expect(scene.floor).toBeDefined()
      expect(scene.files).toEqual([path])
      expect(scene.problems).toEqual([])
      expect(bakedThree(scene.scene).problems).toEqual([])
    }
  })

  it('by another writer is the same', async () => {
    const document = new Document()
    const buffer = document.createBuffer()
    const accessor = (type: 'VEC3' | 'SCALAR', array: Float32Array | Uint16Array) =>
      document
        .createAccessor()
        .setType(type)
        .setArray(array as never)
        .setBuffer(buffer)
    const primitive = document
      .createPrimitive()
      .setAttribute('POSITION', accessor('VEC3', Float32Array.from(PLAIN.flat())))
      .setIndices(accessor('SCALAR', Uint16Array.of(0, 1, 2)))
    const mesh = document.createMesh().addPrimitive(primitive)
    document.createScene().addChild(document.createNode('sail').setMesh(mesh).setTranslation([5, 0, 0]))
    const { subject } = await loaded(await new NodeIO().writeBinary(document))
    expect(subject.min.toArray()).toEqual([5, 0, 0])
  })

  it('places nodes in nodes, and a mirrored one keeps its outside outside', async () => {
    const { corners, data } = await traced(
      triangle(document => {
        document.nodes = [
          { children: [1], translation: [10, 0, 0], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] },
          { mesh: 0, scale: [-2, 1, 1] },
        ]
      }),
    )
    // Scaled, turned a quarter around z, moved. Mirrored triangles change the order of their corners.
    const places = corners(0).map(String).sort()
    expect(places).toEqual(['10,-2,0', '10,0,0', '9,0,0'])
    expect(normalOf(data, 0, 0)[2]).toBeCloseTo(1)
    const [a, b, c] = corners(0) as [number[], number[], number[]]
    const cross = (b[0]! - a[0]!) * (c[1]! - a[1]!) - (b[1]! - a[1]!) * (c[0]! - a[0]!)
    expect(Math.sign(cross)).toBe(1)
  })

  it('takes matrices, and the same mesh in two nodes once', async () => {
    const { corners, description } = await traced(
      triangle(document => {
        document.scenes = [{ nodes: [0, 1] }]
        document.nodes = [{ mesh: 0 }, { mesh: 0, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 3, 1] }]
      }),
    )
    expect(description.meshes).toHaveLength(1)
    expect(corners(1)[1]).toEqual([1, 0, 3])
  })

  it('shows its default scene, and all nodes if it has none', async () => {
    const two = (scene: number) =>
      triangle(document => {
        document.nodes = [{ mesh: 0 }, { mesh: 0, translation: [0, 0, 4] }]
        Object.assign(document, { scene, scenes: [{ nodes: [0] }, { nodes: [1], name: 'far' }] })
      })
    expect((await traced(two(0))).corners(0)).toEqual(PLAIN)
    const other = await traced(two(1))
    expect(other.corners(0)[0]).toEqual([0, 0, 4])
    expect(other.problems).toEqual(["only scene 'far' is shown: another is left out"])
    const none = await traced(
      triangle(document => {
        document.scene = undefined
        document.scenes = undefined
        document.nodes = [{ children: [1] }, { mesh: 0 }, { mesh: 0 }]
      }),
    )
    expect(none.description.instances).toHaveLength(2)
  })
})

describe('objects of a glTF file', () => {
  it('are nodes by their names as the file has them, with all primitives of their mesh', async () => {
    const scene = await loaded(
      glb(
        triangle(document => {
          const [{ primitives }] = document.meshes as [{ primitives: object[] }]
          document.meshes = [
            { name: 'hull', primitives: [...primitives, ...primitives] },
            { name: 'sail', primitives },
          ]
          document.scenes = [{ nodes: [0, 1, 2, 3] }]
          document.nodes = [
            { name: 'the boat.001', mesh: 0 },
            { name: 'the boat.002', mesh: 1, translation: [0, 0, 1] },
            { mesh: 0, translation: [0, 0, 2] },
            { mesh: 1, translation: [0, 0, 3] },
          ]
        }),
      ),
    )
    const { description, names } = importThree(scene.scene)
    const shown = description.instances.map(({ object = 0 }) => names.objects[object]).slice(0, 6)
    // Those without a name are called as their meshes.
    expect(shown).toEqual(['the boat.001', 'the boat.001', 'the boat.002', 'hull', 'hull', 'sail'])
  })
})

describe('what a glTF file has besides meshes', () => {
  it('materials with the factors of glTF and its extensions', async () => {
    const { description } = await traced(
      triangle(document => {
        document.meshes[0].primitives[0].material = 0
        document.materials = [
          {
            pbrMetallicRoughness: { baseColorFactor: [0.1, 0.2, 0.3, 1], metallicFactor: 0.25, roughnessFactor: 0.5 },
            emissiveFactor: [0.5, 0, 1],
            extensions: {
              KHR_materials_emissive_strength: { emissiveStrength: 4 },
              KHR_materials_ior: { ior: 1.33 },
              KHR_materials_transmission: { transmissionFactor: 0.75 },
              KHR_materials_volume: { thicknessFactor: 1, attenuationDistance: 2, attenuationColor: [0.5, 1, 0.25] },
              KHR_materials_clearcoat: { clearcoatFactor: 0.5, clearcoatRoughnessFactor: 0.125 },
            },
          },
        ]
      }),
    )
    expect(description.materials[0]).toEqual({
      ...DEFAULT_MATERIAL,
      color: [0.1, 0.2, 0.3],
      metallic: 0.25,
      roughness: 0.5,
      emission: [2, 0, 4],
      ior: 1.33,
      transmission: 0.75,
      thin: false,
      coat: 0.5,
      coatRoughness: 0.125,
      absorption: [expect.closeTo(Math.LN2 / 2, 6), 0, expect.closeTo(Math.LN2, 6)],
    })
  })

  it('lights in its units, also one for two nodes, and then no daylight', async () => {
    const { description, scene, problems } = await traced(
      triangle(document => {
        const lights = [
          { type: 'directional', intensity: 3, color: [1, 0.5, 0] },
          { type: 'point', intensity: 20 },
          { type: 'spot', intensity: 8, spot: { innerConeAngle: 0.25, outerConeAngle: 0.5 } },
        ]
        document.extensions = { KHR_lights_punctual: { lights } }
        const light = (light: number) => ({ extensions: { KHR_lights_punctual: { light } } })
        const down = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2]
        document.nodes.push(
          { ...light(0), rotation: down },
          { ...light(1), translation: [0.5, 2, 0] },
          { ...light(2), translation: [0, 5, 0], rotation: down },
          { ...light(2), translation: [9, 9, 9] },
        )
        document.scenes[0].nodes = [0, 1, 2, 3, 4]
      }),
    )
    const [sun, point, spot, other] = description.lights
    const near = (...values: number[]) => values.map(value => expect.closeTo(value, 5))
    expect(sun).toMatchObject({ kind: 'distant', irradiance: [3, 1.5, 0], direction: near(0, 1, 0) })
    expect(point).toMatchObject({ kind: 'point', intensity: [20, 20, 20], radius: 0 })
    expect(spot).toMatchObject({ kind: 'spot', intensity: [8, 8, 8], direction: near(0, -1, 0) })
    expect(spot).toMatchObject({
      innerCosine: expect.closeTo(Math.cos(0.25), 6),
      outerCosine: expect.closeTo(Math.cos(0.5), 6),
      falloff: 'squared',
    })
    expect(other).toMatchObject({ direction: near(0, 0, -1) })
    expect(description.environment).toMatchObject({ zenith: [0, 0, 0] })
    expect(scene.exposure).toBe(1)
    expect(problems).toEqual([])
  })

  it('instances of EXT_mesh_gpu_instancing', async () => {
    const { document } = triangle()
    const { bufferViews, body } = viewsOf(
      ...[Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), Uint16Array.of(0, 1, 2)],
      ...[Float32Array.of(0, 0, 0, 5, 0, 0), Float32Array.of(1, 1, 1, 2, 2, 2)],
    )
    Object.assign(document, { bufferViews, buffers: [{ byteLength: body.length }] })
    for (const bufferView of [2, 3])
      document.accessors.push({ bufferView, componentType: 5126, count: 2, type: 'VEC3' })
    document.nodes[0].extensions = { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 2, SCALE: 3 } } }
    document.extensionsRequired = ['EXT_mesh_gpu_instancing']
    const { scene, corners, description, problems } = await traced({ document, body })
    expect(problems).toEqual([])
    expect(description.instances).toHaveLength(2)
    expect(corners(1).map(([x]) => x)).toEqual([5, 7, 5])
    const name = 'EXT_mesh_gpu_instancing'
    expect(scene.declared!.extensions).toEqual([{ name, required: true, honoured: true }])
  })

  it('what it uses, and whether that is shown', async () => {
    const used = [...KNOWN, 'EXT_other']
    const { declared } = await loaded(glb(triangle(document => Object.assign(document, { extensionsUsed: used }))))
    expect(declared!.extensions.map(({ name }) => name)).toEqual(used)
    const others = declared!.extensions.filter(({ honoured }) => !honoured)
    expect(others.map(({ name }) => name)).toEqual([
      ...['KHR_materials_pbrSpecularGlossiness', 'KHR_materials_diffuse_roughness', 'EXT_other'],
    ])
  })

  it('cameras by the names of their nodes, and then no floor', async () => {
    const { document, body } = triangle(document => {
      document.cameras = [
        { type: 'perspective', name: 'lens', perspective: { yfov: 0.5, znear: 0.1, aspectRatio: 2 } },
        { type: 'orthographic', orthographic: { xmag: 2, ymag: 1, znear: 0, zfar: 100 } },
      ]
      document.nodes.push({ camera: 0, name: 'Front view.001', translation: [0, 0, 5] }, { camera: 1 })
      document.scenes[0].nodes = [0, 1, 2]
    })
    const path = join(folder, 'cameras.glb')
    await writeFile(path, glb({ document, body }))
    const { cameras, floor } = await loadFile(path)
    expect(floor).toBeUndefined()
    expect(cameras).toMatchObject([
      {
        name: 'Front view.001',
        origin: [0, 0, 5],
        back: [0, 0, 1],
        near: 0.1,
        aspect: 2,
        tanHalfY: expect.closeTo(Math.tan(0.25), 6),
      },
      { name: 'camera 1', orthographic: true, tanHalfY: 1, far: 100 },
    ])
    expect((await loadFile(path, { floor: true })).floor).toBeDefined()
  })

  it('skins and morph targets in the pose of the file', async () => {
    const { bufferViews, body } = viewsOf(
      Float32Array.from(PLAIN.flat()),
      Uint16Array.of(0, 1, 2),
      Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
      Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),
      Float32Array.of(0, 0, 2, 0, 0, 0, 0, 0, 0),
    )
    const { document } = triangle()
    Object.assign(document, { bufferViews, buffers: [{ byteLength: body.length }] })
    document.accessors.push(
      { bufferView: 2, componentType: 5121, count: 3, type: 'VEC4' },
      { bufferView: 3, componentType: FLOAT, count: 3, type: 'VEC4' },
      { bufferView: 4, componentType: FLOAT, count: 3, type: 'VEC3' },
    )
    Object.assign(document.meshes[0].primitives[0], {
      attributes: { POSITION: 0, JOINTS_0: 2, WEIGHTS_0: 3 },
      targets: [{ POSITION: 4 }],
    })
    document.meshes[0].weights = [0.5]
    // The transform of a skinned node does not count; joint 1 moves vertex 1 by 0,0,3.
    document.nodes = [{ mesh: 0, skin: 0, translation: [50, 50, 50] }, {}, { translation: [0, 0, 3] }]
    document.scenes[0].nodes = [0, 1, 2]
    document.skins = [{ joints: [1, 2] }]
    document.animations = [{}]
    const { corners, problems } = await traced({ document, body })
    expect(corners(0)).toEqual([
      [0, 0, 1],
      [1, 0, 3],
      [0, 1, 0],
    ])
    expect(problems).toEqual([])
  })

  it('points and lines are told and left out', async () => {
    const { problems, description } = await traced(
      triangle(document => {
        document.meshes[0].primitives.push(
          { attributes: { POSITION: 0 }, mode: 0 },
          { attributes: { POSITION: 0 }, mode: 1 },
        )
      }),
    )
    expect(description.instances).toHaveLength(1)
    expect(problems).toEqual(['2 primitives of lines or points were ignored: only triangles are supported'])
  })

  it('points and lines are told once for a mesh, and only where they would be seen', async () => {
    const { problems } = await traced(
      triangle(document => {
        const lines = { primitives: [{ attributes: { POSITION: 0 }, mode: 3 }] }
        document.meshes.push(lines, lines, lines)
        const hidden = { KHR_node_visibility: { visible: false } }
        document.nodes.push({ mesh: 1 }, { mesh: 1 }, { mesh: 2, extensions: hidden }, { mesh: 3 })
        document.scenes[0].nodes = [0, 1, 2, 3]
      }),
    )
    expect(problems).toEqual(['a primitive of lines or points was ignored: only triangles are supported'])
  })

  it('nothing but points and lines is refused for that', async () => {
    const only = triangle(document => Object.assign(document.meshes[0].primitives[0], { mode: 0 }))
    const { code, message } = await refusal('points.glb', glb(only))
    expect(code).toBe('SCENE_EMPTY')
    expect(message).toContain('expected at least one triangle, got none: its scene has lines or points only')
  })

  it('what is hidden stays hidden, with all below it', async () => {
    const { description } = await traced(
      triangle(document => {
        document.nodes = [
          { mesh: 0 },
          { mesh: 0, children: [2], extensions: { KHR_node_visibility: { visible: false } } },
          { mesh: 0, camera: 0 },
        ]
        document.cameras = [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }]
        document.scenes[0].nodes = [0, 1]
      }),
    )
    expect(description.instances).toHaveLength(1)
  })

  it('specular and glossiness, in newer terms', async () => {
    const { description, problems } = await traced(
      triangle(document => {
        document.meshes[0].primitives[0].material = 0
        document.extensionsUsed = ['KHR_materials_pbrSpecularGlossiness']
        const old = { diffuseFactor: [0.5, 0.25, 1, 1], specularFactor: [0.04, 0.4, 1], glossinessFactor: 0.75 }
        document.materials = [{ extensions: { KHR_materials_pbrSpecularGlossiness: old } }]
      }),
    )
    expect(problems).toEqual([])
    expect(description.materials[0]).toMatchObject({
      color: [0.5, 0.25, 1],
      metallic: 0,
      roughness: 0.25,
      specularColor: [1, 10, 25],
    })
  })

  it('extensions that would be seen and are not are told, others not', async () => {
    const { problems } = await traced(
      triangle(document => {
        document.extensionsUsed = [
          ...['KHR_materials_diffuse_transmission', 'EXT_lights_image_based', 'KHR_xmp_json_ld', 'KHR_materials_ior'],
          ...['KHR_materials_variants', 'EXT_mesh_features', 'KHR_audio_emitter'],
        ]
      }),
    )
    expect(problems).toEqual([
      'what its extensions KHR_materials_diffuse_transmission, EXT_lights_image_based would change is not shown',
    ])
  })

  it('unlit materials, and sides that are not to be seen', async () => {
    const { description, problems } = await traced(
      triangle(document => {
        document.meshes[0].primitives[0].material = 0
        document.materials = [{ extensions: { KHR_materials_unlit: {} }, doubleSided: true }]
      }),
    )
    expect(problems).toEqual([])
    expect(description.materials[0]).toMatchObject({ unlit: true, culled: false })
    const { description: single } = await traced(triangle())
    expect(single.materials[0]).toMatchObject({ unlit: false, culled: true, roughness: 0.9999 })
  })
})
