/** What lights a file: its own lights, what glows in it, or daylight; and what options make of that. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DataTexture, Mesh, MeshStandardMaterial, PlaneGeometry, PointLight, Scene, SRGBColorSpace } from 'three'
import { afterAll, describe, expect, it } from 'vitest'
import { importThree } from '../../../scenes/import/import-three.ts'
import { packThreeScene } from '../../../scenes/loading/pack.ts'
import { glows } from '../../../scenes/look/glow.ts'
import { checkLook, type SceneLook } from '../../../scenes/look/scene-look.ts'
import { openScene } from '../../../scenes/open-scene.ts'
import { type AnyGltf, glb, triangle } from '../../support/gltf.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const OWN_SUN = (document: AnyGltf) => {
  document.extensions = { KHR_lights_punctual: { lights: [{ type: 'directional', intensity: 3 }] } }
  document.nodes.push({ extensions: { KHR_lights_punctual: { light: 0 } } })
  document.scenes[0].nodes = [0, 1]
}
const GLOW = (document: AnyGltf) => {
  document.materials = [{ emissiveFactor: [1, 1, 0] }]
  document.meshes[0].primitives[0].material = 0
}
const EXR = join(folder, 'sky.hdr')
writeFileSync(
  EXR,
  Buffer.concat([Buffer.from('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n'), Buffer.alloc(8, 129)]),
)

async function litBy(change: (document: AnyGltf) => void, look: SceneLook = {}) {
  const path = join(folder, 'file.glb')
  writeFileSync(path, glb(triangle(change)))
  const loaded = await openScene(path, checkLook(look, path))
  const { description, problems } = importThree(loaded.scene)
  const { environment, lights } = description
  const isDark = environment.kind === 'sky' && environment.zenith.every(each => each === 0)
  return {
    suns: lights.map(light => (light.kind === 'distant' ? light.irradiance[0] : light.kind)),
    sky: environment.kind === 'map' ? 'map' : isDark ? 'none' : 'sky',
    exposure: loaded.exposure,
    problems: [...loaded.problems, ...problems],
    lighting: packThreeScene(loaded).lighting,
  }
}

const DAYLIGHT = { suns: [3.9], sky: 'sky', problems: [] }
const DARK = { suns: [], sky: 'none', problems: [] }

describe('a file without light', () => {
  it.each<[look: SceneLook, lit: object]>([
    [{}, { ...DAYLIGHT, exposure: 0.85, lighting: { text: 'the sun of daylight, a sky', forPath: [] } }],
    [{ sun: 'none' }, { suns: [], sky: 'sky', problems: [] }],
    [{ sun: 'file' }, { suns: [], sky: 'sky', problems: [] }],
    [{ sun: 'default' }, DAYLIGHT],
    [{ sun: [0, 90] }, DAYLIGHT],
    [{ sun: 'none', background: [0, 0, 0] }, DARK],
    [{ environment: EXR }, { suns: [], sky: 'map', lighting: { forPath: ['an environment map'] } }],
    [
      { environment: EXR, sun: 'default' },
      { suns: [3.9], sky: 'map' },
    ],
    [
      { environment: EXR, sun: [0, 45] },
      { suns: [3.9], sky: 'map' },
    ],
  ])('with %o', async (look, lit) => expect(await litBy(() => {}, look)).toMatchObject(lit))
})

describe('a file with a sun of its own', () => {
  it.each<[look: SceneLook, lit: object]>([
    [{}, { suns: [3], sky: 'none', exposure: 1, lighting: { text: '1 sun', forPath: ['1 sun'] } }],
    [{ sun: 'file' }, { suns: [3], sky: 'none' }],
    [{ sun: 'none' }, { suns: [] }],
    [{ sun: 'default' }, { suns: [3.9], sky: 'none' }],
    [{ sun: [0, 45] }, { suns: [3], sky: 'none' }],
    // It is not in the photograph.
    [{ environment: EXR }, { suns: [3], sky: 'map' }],
    [
      { environment: EXR, sun: 'none' },
      { suns: [], sky: 'map' },
    ],
  ])('with %o', async (look, lit) => expect(await litBy(OWN_SUN, look)).toMatchObject(lit))
})

describe('a file that glows', () => {
  it.each<[look: SceneLook, lit: object]>([
    [{}, { ...DARK, exposure: 1, lighting: { text: '1 glowing material', forPath: ['1 glowing material'] } }],
    [{ background: [0, 0, 0] }, DARK],
    [{ background: [1, 1, 1] }, { suns: [], sky: 'sky' }],
    [{ sun: 'default' }, { suns: [3.9], sky: 'none' }],
    [{ sun: [0, 45] }, { suns: [3.9], sky: 'none' }],
    [{ material: 'matte' }, DARK],
  ])('with %o', async (look, lit) => expect(await litBy(GLOW, look)).toMatchObject(lit))
})

describe('something glows', () => {
  const plane = (material: object) => new Mesh(new PlaneGeometry(), new MeshStandardMaterial(material))
  const picture = (...bytes: number[]) => {
    const map = new DataTexture(Uint8Array.from(bytes.flatMap(byte => [byte, 0, 0, 255])), bytes.length, 1)
    map.colorSpace = SRGBColorSpace
    return map
  }
  const lamp = { emissive: 'white' }
  it.each<[what: string, material: object, does: boolean]>([
    ['in one colour, however faint', { emissive: 0x010000 }, true],
    ['not in black', { emissive: 'black', emissiveIntensity: 9 }, false],
    ['not with an intensity of 0', { ...lamp, emissiveIntensity: 0 }, false],
    ['not where nothing is left of it', { ...lamp, transparent: true, opacity: 0 }, false],
    ['where it blends', { ...lamp, transparent: true, opacity: 0.1 }, true],
    ['with a picture that is bright as a whole', { ...lamp, emissiveMap: picture(255, 255, 255, 0) }, true],
    ['with one that is faint as a whole', { ...lamp, emissiveMap: picture(9, 9, 9, 9) }, true],
    ['not with details', { ...lamp, emissiveMap: picture(255, 0, 0, 0, 0, 0, 0, 0) }, false],
    ['not with a black picture', { ...lamp, emissiveMap: picture(0, 0) }, false],
  ])('%s', (_, material, does) => expect(glows(plane(material))).toBe(does))

  it('only where it is seen', () => {
    const hidden = plane(lamp)
    hidden.visible = false
    expect(glows(new Scene().add(hidden))).toBe(false)
    expect(glows(new Scene().add(hidden, plane(lamp)))).toBe(true)
  })

  it('and then a three.js scene without lights gets no sky', () => {
    const dull = importThree(new Scene().add(plane({})))
    expect(dull.problems).toEqual(['the scene has no light: a plain white sky was added'])
    const glowing = importThree(new Scene().add(plane(lamp)))
    expect(glowing.problems).toEqual([])
    expect(glowing.description.environment).toMatchObject({ zenith: [0, 0, 0] })
    expect(importThree(new Scene().add(plane({}), new PointLight())).problems).toEqual([])
  })
})
