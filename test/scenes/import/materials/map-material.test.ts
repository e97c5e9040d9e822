import {
  Color,
  DataTexture,
  LineBasicMaterial,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshMatcapMaterial,
  MeshNormalMaterial,
  MeshPhongMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  MeshToonMaterial,
  Plane,
  RawShaderMaterial,
  ShaderMaterial,
  ShadowMaterial,
  Texture,
  type Material as ThreeMaterial,
  Vector2,
} from 'three'
import { MeshStandardNodeMaterial } from 'three/webgpu'
import { describe, expect, it } from 'vitest'
import { MaterialTable, mapMaterial } from '../../../../scenes/import/materials/map-material.ts'
import { TextureTable } from '../../../../scenes/import/materials/map-texture.ts'
import { coated, glass, matte, mirror } from '../../../../scenes/look/surfaces.ts'
import { ambientMaterial } from '../../../../shared/scene/ambient-look.ts'
import { DEFAULT_MATERIAL, type Material } from '../../../../shared/scene/material.ts'

const linear = new Color(0.25, 0.5, 0.75)
const color = [0.25, 0.5, 0.75] as const

describe('three materials', () => {
  it.each<[string, Parameters<typeof mapMaterial>[0], Partial<Material>]>([
    ['basic', new MeshBasicMaterial({ color: linear }), { color, unlit: true }],
    ['basic, but lit', new MeshBasicMaterial({ color: linear, userData: { unlit: false } }), { color }],
    ['Lambert', new MeshLambertMaterial({ color: linear }), { color }],
    ['no colour', new MeshNormalMaterial(), { color: [0.5, 0.5, 0.5] }],
    ['Phong', new MeshPhongMaterial({ color: linear, shininess: 30 }), { color, roughness: 0.5 }],
    ['Phong without a highlight', new MeshPhongMaterial({ color: linear, specular: 0 }), { color }],
    [
      'standard',
      new MeshStandardMaterial({ color: linear, metalness: 0.5, roughness: 0.29 }),
      { color, metallic: 0.5, roughness: 0.29 },
    ],
    [
      'emission',
      new MeshStandardMaterial({ color: linear, emissive: new Color(0.5, 0, 1), emissiveIntensity: 4 }),
      { color, emission: [2, 0, 4] },
    ],
    [
      'a clear coat',
      new MeshPhysicalMaterial({ color: linear, clearcoat: 0.2, clearcoatRoughness: 0.1, ior: 1.6 }),
      { color, coat: 0.2, coatRoughness: 0.1, ior: 1.6 },
    ],
    [
      'a thin sheet',
      new MeshPhysicalMaterial({ color: linear, transmission: 0.4, ior: 1.7, attenuationDistance: 1 }),
      { color, transmission: 0.4, ior: 1.7, thin: true },
    ],
    [
      'a solid that absorbs',
      new MeshPhysicalMaterial({
        color: linear,
        transmission: 1,
        thickness: 0.1,
        roughness: 0,
        attenuationColor: new Color(1, 0.5, 0),
        attenuationDistance: 2,
      }),
      { color, transmission: 1, roughness: 0, absorption: [0, 0.34657359, 6.90775528] },
    ],
  ])('%s', (_, material, expected) => {
    expect(mapMaterial(material)).toEqual({ ...DEFAULT_MATERIAL, ...expected })
  })

  it('say themselves whether they are thin', () => {
    const thick = new MeshPhysicalMaterial({ transmission: 1, thickness: 2 })
    expect(mapMaterial(thick).thin).toBe(false)
    thick.userData.thin = true
    expect(mapMaterial(thick).thin).toBe(true)
    const opaque = new MeshPhysicalMaterial({ attenuationColor: new Color(0, 0, 0), attenuationDistance: 1 })
    expect(mapMaterial(opaque)).toMatchObject({ thin: false, absorption: [0, 0, 0] })
  })

  it('come back from the surfaces of built-in scenes as they were meant', () => {
    const own = [0.25, 0.5, 0.75] as const
    expect(ambientMaterial(mapMaterial(matte(own)))).toEqual({ kind: 'matte', color })
    expect(ambientMaterial(mapMaterial(coated(own, 1.6)))).toEqual({ kind: 'coated', color, ior: 1.6 })
    expect(ambientMaterial(mapMaterial(mirror(own)))).toEqual({ kind: 'mirror', color })
    expect(ambientMaterial(mapMaterial(glass(own, 1.8)))).toEqual({ kind: 'glass', color, ior: 1.8 })
    expect(mapMaterial(glass(own)).thin).toBe(false)
  })

  it('have their colours clamped, their refraction bounded', () => {
    const wild = new MeshPhysicalMaterial({ color: new Color(-1, 7, Number.NaN), transmission: 9 })
    wild.ior = Number.NaN
    wild.roughness = -1
    wild.emissive.set(new Color(-1, Number.NaN, 1e30))
    expect(mapMaterial(wild)).toMatchObject({
      color: [0, 1, 0],
      ior: 1,
      roughness: 0,
      transmission: 1,
      emission: [0, 0, 1e12],
    })
    wild.ior = 99
    expect(mapMaterial(wild)).toMatchObject({ ior: 4 })
    expect(mapMaterial(wild, new Color(0.5, 0.5, 0.5))).toMatchObject({ color: [0, 1, 0] })
  })

  it('get one number if they look alike', () => {
    const table = new MaterialTable([])
    const white = new MeshPhongMaterial({ color: new Color(1, 1, 1), specular: 0 })
    expect(table.numberOf(white, 'a')).toBe(0)
    expect(table.numberOf(new MeshLambertMaterial({ color: new Color(1, 1, 1) }), 'b')).toBe(0)
    expect(table.numberOf(white, 'c', new Color(1, 0, 0))).toBe(1)
    expect(table.materials).toHaveLength(2)
  })

  it('tell once what they ask for and do not get', () => {
    const problems: string[] = []
    const table = new MaterialTable(problems)
    const material = new MeshPhysicalMaterial({
      map: new Texture(),
      bumpMap: new Texture(),
      thicknessMap: new Texture(),
      emissive: 0xff0000,
    })
    material.name = 'lamp'
    table.numberOf(material, "mesh 'a'")
    table.numberOf(material, "mesh 'b'")
    table.tellUnused()
    expect(problems).toEqual(['2 textures (bump, color) are not used'])
  })

  const changed = new MeshStandardMaterial()
  changed.onBeforeCompile = () => {}
  it.each<[string, ThreeMaterial, readonly string[]]>([
    ['of a plain material', new MeshStandardMaterial(), []],
    [
      'of a physical one with everything',
      new MeshPhysicalMaterial({ transmission: 1, transparent: true, side: 2 }),
      [],
    ],
    ['of an unlit one', new MeshBasicMaterial(), []],
    ['of one that dithers its opacity', new MeshPhongMaterial({ alphaHash: true, opacity: 0.5 }), []],
    ['of a shader', new ShaderMaterial(), ['is shown grey: shaders are not run']],
    ['of a raw shader', new RawShaderMaterial(), ['is shown grey: shaders are not run']],
    [
      'of nodes',
      new MeshStandardNodeMaterial() as ThreeMaterial,
      ['is shown diffuse, in its plain colour: nodes are not evaluated'],
    ],
    ['of normals', new MeshNormalMaterial(), ['has no colour and is shown grey']],
    ['of toon', new MeshToonMaterial(), ['is shaded smoothly: toon shading is not supported']],
    ['of a matcap', new MeshMatcapMaterial(), ['is shown diffuse: matcaps are not supported']],
    ['of shadows', new ShadowMaterial(), ['is shown as a surface: catching only shadows is not supported']],
    [
      'of lines',
      new LineBasicMaterial(),
      ['is shown diffuse, in its plain colour: materials of this type are not supported'],
    ],
    ['of a changed shader', changed, ['its changes to the shader (onBeforeCompile) are left out']],
    [
      'of several things',
      new MeshLambertMaterial({ wireframe: true, blending: 2, clippingPlanes: [new Plane()], colorWrite: false }),
      [
        'is shown solid: wireframes are not supported',
        'is blended by its opacity: additive blending is not supported',
        'is shown whole: clipping planes are not supported',
        'is shown, although it writes no colour in three.js',
      ],
    ],
  ])('tell what is not traced %s', (_, material, clauses) => {
    const problems: string[] = []
    material.name = 'paint'
    new MaterialTable(problems).numberOf(material, "mesh 'a'")
    expect(problems).toEqual(clauses.map(clause => `material 'paint' of mesh 'a': ${clause}`))
  })

  it.each<[string, ConstructorParameters<typeof MeshPhysicalMaterial>[0], Partial<Material>]>([
    ['opaque, whatever their opacity says', { opacity: 0.5 }, { alpha: 'opaque', opacity: 1 }],
    ['a blend', { transparent: true, opacity: 0.5 }, { alpha: 'blend', opacity: 0.5 }],
    ['opaque where nothing of a blend is transparent', { transparent: true }, { alpha: 'opaque' }],
    ['a blend by their vertices', { transparent: true, vertexColors: true }, { alpha: 'blend', opacity: 1 }],
    [
      'a mask',
      { alphaTest: 0.25, transparent: true, opacity: 0.75 },
      { alpha: 'mask', alphaCutoff: 0.25, opacity: 0.75 },
    ],
  ])('are %s', (_, properties, expected) => {
    expect(mapMaterial(new MeshPhysicalMaterial(properties))).toMatchObject(expected)
  })

  it('have each of their textures where it belongs', () => {
    const textures = new TextureTable()
    const picture = (opacity: number, set = 0) => {
      const texture = new DataTexture(Uint8Array.of(1, 2, 3, opacity), 1, 1)
      texture.channel = set
      return texture
    }
    const use = (texture: number, set: 0 | 1 = 0) => ({ texture, set, transform: [1, 0, 0, 0, 1, 0] })
    const rough = picture(255)
    const material = new MeshPhysicalMaterial({
      transparent: true,
      map: picture(254),
      roughnessMap: rough,
      metalnessMap: rough,
      normalMap: picture(255, 1),
      normalScale: new Vector2(2, -1),
      thicknessMap: picture(255),
      clearcoatNormalMap: picture(255),
    })
    expect(mapMaterial(material, undefined, textures)).toMatchObject({
      alpha: 'blend',
      normalScale: [2, -1],
      maps: { color: use(0), roughness: use(2), metallic: use(2), normal: use(1, 1), coatNormal: use(3) },
    })
    material.map = picture(255)
    expect(mapMaterial(material, undefined, textures).alpha).toBe('opaque')
  })

  it('carry the properties of Physical, in the units of glTF', () => {
    const material = new MeshPhysicalMaterial({
      specularIntensity: 0.5,
      specularColor: new Color(2, 0.5, 1),
      dispersion: 3,
      sheen: 0.5,
      sheenColor: new Color(1, 0.5, 0),
      sheenRoughness: 0.25,
      anisotropy: 0.5,
      anisotropyRotation: -Math.PI / 2,
      iridescence: 0.75,
      iridescenceIOR: 1.4,
      iridescenceThicknessMinimum: 50,
      iridescenceThicknessMaximum: 300,
    })
    expect(mapMaterial(material)).toMatchObject({
      specular: 0.5,
      specularColor: [2, 0.5, 1],
      dispersion: 3,
      sheenColor: [0.5, 0.25, 0],
      sheenRoughness: 0.25,
      anisotropy: 0.5,
      anisotropyRotation: 0.75,
      iridescence: 0.75,
      iridescenceIor: 1.4,
      iridescenceThickness: [50, 300],
    })
  })
})

it.each<[string, Partial<Material>, string]>([
  ['half glass', { transmission: 0.5, metallic: 1, roughness: 0 }, 'glass'],
  ['a hint of glass', { transmission: 0.49 }, 'matte'],
  ['a smooth metal', { metallic: 0.5, roughness: 0.29, coat: 1 }, 'mirror'],
  ['a rough metal', { metallic: 1, roughness: 0.3 }, 'matte'],
  ['a coat', { coat: 0.01 }, 'coated'],
])('the ambient integrator takes %s for the nearest kind', (_, change, kind) => {
  expect(ambientMaterial({ ...DEFAULT_MATERIAL, ...change }).kind).toBe(kind)
})
