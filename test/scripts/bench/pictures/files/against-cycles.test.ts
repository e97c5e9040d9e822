/** `npm run bench -- pictures --against-cycles` with files: its arguments, and with Blender a small file from end to end. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Document, NodeIO, type Texture } from '@gltf-transform/core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isUnavailable } from '../../../../../scripts/bench/kernel/unavailable.ts'
import { Cycles } from '../../../../../scripts/bench/pictures/cycles/cycles.ts'
import { runBench, sortfirst } from '../../../../support/program.ts'

let folder: string
let file: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  file = join(folder, 'tiles.glb')
  writeFileSync(file, await tiles())
  writeFileSync(`${file}.glb`, 'glTF')
})
afterAll(() => rmSync(folder, { recursive: true }))

const bench = (...args: readonly string[]) => runBench(['pictures', '--out', join(folder, 'out'), ...args])
const SIZE = ['--size', '48x36'] as const

describe('arguments', () => {
  it.each([
    ['no such file', ['--against-cycles', 'lost.glb'], '--against-cycles: expected glTF files or folders'],
    ['samples without files', ['--against-cycles', '--samples', '4'], '--samples: expected it together with'],
    ['a panorama without files', ['--environment', 'a.hdr'], '--environment: expected it together with'],
    ['no number of samples', ['--against-cycles', 'FILE', '--samples', 'many'], '--samples: expected a whole number'],
    ['a reference of no kind', ['--against-cycles', 'FILE', '--reference', 'FILE'], '--reference: expected an OpenEXR'],
    ['a reference of two files', ['--against-cycles', 'FILE', 'FILE.glb', '--reference', 'x'], 'expected one file'],
  ])('%s', async (_, args, problem) => {
    const { code, stderr } = await bench(...args.map(arg => arg.replace('FILE', file)))
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)])
  })
})

it('finds a file the same as what it was rendered to', async () => {
  const rendered = await sortfirst([
    ...['render', file, '--no-floor', '--integrator', 'path', '--bounces', '12', '--samples', '64', '--frames', '1'],
    ...[
      '--camera-path',
      'still',
      '--size',
      '96x72',
      '--output',
      'exr',
      '--out',
      join(folder, 'rendered'),
      '--workers',
      '1',
    ],
  ])
  expect(rendered.code, rendered.stderr).toBe(0)
  const reference = ['--reference', join(folder, 'rendered', '0000.exr'), '--samples', '16', ...SIZE]
  const { code, stdout, stderr } = await bench('--against-cycles', file, ...reference, '--json')
  expect(code, stderr).toBe(0)
  // Half as wide: what is compared are means of 2 × 2 px.
  expect(JSON.parse(stdout)).toMatchObject({ size: [48, 36], samples: 64, files: [{ name: 'tiles.glb', notes: [] }] })
  const [found] = JSON.parse(stdout).files
  expect(found.scale).toBeCloseTo(1, 2)
  expect(found.flip).toBeLessThan(0.03)
})

const cycles = await Cycles.start()
if (isUnavailable(cycles)) console.log(`files are not compared with Cycles: it ${cycles.unavailable}`)
else cycles.close()

describe.skipIf(isUnavailable(cycles))('with Blender', () => {
  it('finds textures, normals and light of a file the same, and leaves a page and its results', async () => {
    const { code, stdout, stderr } = await bench(
      '--against-cycles',
      file,
      '--diffuse',
      '--samples',
      '32',
      ...SIZE,
      '--json',
    )
    expect(code, stderr).toBe(0)
    const result = JSON.parse(stdout)
    expect(result).toMatchObject({ size: [48, 36], samples: 128, files: [{ name: 'tiles.glb' }] })
    const [{ brightness, beyondNoise, flip, times }] = result.files
    for (const channel of brightness) expect(Math.abs(channel)).toBeLessThan(0.035)
    expect(beyondNoise).toBeLessThan(0.04)
    expect(flip).toBeLessThan(0.1)
    expect(times.ratio).toBeGreaterThan(0)
    expect(JSON.parse(readFileSync(join(folder, 'out', 'against-cycles.json'), 'utf8'))).toEqual(result)
    expect(readFileSync(join(folder, 'out', 'against-cycles.html'), 'utf8').match(/<img/g)).toHaveLength(3)
  })

  it('tells why a file cannot be compared', async () => {
    const { code, stdout } = await bench('--against-cycles', `${file}.glb`, '--quick', '--json')
    expect(code).toBe(1)
    const failed = expect.stringContaining('tiles.glb.glb')
    expect(JSON.parse(stdout).files).toMatchObject([{ name: 'tiles.glb.glb', failed }])
  })
})

/** Two upright squares, one with mirrored texture coordinates: colours, dents, and rough plastic beside metal that glows in places. */
async function tiles(): Promise<Uint8Array> {
  const document = new Document()
  const buffer = document.createBuffer()
  const attribute = (type: 'VEC2' | 'VEC3', ...numbers: number[]) =>
    document.createAccessor().setType(type).setArray(Float32Array.from(numbers)).setBuffer(buffer)
  const texture = async (of: (x: number, y: number) => readonly number[]): Promise<Texture> =>
    document
      .createTexture()
      .setMimeType('image/png')
      .setImage(await png(of))
  const [colors, dents, surface] = await Promise.all([
    // Alike, because Cycles interpolates sRGB, and we light.
    texture((x, y) =>
      x < 8 ? (y < 8 ? [200, 120, 110] : [150, 160, 200]) : y < 8 ? [130, 180, 140] : [210, 200, 190],
    ),
    // Sloped to the right in the upper half, upwards in the left of the lower one: little, because Cycles dims light on slopes.
    texture((x, y) => (y < 8 ? [145, 128, 254] : x < 8 ? [128, 145, 254] : [128, 128, 255])),
    texture((_, y) => [0, y < 4 ? 130 : 230, y < 4 ? 255 : 0]),
  ])
  const material = document
    .createMaterial()
    .setBaseColorTexture(colors)
    .setNormalTexture(dents)
    .setMetallicRoughnessTexture(surface)
    .setEmissiveTexture(colors)
    .setEmissiveFactor([0.1, 0.1, 0.1])
    .setDoubleSided(true)
  const scene = document.createScene()
  for (const side of [-1, 1]) {
    const across = [0, 1, 1, 0].map(u => (side > 0 ? 1 - u : u))
    const primitive = document
      .createPrimitive()
      .setAttribute('POSITION', attribute('VEC3', -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0))
      .setAttribute('NORMAL', attribute('VEC3', 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1))
      .setAttribute('TEXCOORD_0', attribute('VEC2', ...across.flatMap((u, i) => [u, i < 2 ? 1 : 0])))
      .setIndices(
        document
          .createAccessor()
          .setType('SCALAR')
          .setArray(Uint16Array.of(0, 1, 2, 0, 2, 3))
          .setBuffer(buffer),
      )
      .setMaterial(material)
    const node = document.createNode().setMesh(document.createMesh().addPrimitive(primitive))
    scene.addChild(node.setTranslation([1.1 * side, 0, 0]))
  }
  document.getRoot().setDefaultScene(scene)
  return new NodeIO().writeBinary(document)
}

function png(of: (x: number, y: number) => readonly number[]): Promise<Uint8Array> {
  const side = 16
  const pixels = new Uint8Array(side * side * 3)
  for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) pixels.set(of(x, y), (y * side + x) * 3)
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer()
}
