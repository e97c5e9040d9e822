/** Which file a path means, in folders and archives, and what of them is refused. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { zipSync } from 'three/addons/libs/fflate.module.js'
import { afterAll, describe, expect, it } from 'vitest'
import { onlySceneIn } from '../../../scenes/files/folders/only-scene.ts'
import { ZipArchive } from '../../../scenes/files/folders/zip-archive.ts'
import { openSceneFile } from '../../../scenes/files/scene-file.ts'
import { loadFile } from '../../../scenes/load-file.ts'
import { triangle } from '../../support/gltf.ts'
import { picture } from './named-files.ts'

const root = mkdtempSync(join(tmpdir(), 'sortfirst-places-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Files = Readonly<Record<string, string | Uint8Array>>
const bytesOf = (content: string | Uint8Array) => (typeof content === 'string' ? Buffer.from(content) : content)

function folder(name: string, files: Files): string {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name, file)), { recursive: true })
    writeFileSync(join(root, name, file), content)
  }
  return join(root, name)
}

const zipped = (files: Files): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, bytesOf(content)])))

function archive(name: string, files: Files, change: (bytes: Buffer) => void = () => {}): string {
  const bytes = Buffer.from(zipped(files))
  change(bytes)
  writeFileSync(join(root, name), bytes)
  return join(root, name)
}

const OBJ = 'mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nvt 0 0\nf 1/1 2/1 3/1\n'
const MTL = 'newmtl m\nmap_Kd pictures/red.png\n'
const RED = await picture([255, 0, 0, 255])
const WHOLE: Files = { 'house/house.obj': OBJ, 'house/m.mtl': MTL, 'house/pictures/red.png': RED, 'read me.txt': '' }

describe('a folder and an archive', () => {
  it.each<[string, (name: string, files: Files) => string, (path: string) => string[]]>([
    ['folder', folder, path => [path, join(path, 'house')]],
    ['archive.ZIP', archive, path => [path]],
  ])('a %s with one scene is that scene, with its pictures', async (name, make, searched) => {
    const path = make(name, WHOLE)
    const loaded = await loadFile(path)
    expect(loaded.name).toBe('house.obj')
    expect(loaded.problems).toEqual([])
    expect(loaded.declared!.textures).toEqual({ count: 1, bytes: 4 })
    expect(loaded.files.slice(0, searched(path).length)).toEqual(searched(path))
  })

  it('may have a glTF with its buffers, and compressed files', async () => {
    const { document, body } = triangle()
    const scene = JSON.stringify({ ...document, buffers: [{ byteLength: 44, uri: 'a%20b.bin' }] })
    const path = archive('gltf.zip', { 'scene.gltf': scene, 'a b.bin': body })
    expect((await loadFile(path)).problems).toEqual([])
    const packed = archive('gz.zip', { 'mesh.obj.gz': gzipSync(OBJ.replace('mtllib m.mtl\n', '')) })
    expect((await loadFile(packed)).name).toBe('mesh.obj.gz')
  })

  it('leave the choice to a name', async () => {
    const files = { ...WHOLE, 'house/other.stl': 'solid' }
    const several = 'expected one scene file in it, got house/house.obj, house/other.stl; name one, such as '
    for (const path of [folder('both', files), archive('both.zip', files)]) {
      const first = join(path, 'house', 'house.obj')
      await expect(openSceneFile(path)).rejects.toMatchObject({
        code: 'SEVERAL_SCENES',
        message: `${path}: ${several}${first}`,
      })
      expect((await loadFile(first)).problems).toEqual([])
      await expect(openSceneFile(join(path, 'none.obj'))).rejects.toMatchObject({ code: 'SCENE_FILE_MISSING' })
      await expect(openSceneFile(join(path, 'read me.txt'))).rejects.toMatchObject({ code: 'UNKNOWN_EXTENSION' })
    }
  })

  it('read nothing outside of the folder of the scene', async () => {
    const mtl = 'newmtl m\nmap_Kd ../red.png\nmap_Ke /red.png\nmap_d pictures/../../red.png\n'
    const files = { 'house/house.obj': OBJ, 'house/m.mtl': mtl, 'red.png': RED }
    for (const path of [folder('out', files), archive('out.zip', files)]) {
      const { problems } = await loadFile(path)
      expect(problems).toHaveLength(3)
      for (const problem of problems) expect(problem).toContain('expected a file in the folder of the scene')
    }
    const linked = folder('linked', { 'm.mtl': MTL })
    symlinkSync(join(root, 'folder', 'house', 'house.obj'), join(linked, 'house.obj'))
    await expect(openSceneFile(linked)).rejects.toMatchObject({ code: 'NO_SCENE_IN_FOLDER' })
  })
})

describe('the only scene', () => {
  it('is the one at the top, or else the one a folder down', () => {
    const chosen = (...names: string[]) => onlySceneIn(names, 'it')
    expect(chosen('a.glb', 'parts/b.obj', 'c.txt')).toBe('a.glb')
    expect(chosen('in/a.PLY.gz', 'in/deep/b.ply', 'c.txt')).toBe('in/a.PLY.gz')
    expect(chosen('a.stl', '.b.stl', '__MACOSX/a.stl', '.git/c.stl')).toBe('a.stl')
    expect(() => chosen('a.stl', 'b.obj')).toThrow('it: expected one scene file in it, got a.stl, b.obj; name one')
    expect(() => chosen(...'abcdefghij'.split('').map(name => `${name}.ply`))).toThrow('h.ply, and 2 more')
    expect(() => chosen('a.txt', '__MACOSX/a.ply', 'x/y/z.ply')).toThrow('it: expected a scene file (.ply')
  })
})

describe('an archive', () => {
  const bomb = { 'zeros.ply': new Uint8Array(1e6) }
  const at = (bytes: Buffer, signature: number) => bytes.indexOf(Buffer.from(Uint32Array.of(signature).buffer))
  const DIRECTORY = 0x02014b50

  it('that unpacks to too much is refused before anything is unpacked', async () => {
    const path = archive('bomb.zip', bomb)
    await expect(ZipArchive.open(path, 999_999)).rejects.toMatchObject({
      code: 'BAD_ARCHIVE',
      message: `${path}: expected files of at most 999999 bytes when unpacked, got 1000000`,
    })
  })

  it('that claims to be small is not unpacked further than that', async () => {
    const path = archive('liar.zip', bomb, bytes => bytes.writeUInt32LE(1000, at(bytes, DIRECTORY) + 24))
    const liar = await ZipArchive.open(path, 1000)
    await expect(liar.read('zeros.ply')).rejects.toThrow('too many bytes')
    liar.close()
    await expect(loadFile(path)).rejects.toMatchObject({ code: 'BAD_MESH' })
  })

  it('is not unpacked again and again', async () => {
    const opened = await ZipArchive.open(archive('again.zip', bomb), 2.5e6)
    await opened.read('zeros.ply')
    await opened.read('zeros.ply')
    await expect(opened.read('zeros.ply')).rejects.toThrow('expected at most 2500000 bytes of files, got more')
    opened.close()
  })

  it.each<[string, Files, (bytes: Buffer) => void, string]>([
    ['with a name that leads out', { '../a.obj': OBJ }, () => {}, 'invalid relative path: ../a.obj'],
    ['with an absolute name', { '/a.obj': OBJ }, () => {}, 'absolute path: /a.obj'],
    ['that is none', {}, bytes => bytes.fill(1), 'is not a readable zip archive'],
    ['whose file is damaged', { 'a.obj': OBJ }, bytes => bytes.writeUInt8(1, at(bytes, DIRECTORY) + 16), 'is damaged'],
    ['that is encrypted', { 'a.obj': OBJ }, bytes => bytes.writeUInt8(1, at(bytes, DIRECTORY) + 8), 'is encrypted'],
  ])('%s is refused in a sentence', async (name, files, change, message) => {
    const path = archive(`${name}.zip`, files, change)
    const error: unknown = await loadFile(path).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ exitCode: 2 })
    expect((error as Error).message).toContain(message)
    expect((error as Error).message.startsWith(path)).toBe(true)
  })

  it('is read or refused in one sentence, however it is damaged', async () => {
    const change = fc.record({ place: fc.nat({ max: 9999 }), byte: fc.nat({ max: 255 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async changes => {
        const path = archive('damaged.zip', WHOLE, bytes => {
          for (const { place, byte } of changes) bytes[place % bytes.length] = byte
        })
        const result = await loadFile(path).catch((thrown: Error & { exitCode?: number }) => thrown)
        if (!(result instanceof Error)) return
        expect(result.exitCode, result.stack).toBe(2)
        expect(result.message).not.toContain('\n')
      }),
      { numRuns: 100 },
    )
  })
})
