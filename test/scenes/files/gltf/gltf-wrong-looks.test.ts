/**
 * What the test suites of other loaders are made of: documents that break one rule each. Every one is refused in a sentence that names
 * the part, or read as if the rule were not there, because what it means is clear. This file has those of nodes and looks.
 */
import { describe, expect, it } from 'vitest'
import { type AnyGltf, glb, triangle } from '../../../support/gltf.ts'
import { gltfFolder, put, type Wrong, wrong } from './gltf-scenes.ts'

const { ending } = gltfFolder()

const material = (properties: object, sentence?: string): Wrong => {
  const change = (d: AnyGltf) => {
    d.materials = [properties]
    d.textures = [{ source: 0 }]
    d.images = [{ uri: 'none.png' }]
    d.meshes[0].primitives[0].material = 0
  }
  return wrong('a material', properties, change, sentence)
}
const extended = (name: string, value: unknown, sentence?: string) =>
  material({ extensions: { [name]: value } }, sentence)
const camera = (properties: object, sentence?: string): Wrong => {
  const change = (d: AnyGltf) => {
    d.cameras = [{ type: 'perspective', perspective: { yfov: 1, znear: 1, ...properties } }]
    d.nodes[0].camera = 0
  }
  return wrong('a camera', properties, change, sentence)
}
const light = (properties: object, sentence?: string): Wrong => {
  const change = (d: AnyGltf) => {
    d.extensions = { KHR_lights_punctual: { lights: [{ type: 'spot', ...properties }] } }
    d.nodes[0].extensions = { KHR_lights_punctual: { light: 0 } }
  }
  return wrong('a light', properties, change, sentence)
}

const NODES: readonly Wrong[] = [
  put('nodes[0].matrix', Array(15).fill(1), ': expected 16 numbers, got a list of 15'),
  [
    'with a matrix and a translation',
    d =>
      Object.assign(d.nodes[0], { matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], translation: [1, 1, 1] }),
    undefined,
  ],
  put('nodes[0].scale', [0, 0, 0], 'expected at least one triangle, got none: all have zero area'),
  put('nodes[0].scale', [1e308, 1, 1], "mesh 'sail': expected a place that is finite in single precision, got none"),
  put(
    'nodes[0].translation',
    [1e308, 0, 0],
    "mesh 'sail': expected a place that is finite in single precision, got none",
  ),
  put('nodes[0].rotation', [0, 0, 0, 0]),
  put('nodes[0].children', '1', ": expected a list, got '1'"),
  put('nodes', [5], 'nodes[0]: expected an object, got 5'),
  put('nodes', {}, ': expected a list, got an object'),
  [
    'in a scene that are children, too',
    d => {
      d.nodes = [{ children: [1] }, { mesh: 0 }]
      d.scenes = [{ nodes: [0, 1] }]
    },
    'scene 0: expected nodes without a parent, got node 1 of node 0',
  ],
  [
    'a hundred thousand deep',
    d => {
      d.nodes = Array.from({ length: 1e5 }, (_, i) => (i < 99_999 ? { children: [i + 1] } : { mesh: 0 }))
    },
    'node 1001: expected nodes nested at most 1000 deep, got more',
  ],
  [
    'beside a hundred thousand empty ones',
    d => {
      d.nodes = [{ mesh: 0 }, ...Array.from({ length: 1e5 }, () => ({}))]
      d.scenes = [{ nodes: [...d.nodes.keys()] }]
    },
    undefined,
  ],
]

const LOOKS: readonly Wrong[] = [
  material(
    { pbrMetallicRoughness: { baseColorFactor: [1, 1, 1] } },
    'materials[0].pbrMetallicRoughness.baseColorFactor: expected 4 numbers, got a list of 3',
  ),
  material({ alphaMode: 'ADD' }, "materials[0].alphaMode: expected one of OPAQUE, MASK, BLEND, got 'ADD'"),
  material({ alphaCutoff: '0.5' }, "materials[0].alphaCutoff: expected a number, got '0.5'"),
  material({ doubleSided: 'yes' }, "materials[0].doubleSided: expected true or false, got 'yes'"),
  material({
    pbrMetallicRoughness: { baseColorFactor: [9, -1, 1e308, 2], roughnessFactor: -1, metallicFactor: 1e308 },
    emissiveFactor: [1e308, 0, 0],
  }),
  extended('KHR_materials_clearcoat', 5, 'materials[0].extensions.KHR_materials_clearcoat: expected an object, got 5'),
  extended(
    'KHR_materials_clearcoat',
    { clearcoatFactor: 'a' },
    "materials[0].extensions.KHR_materials_clearcoat.clearcoatFactor: expected a number, got 'a'",
  ),
  extended(
    'KHR_materials_clearcoat',
    { clearcoatFactor: 'NaN' },
    "materials[0].extensions.KHR_materials_clearcoat.clearcoatFactor: expected a number, got 'NaN'",
  ),
  extended('KHR_materials_clearcoat', { clearcoatFactor: -1 }),
  extended('KHR_materials_ior', { ior: 1e308 }),
  extended(
    'KHR_materials_sheen',
    { sheenColorFactor: [1, 1] },
    'materials[0].extensions.KHR_materials_sheen.sheenColorFactor: expected 3 numbers, got a list of 2',
  ),
  material({ emissiveFactor: [1, 1, 1], extensions: { KHR_materials_emissive_strength: { emissiveStrength: 1e308 } } }),
  extended(
    'KHR_materials_clearcoat',
    { clearcoatTexture: { index: 5 } },
    'material 0: expected a texture below 1, got 5',
  ),
  material({ normalTexture: {} }, 'materials[0].normalTexture.index: expected a number, got nothing'),
  material(
    { normalTexture: { index: 0, extensions: { KHR_texture_transform: { offset: ['a', 0] } } } },
    "materials[0].normalTexture.extensions.KHR_texture_transform.offset[0]: expected a number, got 'a'",
  ),
  material({ normalTexture: { index: 0, extensions: { KHR_texture_transform: { scale: [1e308, 1] } } } }),
  material({ normalTexture: { index: 0, texCoord: 9 } }),
  [
    'a texture of a sampler that is not there',
    d => Object.assign(d, { textures: [{ sampler: 2 }], samplers: [{}] }),
    'texture 0: expected a sampler below 1, got 2',
  ],
  [
    'a texture of an image that is not there',
    d => Object.assign(d, { textures: [{ source: 2 }], images: [{}] }),
    'texture 0: expected an image below 1, got 2',
  ],
  put('samplers', [{ wrapS: 5 }]),
  put('images', [{ bufferView: 7 }], 'image 0: expected a buffer view below 2, got 7'),
  put('cameras', [{}], 'cameras[0].type: expected one of perspective, orthographic, got nothing'),
  camera({ yfov: 0 }, 'cameras[0].perspective.yfov: expected a number above 0, got 0'),
  camera({ yfov: 3.2 }, 'cameras[0].perspective.yfov: expected a number below 3.141592653589793, got 3.2'),
  camera({ aspectRatio: 0 }, 'cameras[0].perspective.aspectRatio: expected a number above 0, got 0'),
  camera({ zfar: 0.5 }, 'camera 0: expected zfar beyond znear 1, got 0.5'),
  light({ intensity: -1 }, 'extensions.KHR_lights_punctual.lights[0].intensity: expected a number from 0, got -1'),
  light({ range: -1 }, 'extensions.KHR_lights_punctual.lights[0].range: expected a number above 0, got -1'),
  light(
    { intensity: 1e308 },
    "light 'light_0': expected light from 0 to 1000000000000, got intensity 1e+308 of colour 1, 1, 1",
  ),
  light(
    { type: 'lamp' },
    "extensions.KHR_lights_punctual.lights[0].type: expected one of directional, point, spot, got 'lamp'",
  ),
  light(
    { spot: { innerConeAngle: 1, outerConeAngle: 0.5 } },
    'light 0: expected an inner cone within the outer one of 0.5, got 1',
  ),
]

describe.each([
  ['nodes', NODES],
  ['looks', LOOKS],
])('%s', (_, cases) => {
  it.each(cases)('%s', async (_, change, sentence) => {
    expect(await ending(glb(triangle(change)))).toBe(sentence)
  })
})
