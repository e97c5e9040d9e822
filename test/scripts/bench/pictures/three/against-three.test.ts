/** `npm run bench -- pictures --against-three`: its arguments, and with Chromium a small file from end to end. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Document, NodeIO } from '@gltf-transform/core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isUnavailable } from '../../../../../scripts/bench/kernel/unavailable.ts'
import { startChromium } from '../../../../../scripts/bench/pictures/three/chromium.ts'
import { comparePictures } from '../../../../../scripts/bench/pictures/three/compare.ts'
import { Rasteriser } from '../../../../../scripts/bench/pictures/three/rasteriser.ts'
import { severalMotions } from '../../../../scenes/files/gltf/moving-gltf.ts'
import { FLOAT, type GltfParts, glb, triangle } from '../../../../support/gltf.ts'
import { runBench } from '../../../../support/program.ts'

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  writeFileSync(join(folder, 'textured.glb'), await textured())
  writeFileSync(join(folder, 'broken.glb'), 'glTF')
})
afterAll(() => rmSync(folder, { recursive: true }))

const compare = (...args: readonly string[]) => runBench(['pictures', '--out', join(folder, 'out'), ...args])

describe('arguments', () => {
  const FILE = 'textured.glb'
  it.each([
    ['no such file', ['--against-three', 'lost.glb'], '--against-three: expected glTF files or folders'],
    ['a size without it', ['--size', '64x64'], '--size: expected it together with --against-three or'],
    ['a browser without it', ['--chromium', 'x'], '--chromium: expected it together with --against-three only'],
    [
      'Cycles beside it',
      ['--against-cycles', '--against-three', FILE],
      '--against-three: expected no --against-cycles',
    ],
    ['no size', ['--against-three', FILE, '--size', '64'], '--size: expected WIDTHxHEIGHT'],
  ])('%s', async (_, args, problem) => {
    const { code, stderr } = await compare(...args.map(arg => (arg === FILE ? join(folder, arg) : arg)))
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)])
  })

  it('a browser that is not there', async () => {
    const { code, stderr } = await compare('--against-three', join(folder, FILE), '--chromium', '/nowhere/chromium')
    expect(code).toBe(1)
    expect(stderr).toContain("not compared with three.js: it needs Chromium, and '/nowhere/chromium' is not a program")
  })
})

it('says which names of the browser it has tried', async () => {
  expect(await startChromium(undefined, folder)).toEqual({
    unavailable: expect.stringMatching(
      /^needs Chromium, and PATH has none of chromium, .*; --chromium says where it is$/,
    ),
  })
})

const three = await Rasteriser.start()
if (isUnavailable(three)) console.log(`three's rasteriser is not tested: it ${three.unavailable}`)
afterAll(async () => {
  if (!isUnavailable(three)) await three.close()
})

describe.skipIf(isUnavailable(three))('with Chromium', () => {
  const SIZE = ['--size', '96x72'] as const

  it('finds a textured file the same, and leaves a page and its results', async () => {
    const { code, stdout, stderr } = await compare('--against-three', join(folder, 'textured.glb'), ...SIZE, '--json')
    expect([code, stderr]).toEqual([0, expect.stringContaining('textured.glb: three.js r')])
    const result = JSON.parse(stdout)
    expect(result).toMatchObject({ size: [96, 72], files: [{ name: 'textured.glb', ok: true, blended: 0 }] })
    expect(result.files[0].shown).toBeGreaterThan(0.1)
    expect(result.files[0]).not.toHaveProperty('times')
    expect(JSON.parse(readFileSync(join(folder, 'out', 'against-three.json'), 'utf8'))).toEqual(result)
    const page = readFileSync(join(folder, 'out', 'against-three.html'), 'utf8')
    expect(page).not.toMatch(/(?:src|href)="(?!data:)[^"#]/)
    expect(page.match(/<img/g)).toHaveLength(3)
  })

  it('compares a file that moves at five times, and shows all', async () => {
    const path = join(folder, 'bend.glb')
    writeFileSync(path, doubleSided(severalMotions()))
    const { code, stdout } = await compare('--against-three', path, ...SIZE, '--json')
    rmSync(path)
    const [file] = JSON.parse(stdout).files
    expect([code, file]).toMatchObject([0, { name: 'bend.glb', ok: true }])
    expect(file.times.map(({ seconds }: { seconds: number }) => seconds)).toEqual([0, 0.4, 0.8, 1.2, 1.6])
    expect(file.differing).toBe(Math.max(...file.times.map(({ differing }: { differing: number }) => differing)))
    expect(file.times).toContainEqual(expect.objectContaining({ seconds: file.seconds, differing: file.differing }))
    // Something moves.
    expect(new Set(file.times.map(({ shown }: { shown: number }) => shown)).size).toBeGreaterThan(1)
    const page = readFileSync(join(folder, 'out', 'against-three.html'), 'utf8')
    expect(page.match(/<img/g)).toHaveLength(15)
    expect(page).toContain('at 1.2 s'.replace('1.2', `${file.seconds}`))
  })

  it.each(POINTERS)('three moves %s by a pointer, in any order of times', async (_, pointer, values, type) => {
    const path = join(folder, 'pointed.glb')
    writeFileSync(path, await pointed(pointer, values, type))
    const rasterise = async (...times: number[]) =>
      (await (three as Rasteriser).rasterise(path, [96, 72], 2, undefined, times)).map(({ picture }) => picture)
    const [late, early, again] = await rasterise(1, 0, 1)
    rmSync(path)
    expect(comparePictures(late!, early!).differing).toBeGreaterThan(0.05)
    expect(comparePictures(late!, again!).differing).toBe(0)
  })

  it('fails for a file that cannot be read, and compares the others', async () => {
    const { code, stdout } = await compare('--against-three', folder, ...SIZE, '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout).files).toMatchObject([
      { name: 'broken.glb', ok: false, failed: expect.stringContaining('broken.glb') },
      { name: 'textured.glb', ok: true },
    ])
  })

  it('sees the textures, the transforms and the camera of a file', async () => {
    const picture = async (options: Options) => {
      const path = join(folder, 'other.glb')
      writeFileSync(path, await textured(options))
      return (await (three as Rasteriser).rasterise(path, [96, 72], 4))[0]!.picture
    }
    const plain = await picture({})
    expect(comparePictures(plain, await picture({})).differing).toBe(0)
    for (const change of [{ turned: true }, { moved: true }, { farther: true }])
      expect(comparePictures(plain, await picture(change)).differing, JSON.stringify(change)).toBeGreaterThan(0.05)
  })

  it('is not judged by a file that three reads in part', async () => {
    const path = join(folder, 'untextured.gltf')
    const { document, body } = triangle(document => {
      document.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }]
      document.textures = [{ source: 0 }]
      document.images = [{ uri: 'lost.png' }]
      document.meshes[0].primitives[0].material = 0
    })
    writeFileSync(path.replace('.gltf', '.glb'), glb({ document, body }))
    const { code, stdout } = await compare('--against-three', path.replace('.gltf', '.glb'), ...SIZE, '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout).files).toMatchObject([{ ok: false, failed: expect.stringMatching(/^three\.js: /) }])
  })
})

/** What a pointer moves, from a value to another one in a second. */
const POINTERS: [name: string, pointer: string, values: readonly number[], type: 'SCALAR' | 'VEC2' | 'VEC4'][] = [
  ['a colour', '/materials/0/pbrMetallicRoughness/baseColorFactor', [1, 1, 1, 1, 0.2, 1, 0.2, 1], 'VEC4'],
  [
    'a texture',
    '/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset',
    [0, 0, 0.5, 0.25],
    'VEC2',
  ],
  ['a node', '/nodes/0/rotation', [0, 0, 0, 1, 0, 0, 1, 0], 'VEC4'],
  ['whether a node is seen', '/nodes/0/extensions/KHR_node_visibility/visible', [1, 0], 'SCALAR'],
  ['a lens', '/cameras/0/perspective/yfov', [0.7, 1.4], 'SCALAR'],
]

/** The textured square, moved by a pointer. */
async function pointed(pointer: string, values: readonly number[], type: 'SCALAR' | 'VEC2' | 'VEC4') {
  const io = new NodeIO()
  const { json, resources } = await io.writeJSON(await io.readBinary(await textured()))
  const [uri] = Object.keys(resources).filter(name => name.endsWith('.bin'))
  const body = Buffer.concat([resources[uri!]!, Buffer.from(Float32Array.of(0, 1, ...values).buffer)])
  const view = (byteOffset: number, byteLength: number) =>
    json.bufferViews!.push({ buffer: 0, byteOffset, byteLength }) - 1
  const accessor = (bufferView: number, type: string) =>
    json.accessors!.push({ bufferView, type, componentType: FLOAT, count: 2 } as never) - 1
  const at = resources[uri!]!.length
  const [input, output] = [accessor(view(at, 8), 'SCALAR'), accessor(view(at + 8, values.length * 4), type)]
  const target = { path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } } as never
  const image = Object.keys(resources).find(name => name.endsWith('.png'))!
  const uriOf = `data:image/png;base64,${Buffer.from(resources[image]!).toString('base64')}`
  const document = {
    ...json,
    images: [{ uri: uriOf }],
    buffers: [{ byteLength: body.length }],
    animations: [{ samplers: [{ input, output }], channels: [{ sampler: 0, target }] }],
  }
  return glb({ document, body })
}

/** A file whose triangles are seen from both sides. */
function doubleSided({ document, body }: GltfParts): Uint8Array {
  document.materials = [{ doubleSided: true }]
  for (const { primitives } of document.meshes) for (const each of primitives) each.material = 0
  return glb({ document, body })
}

interface Options {
  /** Whether the texture's coordinates are exchanged. */
  readonly turned?: boolean
  readonly moved?: boolean
  readonly farther?: boolean
}

/** A textured square, a part of it tinted, before a camera of its own. */
async function textured({ turned = false, moved = false, farther = false }: Options = {}): Promise<Uint8Array> {
  const document = new Document()
  const buffer = document.createBuffer()
  const attribute = (type: 'VEC2' | 'VEC3' | 'VEC4', ...numbers: number[]) =>
    document.createAccessor().setType(type).setArray(Float32Array.from(numbers)).setBuffer(buffer)
  const corners = [0, 1, 1, 1, 1, 0, 0, 0]
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', attribute('VEC3', -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0))
    .setAttribute('TEXCOORD_0', attribute('VEC2', ...(turned ? corners.toReversed() : corners)))
    .setAttribute('COLOR_0', attribute('VEC4', 1, 1, 1, 1, 1, 1, 1, 1, 0.2, 0.9, 1, 1, 1, 1, 1, 1))
    .setIndices(
      document
        .createAccessor()
        .setType('SCALAR')
        .setArray(Uint16Array.of(0, 1, 2, 0, 2, 3))
        .setBuffer(buffer),
    )
    .setMaterial(
      document
        .createMaterial()
        .setBaseColorFactor([1, 0.8, 0.6, 1])
        .setDoubleSided(true)
        .setBaseColorTexture(
          document
            .createTexture()
            .setMimeType('image/png')
            .setImage(await arrow()),
        ),
    )
  const square = document.createNode().setMesh(document.createMesh().addPrimitive(primitive))
  square.setRotation([0, Math.sin(0.3), 0, Math.cos(0.3)]).setTranslation([moved ? 0.6 : 0, 0, 0])
  const lens = document.createCamera().setType('perspective').setYFov(0.7).setAspectRatio(1).setZNear(0.1).setZFar(100)
  const eye = document
    .createNode()
    .setCamera(lens)
    .setTranslation([0.1, 0.05, farther ? 3 : 2])
  // The scale of its node does not count for a camera, but where it is.
  const scene = document
    .createScene()
    .addChild(square)
    .addChild(document.createNode().setScale([2, 2, 2]).addChild(eye))
  document.getRoot().setDefaultScene(scene)
  return new NodeIO().writeBinary(document)
}

/** A texture that looks different from every side. */
function arrow(): Promise<Uint8Array> {
  const side = 16
  const pixels = new Uint8Array(side * side * 3)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      pixels.set(x < 5 ? [200, 40, 40] : y < 9 ? [40, 40, 220] : [30, 180, 60], (y * side + x) * 3)
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer()
}
