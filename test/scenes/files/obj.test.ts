import { type Material, Mesh, type MeshPhysicalMaterial } from 'three'
import { describe, expect, it } from 'vitest'
import { BadIndexError, BadMeshError, BadVertexError, EmptySceneError } from '../../../scenes/errors.ts'
import { readMtl } from '../../../scenes/files/mtl.ts'
import { readObj } from '../../../scenes/files/obj.ts'
import { mapMaterial } from '../../../scenes/map-material.ts'

const SQUARE = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n'
const read = (text: string, siblings: Record<string, string> = {}) =>
  readObj(text, 'model.obj', async name => siblings[name])

async function meshesOf(text: string, siblings?: Record<string, string>) {
  const { group, problems } = await read(text, siblings)
  const meshes = group.children.filter(child => child instanceof Mesh)
  return { meshes, problems }
}

const physical = (material: Material | Material[] | undefined) => material as MeshPhysicalMaterial

describe('OBJ', () => {
  it('reads polygons, negative indices and continued lines', async () => {
    const { meshes, problems } = await meshesOf(`${SQUARE}f 1 2 3 \\\n4\nf -4 -3 -2\n`)
    expect(meshes).toHaveLength(1)
    expect(meshes[0]!.geometry.getAttribute('position').count).toBe(9)
    expect(problems).toEqual([])
  })

  it('keeps groups apart and takes the colours of its material file', async () => {
    const text = `mtllib colours.mtl\n${SQUARE}o left\nusemtl red\nf 1 2 3\nusemtl clear\nf 1 3 4\no right\nusemtl red\nf 1 2 4\n`
    const { meshes, problems } = await meshesOf(text, {
      'colours.mtl': 'newmtl red\nKd 1 0 0\nnewmtl clear\nd 0.1\nNi 1.33\nillum 6\n',
    })
    expect(meshes.map(mesh => mesh.name)).toEqual(['left', 'right'])
    const [red, clear] = meshes[0]!.material as MeshPhysicalMaterial[]
    expect(red!.color.getHex()).toBe(0xff0000)
    expect([clear!.transmission, clear!.ior]).toEqual([1, 1.33])
    expect(meshes[1]!.material).toBe(red)
    expect(problems).toEqual([])
  })

  it('tells names without a material apart by colour, and says when the file is missing', async () => {
    const text = `mtllib none.mtl\n${SQUARE}usemtl a\nf 1 2 3\nusemtl b\nf 1 3 4\n`
    const { meshes, problems } = await meshesOf(text)
    const [a, b] = meshes[0]!.material as MeshPhysicalMaterial[]
    expect(a!.color.equals(b!.color)).toBe(false)
    expect(a!.clearcoat).toBe(1)
    expect(problems).toEqual(["material file 'none.mtl' was not found beside the OBJ"])
  })

  it('leaves out what makes no triangles, without losing the faces beside it', async () => {
    const { meshes, problems } = await meshesOf(`o mixed\n${SQUARE}l 1 2\np 1\nvp 0.5\nf 1 2 3\n`)
    expect(meshes).toHaveLength(1)
    expect(problems).toEqual(['3 OBJ statements that define no triangles were ignored'])
  })

  it('says what its materials ask for and do not get, once each, and only of those in use', async () => {
    const text = `mtllib looks.mtl\n${SQUARE}usemtl wood\nf 1 2 3\nusemtl oak\nf 1 3 4\nusemtl lamp\nf 1 2 4\nusemtl veil\nf 2 3 4\n`
    const { problems } = await meshesOf(text, {
      'looks.mtl':
        'newmtl wood\nmap_Kd -s 2 2 wood.png\nmap_Bump bumps.png\nKe 0 0 0\nd 1\nnewmtl oak\nmap_Kd oak.png\n' +
        'newmtl lamp\nKe 5 5 5\nTf 1 0 1\nPr 0.5\nPm 0\nKd spectral red.rfl\nKa x\nnewmtl veil\nTr 0.25\nnewmtl unused\nmap_Ks gloss.png\nd 0.5\n',
    })
    expect(problems).toEqual([
      "map_Kd of material 'wood' and 1 more: textures are not supported, only plain colours",
      "map_Bump of material 'wood': textures are not supported, only plain colours",
      "Tf of material 'lamp': tinted transparency is not supported",
      "Pr of material 'lamp': physically based properties are not supported",
      "Kd of material 'lamp': expected numbers, got 'spectral red.rfl'",
      "Tr of material 'veil': opacity is not supported: below 0.6 a surface is clear glass, otherwise opaque",
    ])
  })

  it('says that colours of vertices are not traced', async () => {
    const { problems } = await meshesOf('v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\nf 1 2 3\n')
    expect(problems).toEqual(['vertex colours are not supported, only plain ones'])
  })

  it('shades smooth by angle, flat where the file says so, as given where it has normals', async () => {
    const flat = await meshesOf(`${SQUARE}s off\nf 1 2 3 4\n`)
    expect(physical(flat.meshes[0]!.material).flatShading).toBe(true)
    const smooth = await meshesOf(`${SQUARE}f 1 2 3 4\n`)
    expect(physical(smooth.meshes[0]!.material).flatShading).toBe(false)
    expect([...smooth.meshes[0]!.geometry.getAttribute('normal').array.slice(0, 3)]).toEqual([0, 0, 1])
    const given = await meshesOf(`${SQUARE}vn 0 1 0\ns off\nf 1//1 2//1 3//1\n`)
    expect(physical(given.meshes[0]!.material).flatShading).toBe(false)
    expect([...given.meshes[0]!.geometry.getAttribute('normal').array.slice(0, 3)]).toEqual([0, 1, 0])
  })

  it.each([
    [
      'a number that is none',
      'v 0 0 zero\nf 1 1 1\n',
      BadMeshError,
      "line 1: expected v and three numbers, got 'v 0 0 zero'",
    ],
    ['a vertex cut short', `${SQUARE}v 1 2`, BadMeshError, "line 5: expected v and three numbers, got 'v 1 2'"],
    ['NaN', `v 0 0 0\nv 0 nan 0\n`, BadVertexError, 'vertex 1: expected three finite numbers'],
    ['an overflow', `v 0 0 0\nv 0 1e60 0\n`, BadVertexError, 'vertex 1: expected three finite numbers, got 0 1e+60 0'],
    [
      'a vertex that does not exist',
      `${SQUARE}f 1 2 3\nf 1 2 5\n`,
      BadIndexError,
      'face 1: expected a vertex from 1 to 4 (line 6), got 5',
    ],
    ['vertex 0', `${SQUARE}f 0 1 2\n`, BadIndexError, 'got 0'],
    ['a negative index too far', `${SQUARE}f -5 1 2\n`, BadIndexError, 'got -5'],
    ['a face cut short', `${SQUARE}f 1 2`, BadMeshError, 'three corners or more'],
    ['only vertices', SQUARE, EmptySceneError, 'it has 4 vertices and no faces'],
    ['nothing', '', EmptySceneError, 'it has 0 vertices'],
    ['prose', 'Dear reader,\n', BadMeshError, "line 1: expected an OBJ statement, got 'Dear reader,'"],
    ['binary data', 'v 0\u0000\u0001', BadMeshError, 'expected text, got binary data'],
  ])('refuses %s', async (_, text, error, message) => {
    await expect(read(text)).rejects.toThrow(error)
    await expect(read(text)).rejects.toThrow(message)
  })
})

describe('MTL', () => {
  it('reads colour as sRGB, glass, gloss and sane refraction', () => {
    const materials = readMtl(
      '# c\nnewmtl half\nKd 0.5 0.5 0.5\nmap_Kd wood.png\nnewmtl lens\nillum 4\nNi 1.7\nnewmtl car\nKs 0.8 0.8 0.8\nNs 900\nNi 50\n',
    )
    expect(materials.get('half')!.material.color.r).toBeCloseTo(0.214, 3)
    expect([materials.get('lens')!.material.transmission, materials.get('lens')!.material.ior]).toEqual([1, 1.7])
    expect([materials.get('car')!.material.clearcoat, materials.get('car')!.material.ior]).toEqual([1, 1.5])
  })

  it('reads emission as linear radiance, of any strength', () => {
    const text = 'newmtl lamp\nKe 17 12 0.5\nnewmtl grey\nKe 2 # dim\nnewmtl dark\nKd 1 1 1\n'
    const materials = readMtl(text)
    const emitted = (name: string) => materials.get(name)!.material.emissive.toArray()
    expect(['lamp', 'grey', 'dark'].map(emitted)).toEqual([
      [17, 12, 0.5],
      [2, 2, 2],
      [0, 0, 0],
    ])
    expect(mapMaterial(materials.get('lamp')!.material).emission).toEqual([17, 12, 0.5])
  })

  it('passes over what it cannot read', () => {
    expect(readMtl('Kd 1 1 1\nnewmtl a b\nKd red\nKd\n').get('a b')!.material.color.getHex()).toBe(0xffffff)
    expect(readMtl('').size).toBe(0)
  })
})
