import { type BufferGeometry, type Material, Mesh, type MeshPhysicalMaterial, Scene } from 'three'
import { describe, expect, it } from 'vitest'
import { BadIndexError, BadMeshError, BadVertexError, EmptySceneError } from '../../../../scenes/errors.ts'
import { readObj } from '../../../../scenes/files/obj/obj.ts'
import { importThree } from '../../../../scenes/import/import-three.ts'
import { folderOf, type NamedFiles, picture } from '../named-files.ts'

const SQUARE = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n'
const read = (text: string, siblings: NamedFiles = {}) => readObj(text, 'model.obj', folderOf(siblings))

async function meshesOf(text: string, siblings?: NamedFiles) {
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

  it('has objects and materials by their names, whether there is a file of materials or not', async () => {
    const text = `${SQUARE}o first thing\nusemtl red\nf 1 2 3\no second\nusemtl blue\nf 1 3 4\ng third\nusemtl red\nf 1 2 4\n`
    for (const [library, files] of [
      ['', {}],
      ['mtllib a.mtl\n', { 'a.mtl': 'newmtl red\nKd 1 0 0\nnewmtl blue\nKd 1 0 0\n' }],
    ] as const) {
      const { group } = await read(library + text, files)
      const { description, names } = importThree(new Scene().add(group))
      const { materials } = description
      expect(
        description.instances.map(({ object = 0, materials: used }) => [
          names.objects[object],
          ...used.map(number => names.materials[materials[number]!.label ?? 0]),
        ]),
      ).toEqual([
        ['first thing', 'red'],
        ['second', 'blue'],
        ['third', 'red'],
      ])
    }
  })

  describe('with polygons of very many corners', () => {
    /** A disc in the xy plane, its corners rounded as writers do, with texture coordinates. */
    const disc = (corners: number, digits = 9, face = (i: number) => `${i + 1}/${i + 1}`) => {
      const at = (i: number) => [Math.cos, Math.sin].map(f => f((2 * Math.PI * i) / corners).toFixed(digits)).join(' ')
      const all = Array.from({ length: corners }, (_, i) => i)
      return `${all.map(i => `v ${at(i)} 0\nvt ${at(i)}\n`).join('')}f ${all.map(face).join(' ')}\n`
    }
    /** Area of all triangles, and the most that have a corner in one place. */
    async function measured(text: string) {
      const { meshes } = await meshesOf(text)
      const { array, count } = meshes[0]!.geometry.getAttribute('position')
      let area = 0
      const places = new Map<string, number>()
      for (let i = 0; i < count; i++) {
        const place = `${array[i * 3]} ${array[i * 3 + 1]}`
        places.set(place, (places.get(place) ?? 0) + 1)
        if (i % 3 > 0) continue
        const [ax, ay, , bx, by, , cx, cy] = array.subarray(i * 3, i * 3 + 9) as Float32Array
        area += Math.abs((bx! - ax!) * (cy! - ay!) - (cx! - ax!) * (by! - ay!)) / 2
      }
      return { triangles: count / 3, area, busiest: Math.max(...places.values()) }
    }

    it.each([
      [1025, 9],
      [5000, 9],
      [100_000, 5],
    ])('halves a disc of %i', async (corners, digits) => {
      const { triangles, area, busiest } = await measured(disc(corners, digits))
      expect(triangles).toBe(corners - 2)
      expect(area).toBeCloseTo(Math.PI, digits === 5 ? 2 : 4)
      expect(busiest).toBeLessThan(150)
    })

    it('reads corners that count from the end, and vertices far from the origin', async () => {
      const backward = disc(2000, 9, i => `${i - 2000}`)
      expect(await measured(`${backward}v 7 7 7\n`)).toEqual(await measured(disc(2000)))
      const far = backward.replaceAll(/^v (\S+) (\S+) 0$/gm, 'v 5000$1 $2 0').replaceAll('5000-', '-5000')
      expect((await measured(far)).triangles).toBe(1998)
    })

    it('leaves those that halves would not cover to the loader, if there are not too many', async () => {
      // Every other corner is in the middle: a fan around the first of those is right.
      const star = (corners: number) => {
        const at = (i: number) => `v ${i % 2 === 0 ? '0 0' : `${Math.cos(i / corners)} ${Math.sin(i / corners)}`} 0\n`
        const all = Array.from({ length: corners }, (_, i) => i)
        return `${all.map(at).join('')}f ${all.map(i => i + 1).join(' ')}\n`
      }
      expect((await measured(star(2000))).triangles).toBe(1998)
      await expect(read(star(70_000))).rejects.toThrow(
        'model.obj: line 70001: expected a polygon of at most 65536 corners, or one that is flat and convex, got 70000 corners; triangulate it',
      )
    })

    it('refuses one in which there is nothing', async () => {
      const text = `v 1 1 1\nv 2 2 2\nf ${'1 2 '.repeat(40_000)}\n`
      await expect(read(text)).rejects.toThrow(BadMeshError)
    })
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

  it('has each material once, however often it is chosen', async () => {
    const text = `${SQUARE}${'usemtl a\nf 1 2 3\nusemtl b\nf 1 3 4\n'.repeat(3)}`
    const { meshes } = await meshesOf(text)
    expect(meshes[0]!.material).toHaveLength(2)
    const { groups } = meshes[0]!.geometry as BufferGeometry
    expect(groups.map(({ materialIndex }) => materialIndex)).toEqual([0, 1, 0, 1, 0, 1])
  })

  it('tells names without a material apart by colour, and says when the file is missing', async () => {
    const text = `mtllib none.mtl\n${SQUARE}usemtl a\nf 1 2 3\nusemtl b\nf 1 3 4\n`
    const { meshes, problems } = await meshesOf(text)
    const [a, b] = meshes[0]!.material as MeshPhysicalMaterial[]
    expect(a!.color.equals(b!.color)).toBe(false)
    expect(a!.clearcoat).toBe(1)
    expect(problems).toEqual(["material file 'none.mtl' was not read: its file was not found"])
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
        'newmtl wood\nmap_refl -type sphere sky.png\nmap_Ks gloss.png\nKe 0 0 0\nd 1\nnewmtl oak\nmap_refl sky.png\n' +
        'newmtl lamp\nKe 5 5 5\nTf 1 0 1\nmap_Ns bumps.png\nKd spectral red.rfl\nKa x\nmap_Ka a.png\n' +
        'newmtl veil\nTr 0.25\nmap_Kd -mm 0 2 oak.png\nnewmtl unused\nrefl sky.png\nmap_Kd none.png\nd 0.5\n',
      'oak.png': await picture([255, 255, 255, 255]),
    })
    expect(problems).toEqual([
      "map_refl of material 'wood' and 1 more: pictures of this kind are not supported",
      "map_Ks of material 'wood': only coats are supported, from Ks 0.2 and Ns 200",
      "Tf of material 'lamp': tinted transparency is not supported",
      "map_Ns of material 'lamp': pictures of this kind are not supported",
      "Kd of material 'lamp': expected numbers, got 'spectral red.rfl'",
      "map_Kd -mm of material 'veil': this option is not supported",
    ])
  })

  describe('colours of vertices', () => {
    const colored = async (...vertices: string[]) => {
      const { meshes, problems } = await meshesOf(`${vertices.map(each => `v ${each}\n`).join('')}f 1 2 3\n`)
      const { geometry, material } = meshes[0]!
      const { vertexColors, color } = physical(material)
      const own = geometry.hasAttribute('color') ? [...geometry.getAttribute('color').array] : undefined
      return { colors: own?.map(each => Math.round(each * 1000) / 1000), vertexColors, white: color.getHex(), problems }
    }
    const shown = { vertexColors: true, white: 0xffffff, problems: [] }

    it('are sRGB, from 0 to 1 or to 255, and white where there are none', async () => {
      const colors = [1, 0, 0, 0.214, 1, 0, 1, 1, 1]
      expect(await colored('0 0 0 1 0 0', '1 0 0 0.5 1 0', '1 1 0')).toEqual({ ...shown, colors })
      expect(await colored('0 0 0 255 0 0', '1 0 0 127.5 255 0', '1 1 0 1')).toEqual({ ...shown, colors })
    })

    it('that are none are left out, and told', async () => {
      const { colors, vertexColors, problems } = await colored('0 0 0 1 0 0', '1 0 0 -1 1 0', '1 1 0 0 0 1')
      expect([colors, vertexColors]).toEqual([undefined, false])
      expect(problems).toEqual([
        "vertex colours were ignored: line 2: expected numbers from 0 to 1 or to 255, got '-1'",
      ])
    })

    it('are multiplied by the colour of the material', async () => {
      const text = 'mtllib m.mtl\nv 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 1 0 1 0 0\nusemtl m\nf 1 2 3\n'
      const { group } = await read(text, { 'm.mtl': 'newmtl m\nKd 0 0 1\n' })
      const { vertexColors, color } = physical((group.children[0] as Mesh).material)
      expect([vertexColors, color.getHex()]).toEqual([true, 0x0000ff])
    })
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
    [
      'a small text of very many triangles',
      `${SQUARE}f${' 1'.repeat(2 ** 23 + 3)}\n`,
      BadMeshError,
      'line 5: expected at most 8388608 triangles, got more',
    ],
    ['very many lines', '\n'.repeat(2 ** 24), BadMeshError, 'expected at most 16777216 lines, got 16777217'],
    ['very many objects', 'o\n'.repeat(2 ** 18 + 1), BadMeshError, 'expected at most 262144 objects and groups'],
  ])('refuses %s', async (_, text, error, message) => {
    await expect(read(text)).rejects.toThrow(error)
    await expect(read(text)).rejects.toThrow(message)
  })
})
