/** Materials of MTL files: what each statement becomes in three's material. */
import type { MeshPhysicalMaterial, Texture } from 'three'
import { describe, expect, it } from 'vitest'
import { readMtl } from '../../../../scenes/files/obj/mtl.ts'
import { materialOf } from '../../../../scenes/files/obj/mtl-material.ts'
import { MtlPictures } from '../../../../scenes/files/obj/mtl-pictures.ts'
import type { Picture } from '../../../../scenes/files/pictures/picture.ts'
import { folderOf, grey, type NamedFiles, picture } from '../named-files.ts'

const GREY = await grey(0, 128, 255)
const MASK = await grey(0, 255)
const COLOURED = await picture([10, 20, 30, 40], [200, 100, 50, 250])
const CUT_OUT = await picture([10, 20, 30, 0], [200, 100, 50, 255])
const NORMALS = await picture([128, 128, 255, 255], [218, 128, 218, 255])
const FILES: NamedFiles = {
  'grey.png': GREY,
  'mask.png': MASK,
  'coloured.png': COLOURED,
  'cut out.png': CUT_OUT,
  'normals.png': NORMALS,
}

async function made(statements: string, files = FILES) {
  const entry = readMtl(`newmtl it\n${statements}`).get('it')!
  const pictures = new MtlPictures(folderOf(files))
  const unmet = new Map(entry.unmet)
  const material = await materialOf(entry, pictures, unmet)
  return { material, problems: pictures.problems, unmet: [...unmet.keys()], decoded: pictures.decoded }
}

const of = async (statements: string): Promise<MeshPhysicalMaterial> => (await made(statements)).material

/** Red of each texel. */
const reds = (texture: Texture | null): number[] => {
  const { data } = texture!.image as Picture
  return [...data.filter((_, i) => i % 4 === 0)]
}

describe('MTL', () => {
  it('reads colour as sRGB, glass, gloss and sane refraction', async () => {
    expect((await of('Kd 0.5 0.5 0.5')).color.r).toBeCloseTo(0.214, 3)
    expect(await of('illum 4\nNi 1.7\nd 0.2')).toMatchObject({
      transmission: 1,
      roughness: 0,
      ior: 1.7,
      opacity: 1,
      transparent: false,
    })
    expect(await of('Ks 0.8 0.8 0.8\nNs 900\nNi 50')).toMatchObject({ clearcoat: 1, ior: 1.5, transmission: 0 })
    expect(await of('Ks 0.8\nNs 100')).toMatchObject({ clearcoat: 0, roughness: 1 })
  })

  it('reads emission as linear radiance, of any strength', async () => {
    const emitted = async (statements: string) => (await of(statements)).emissive.toArray()
    expect(await emitted('Ke 17 12 0.5')).toEqual([17, 12, 0.5])
    expect(await emitted('Ke 2 # dim')).toEqual([2, 2, 2])
    expect(await emitted('Kd 1 1 1')).toEqual([0, 0, 0])
  })

  it('passes over what it cannot read', () => {
    expect(readMtl('Kd 1 1 1\nnewmtl a b\nKd red\nKd\nbump\nfoo 1\n').get('a b')).toEqual({
      name: 'a b',
      numbers: {},
      maps: {},
      unmet: new Map([['Kd', "expected numbers, got 'red'"]]),
    })
    expect(readMtl('').size).toBe(0)
  })

  it('blends what is not opaque, and is not glass', async () => {
    expect(await of('d 0.25')).toMatchObject({ opacity: 0.25, transparent: true, transmission: 0, alphaTest: 0 })
    expect(await of('Tr 0.25')).toMatchObject({ opacity: 0.75, transparent: true })
    expect(await of('d 0.1\nTr 0\n')).toMatchObject({ opacity: 1, transparent: false })
    expect(await of('d -3')).toMatchObject({ opacity: 0 })
  })

  it('cuts out by a picture of black and white, blends by others, and takes the opacity that a picture has', async () => {
    const masked = await of('illum 4\nmap_d mask.png')
    expect(masked).toMatchObject({ alphaTest: 0.5, transparent: false, transmission: 0, roughness: 1 })
    expect(reds(masked.alphaMap)).toEqual([0, 255])
    expect(await of('d 0.5\nmap_d mask.png')).toMatchObject({ alphaTest: 0, transparent: true, opacity: 0.5 })
    const blended = await of('map_d grey.png')
    expect(blended).toMatchObject({ alphaTest: 0, transparent: true })
    expect(reds(blended.alphaMap)).toEqual([0, 128, 255])
    expect(reds((await of('map_d coloured.png')).alphaMap)).toEqual([40, 250])
    expect(reds((await of('map_d -imfchan g coloured.png')).alphaMap)).toEqual([20, 100])
    expect(reds((await of('map_d -imfchan l coloured.png')).alphaMap)).toEqual([19, 118])
    expect(await of('map_d cut out.png')).toMatchObject({ alphaTest: 0.5, transparent: false })
  })

  it('brings pictures of colour and of emission, which glow white without a colour', async () => {
    const { material, decoded } = await made('map_Kd -o 0.5 0 -s 2 3 coloured.png\nmap_Ke coloured.png\nKe 0 0 0')
    expect(material.map).toMatchObject({ colorSpace: 'srgb', flipY: true, wrapS: 1000 })
    expect([material.map!.repeat.toArray(), material.map!.offset.toArray()]).toEqual([
      [2, 3],
      [0.5, 0],
    ])
    expect(material.emissive.toArray()).toEqual([1, 1, 1])
    expect(material.emissiveMap!.source).toBe(material.map!.source)
    // Its opacity is not asked for.
    expect([...(material.map!.image as Picture).data]).toEqual([10, 20, 30, 255, 200, 100, 50, 255])
    expect(decoded).toEqual({ count: 1, bytes: 16 })
    expect((await of('map_Ke coloured.png\nKe 3 2 1')).emissive.toArray()).toEqual([3, 2, 1])
  })

  it('makes normals of heights, and keeps normals', async () => {
    const bumpy = await of('map_Bump -bm 3 grey.png')
    expect(bumpy.normalMap!.colorSpace).toBe('')
    const [x, , z] = (bumpy.normalMap!.image as Picture).data.subarray(4)
    // From black to white over two texels.
    expect((((127.5 - x!) / (z! - 127.5)) * bumpy.normalScale.x) / 3).toBeCloseTo(0.5, 1)
    for (const statement of ['bump -bm 0.5 normals.png', 'norm -bm 0.5 normals.png']) {
      const { normalMap, normalScale } = await of(statement)
      expect([...(normalMap!.image as Picture).data]).toEqual([128, 128, 255, 255, 218, 128, 218, 255])
      expect(normalScale.toArray()).toEqual([0.5, 0.5])
    }
    const both = await of('bump grey.png\nnorm normals.png')
    expect(reds(both.normalMap)).toEqual([128, 218])
  })

  it('has the physically based properties', async () => {
    expect(await of('Pr 0.4\nPm 0.8\nPs 0.3\nPc 0.6\nPcr 0.1\naniso 0.5\nanisor 0.25\nKs 1\nNs 900')).toMatchObject({
      roughness: 0.4,
      metalness: 0.8,
      sheen: 0.3,
      clearcoat: 0.6,
      clearcoatRoughness: 0.1,
      anisotropy: 0.5,
      anisotropyRotation: Math.PI / 2,
      sheenColor: { r: 1, g: 1, b: 1 },
    })
    const mapped = await of('map_Pr grey.png\nmap_Pm -imfchan r coloured.png\nPm 0.5\nmap_Pc grey.png')
    expect(mapped).toMatchObject({ roughness: 1, metalness: 0.5, clearcoat: 1 })
    expect([reds(mapped.roughnessMap), reds(mapped.metalnessMap)]).toEqual([
      [0, 128, 255],
      [10, 200],
    ])
    expect(mapped.clearcoatMap!.source).toBe(mapped.roughnessMap!.source)
    expect(await of('illum 7\nPr 0.3')).toMatchObject({ transmission: 1, roughness: 0.3 })
  })

  it('has a coat where its picture is bright', async () => {
    expect(reds((await of('Ks 1\nNs 300\nmap_Ks grey.png')).clearcoatMap)).toEqual([0, 128, 255])
    expect((await made('Ks 1\nNs 100\nmap_Ks grey.png')).unmet).toEqual(['map_Ks'])
  })

  it('is shown without pictures that cannot be had, each told once', async () => {
    const { material, problems } = await made(
      'map_Kd none.png\nmap_Ke none.png\nmap_Bump broken.png\nmap_Pm none.png\nmap_d broken.png',
      { 'broken.png': GREY.subarray(0, 40) },
    )
    expect(material).toMatchObject({ map: null, emissiveMap: null, normalMap: null, metalness: 0, transparent: false })
    expect(material.emissive.toArray()).toEqual([0, 0, 0])
    expect(problems).toEqual([
      "picture 'none.png' is not shown: its file was not found",
      expect.stringMatching(/^picture 'broken.png' is not shown: ./),
    ])
  })
})
