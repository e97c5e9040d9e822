import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Mesh } from 'three'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cameraAt } from '../../scenes/cameras/camera-paths.ts'
import { extensionOf } from '../../scenes/files/extensions.ts'
import { importThree } from '../../scenes/import/import-three.ts'
import { loadFile } from '../../scenes/load-file.ts'
import { linearFromSrgb } from '../../shared/math/srgb.ts'
import { triangleCount } from '../../shared/scene/bake.ts'
import { strideOf } from '../../shared/scene/description.ts'
import { packScene } from '../../shared/scene/packed-scene.ts'
import { bakedThree } from '../support/baked.ts'
import { hasModels, modelAt } from '../support/models.ts'
import { materialsOf } from '../support/triangles.ts'
import { picture } from './files/named-files.ts'
import { binaryPly, bytesOf, plyOf, textPly } from './files/ply/ply-bytes.ts'
import { binaryStl, textStl } from './files/stl-bytes.ts'

const TETRAHEDRON = {
  vertices: [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  faces: [
    [0, 2, 1],
    [0, 1, 3],
    [0, 3, 2],
    [1, 2, 3],
  ],
}
const FACETS = TETRAHEDRON.faces.map(face => face.flatMap(i => TETRAHEDRON.vertices[i]!))
const OBJ = `${TETRAHEDRON.vertices.map(vertex => `v ${vertex.join(' ')}\n`).join('')}${TETRAHEDRON.faces
  .map(face => `f ${face.map(i => i + 1).join(' ')}\n`)
  .join('')}`

const PAINTED = plyOf('binary_little_endian', [
  {
    name: 'vertex',
    properties: [
      ...['x', 'y', 'z'].map(name => ['float', name] as const),
      ...['red', 'green', 'blue'].map(name => ['uchar', name] as const),
    ],
    rows: TETRAHEDRON.vertices.map(at => [...at, ...at.map(each => each * 100 + 100)]),
  },
  { name: 'face', properties: [['list uchar int', 'vertex_indices']], rows: TETRAHEDRON.faces.map(face => [face]) },
])

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sortfirst-scenes-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

describe('a mesh file', () => {
  it.each([
    ['text.ply', textPly(TETRAHEDRON)],
    ['binary.PLY', binaryPly(TETRAHEDRON, false)],
    ['packed.ply.gz', gzipSync(textPly(TETRAHEDRON))],
    ['text.stl', textStl(FACETS)],
    ['binary.stl', binaryStl(FACETS)],
    ['packed.Stl.GZ', gzipSync(binaryStl(FACETS))],
    ['model.obj', OBJ],
  ])('%s becomes a scene on a floor, with light and a camera', async (name, content) => {
    const loaded = await loadFile(await file(name, content))
    expect(loaded.name).toBe(name)
    expect(loaded.subject.min.toArray()).toEqual([0, 0, 0])
    expect(loaded.subject.max.toArray()).toEqual([1, 1, 1])
    expect(loaded.problems).toEqual([])
    const { data, description, degenerate, problems } = bakedThree(loaded.scene)
    expect([degenerate, problems]).toEqual([0, []])
    expect(materialsOf(data).filter(material => material === 0)).toHaveLength(4)
    expect(triangleCount(data)).toBeGreaterThan(1000)
    const [own, ...others] = data.materials.map(material => material.kind)
    expect([own, ...new Set(others)]).toEqual(['coated', 'matte'])
    expect(data.sun.irradiance[0]).toBeGreaterThan(1)
    expect(packScene(description).bytes.length).toBeGreaterThan(1000)
    const camera = cameraAt(loaded.defaultCamera, loaded, 5, 1.5)
    expect(camera.origin.every(Number.isFinite)).toBe(true)
  })

  it.each<[string, (text: string) => Uint8Array]>([
    ['UTF-8 with a byte-order mark', text => bytesOf(`\ufeff${text}`)],
    ['UTF-16, little-endian', text => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16, big-endian', text => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ])('may be an OBJ and its materials in %s', async (_, encode) => {
    await file('größe.mtl', encode('newmtl größe\r\nKd 0 1 0\r\n'))
    const obj = `mtllib größe.mtl\r\nusemtl größe\r\n${OBJ.replaceAll('\n', '\r\n')}`
    const loaded = await loadFile(await file('encoded.obj', encode(obj)))
    expect(loaded.problems).toEqual([])
    expect(loaded.subject.max.toArray()).toEqual([1, 1, 1])
    expect(bakedThree(loaded.scene).data.materials[0]).toEqual({ kind: 'matte', color: [0, 1, 0] })
  })

  it('brings the colours of its vertices, unless it is given another', async () => {
    const path = await file('painted.ply', PAINTED)
    const { scene } = await loadFile(path)
    const { description, problems } = importThree(scene)
    const [own] = description.meshes
    expect(own!.attributes).toEqual(['position', 'normal', 'color'])
    for (let corner = 0; corner < own!.indices.length; corner++) {
      const at = own!.indices[corner]! * strideOf(own!.attributes)
      // Each vertex has its own place, as its colour.
      const [x, y, z] = own!.vertices.subarray(at, at + 3)
      const expected = [x!, y!, z!].map(each => Math.fround(linearFromSrgb((each * 100 + 100) / 255)))
      expect([...own!.vertices.subarray(at + 6, at + 10)]).toEqual([...expected, 1])
    }
    expect(description.materials[0]).toMatchObject({ color: [1, 1, 1], coat: 1 })
    expect(problems).toEqual([])
    const red = importThree((await loadFile(path, { color: [1, 0, 0] })).scene)
    expect([red.description.meshes[0]!.attributes, red.problems]).toEqual([['position', 'normal'], []])
  })

  it('keeps the light that it emits when its surface is replaced', async () => {
    await file('lamp.mtl', 'newmtl lamp\nKe 5 4 3\n')
    const path = await file('lamp.obj', `mtllib lamp.mtl\nusemtl lamp\n${OBJ}`)
    for (const look of [{}, { material: 'metal' }, { color: [1, 0, 0] }] as const)
      expect(importThree((await loadFile(path, look)).scene).description.materials[0]!.emission).toEqual([5, 4, 3])
  })

  it('takes materials from beside it, never from elsewhere', async () => {
    await file('paint.mtl', 'newmtl paint\nKd 0 1 0\n')
    const green = await loadFile(await file('green.obj', `mtllib paint.mtl\nusemtl paint\n${OBJ}`))
    expect(bakedThree(green.scene).data.materials[0]).toEqual({ kind: 'matte', color: [0, 1, 0] })
    await mkdir(join(folder, 'inner'))
    const outside = await loadFile(
      await file('inner/sly.obj', `mtllib ../paint.mtl\nmtllib /etc/hosts\nusemtl paint\n${OBJ}`),
    )
    const expected = 'expected a file in the folder of the scene'
    expect(outside.problems).toEqual([
      `material file '../paint.mtl' was not read: ${expected}`,
      `material file '/etc/hosts' was not read: ${expected}`,
    ])
    await symlink(join(folder, 'paint.mtl'), join(folder, 'inner', 'link.mtl'))
    const linked = await loadFile(await file('inner/linked.obj', `mtllib link.mtl\nusemtl paint\n${OBJ}`))
    expect(linked.problems).toEqual([`material file 'link.mtl' was not read: ${expected}, not a link out of it`])
    expect(linked.files).toEqual([join(folder, 'inner', 'linked.obj'), join(folder, 'inner', 'link.mtl')])
  })

  it('shows the pictures of its materials, and counts them', async () => {
    await mkdir(join(folder, 'wood grain'))
    const grain = await picture([10, 20, 30, 255], [40, 50, 60, 255])
    await file('wood grain/top side.png', grain)
    await file('table.mtl', 'newmtl table\nmap_Kd -clamp on -s 2 3 wood grain\\top side.png\nmap_Ke none.png\n')
    const text = `mtllib table.mtl\nusemtl table\n${OBJ}vt 0 0\nf 1/1 2/1 3/1\n`
    const loaded = await loadFile(await file('table.obj', text))
    expect(loaded.problems).toEqual(["picture 'none.png' is not shown: its file was not found"])
    expect(loaded.declared!.textures).toEqual({ count: 1, bytes: 8 })
    const names = ['table.mtl', 'wood grain/top side.png', 'none.png']
    expect(loaded.files.slice(1)).toEqual(names.map(name => join(folder, name)))
    const { textures, materials } = importThree(loaded.scene).description
    const texels = Uint8Array.of(10, 20, 30, 255, 40, 50, 60, 255)
    expect(textures).toEqual([
      { width: 2, height: 1, wrapU: 'clamp', wrapV: 'clamp', srgb: true, nearest: false, texels },
    ])
    expect(materials[0]!.emission).toEqual([0, 0, 0])
  })

  it.each([
    ['missing.ply', undefined, 'SCENE_FILE_MISSING', 'missing.ply: no such file'],
    ['text.ply/inner.ply', undefined, 'SCENE_FILE_MISSING', 'no such file'],
    ['.', undefined, 'SEVERAL_SCENES', 'expected one scene file in it, got '],
    [
      'scene.blend',
      'x',
      'UNKNOWN_EXTENSION',
      'expected one of the extensions .ply .obj .stl .glb .gltf .zip .js .mjs, got .blend; open it in Blender and export it as glTF',
    ],
    [
      'scene.fbx',
      'x',
      'UNKNOWN_EXTENSION',
      'got .fbx; import it into Blender and export it as glTF 2.0 (.glb), which keeps materials',
    ],
    ['scene', 'x', 'UNKNOWN_EXTENSION', 'got none'],
    ['scene.js.gz', 'x', 'UNKNOWN_EXTENSION', '.gltf .zip, got .js'],
    ['scene.dae', 'x', 'UNKNOWN_EXTENSION', 'got .dae; import it into Blender'],
    ['a.scene.3ds', 'x', 'UNKNOWN_EXTENSION', 'got .3ds; import it into Blender'],
    ['empty.ply', '', 'BAD_MESH', "is not a PLY file: expected it to begin with 'ply'"],
    ['empty.stl', '', 'BAD_MESH', 'is not an STL file'],
    ['empty.obj', '', 'SCENE_EMPTY', 'expected at least one triangle, got none'],
    ['plain.ply.gz', textPly(TETRAHEDRON), 'BAD_MESH', 'is not a readable gzip file'],
    ['cut.ply.gz', gzipSync(textPly(TETRAHEDRON)).subarray(0, -20), 'MESH_TRUNCATED', 'a complete gzip stream'],
    ['cut.ply', binaryPly(TETRAHEDRON, true).subarray(0, -1), 'MESH_TRUNCATED', 'the file ends within face 3'],
    ['cut.stl', binaryStl(FACETS).subarray(0, -1), 'MESH_TRUNCATED', 'expected 4 triangles, there is room for 3'],
    ['garbage.ply', noise(500), 'BAD_MESH', 'is not a PLY file'],
    ['garbage.obj', noise(500), 'BAD_MESH', 'expected text, got binary data'],
    ['garbage.stl', noise(500), 'MESH_TRUNCATED', 'there is room for 8'],
    ['nan.obj', `${OBJ}v 0 0 NaN\n`, 'MESH_BAD_VERTEX', 'vertex 4: expected three finite numbers'],
    ['cut16.obj', Buffer.from(`\ufeff${OBJ}`, 'utf16le').subarray(0, -1), 'MESH_TRUNCATED', 'two bytes per character'],
    ['index.obj', `${OBJ}f 1 2 9\n`, 'MESH_BAD_INDEX', 'face 4: expected a vertex from 1 to 4 (line 9), got 9'],
  ])('%s is refused in one sentence', async (name, content, code, message) => {
    const path = content === undefined ? join(folder, name) : await file(name, content)
    const error: unknown = await loadFile(path).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code, exitCode: 2, ...(code === 'SCENE_EMPTY' ? {} : { path }) })
    expect(error).toBeInstanceOf(Error)
    expect((error as Error).message).toContain(message)
    expect((error as Error).message.startsWith(path)).toBe(true)
    expect((error as Error).message).not.toContain('\n')
  })

  it.skipIf(process.platform !== 'linux')('refuses what is no plain file', async () => {
    await mkdir(join(folder, 'devices'), { recursive: true })
    const path = join(folder, 'devices', 'zero.ply')
    await symlink('/dev/zero', path)
    await expect(loadFile(path)).rejects.toMatchObject({ code: 'SCENE_FILE_UNREADABLE' })
  })

  it('knows extensions whatever their case', () => {
    expect(['a/Bunny.PLY', 'x.ply.gz', 'x.gz', '.ply', 'a.b/c', 'x.tar.stl'].map(extensionOf)).toEqual([
      '.ply',
      '.ply',
      '',
      '',
      '',
      '.stl',
    ])
  })
})

const [BUNNY, BUDDHA] = ['meshes/bunny-69k-ascii.ply', 'meshes/buddha-100k.ply']

describe.skipIf(!hasModels(BUNNY, BUDDHA))('real scans (skipped where they are absent)', () => {
  it.each([
    [BUNNY, 69451],
    [BUDDHA, 100000],
  ])('%s', async (name, triangles) => {
    const loaded = await loadFile(modelAt(name))
    const mesh = loaded.scene.getObjectByName(loaded.name) as Mesh
    expect(mesh.geometry.index!.count / 3).toBe(triangles)
    expect(bakedThree(loaded.scene).problems).toEqual([])
  })
})

/** Bytes that mean nothing, the same every time. */
function noise(length: number): Uint8Array {
  const bytes = bytesOf('?'.repeat(length))
  for (let i = 0; i < length; i++) bytes[i] = (Math.imul(i + 1, 2654435761) >>> 13) & 255
  return bytes
}
