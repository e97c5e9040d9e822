import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DataTexture, FloatType, RGBAFormat, Scene } from 'three'
import { EXRExporter, NO_COMPRESSION, ZIP_COMPRESSION } from 'three/addons/exporters/EXRExporter.js'
import { afterAll, describe, expect, it } from 'vitest'
import { readEnvironment } from '../../../../scenes/files/pictures/environment-file.ts'
import { mapEnvironment } from '../../../../scenes/import/lights/map-environment.ts'
import { checkLook, type SceneLook } from '../../../../scenes/look/scene-look.ts'
import { openScene } from '../../../../scenes/open-scene.ts'
import { bakedThree } from '../../../support/baked.ts'
import { hasModels, modelAt } from '../../../support/models.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** RGBE texels: the top row is 1, 2, 4, the bottom one half of it. */
const hdrHead = (width: number, height: number) => `#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`
const flatHdr = (width: number) => {
  const row = (exponent: number) => Array.from({ length: width }, () => [51, 102, 204, exponent]).flat()
  return Buffer.concat([Buffer.from(hdrHead(width, 2)), Buffer.from([...row(131), ...row(130)])])
}
const packedHdr = (width: number) => {
  const row = (exponent: number) => [
    ...[2, 2, width >> 8, width & 255],
    ...[51, 102, 204, exponent].flatMap(byte => [128 + width, byte]),
  ]
  return Buffer.concat([Buffer.from(hdrHead(width, 2)), Buffer.from([...row(131), ...row(130)])])
}
async function exr(values: readonly number[], width: number, height: number, compression: number = ZIP_COMPRESSION) {
  const texels = Float32Array.from(values.flatMap(value => [value, value * 2, value * 4, 1]))
  const texture = new DataTexture(texels, width, height, RGBAFormat, FloatType)
  return new EXRExporter().parse(texture, { type: FloatType, compression: compression as never })
}
const mapIn = async (path: string) => {
  const scene = new Scene()
  scene.background = await readEnvironment(path)
  const { environment } = mapEnvironment(scene, undefined, [])
  if (environment?.kind !== 'map') throw new Error('expected a map')
  return environment
}

describe('an environment file', () => {
  it.each([
    ['flat', flatHdr(4), 4],
    ['compressed', packedHdr(16), 16],
  ])('of %s HDR has its rows from the top', async (name, content, width) => {
    const map = await mapIn(file(`${name}.hdr`, content))
    expect([map.width, map.height]).toEqual([width, 2])
    const scale = 8 / 255
    const [r, g, b] = [51 * scale, 102 * scale, 204 * scale].map(Math.fround)
    expect([...map.texels.subarray(0, 3)]).toEqual([r, g, b])
    expect([...map.texels.subarray(-3)]).toEqual([r, g, b].map(each => each! / 2))
  })

  it('of EXR has its rows from the top, whichever comes first in the file', async () => {
    const map = await mapIn(file('two.exr', await exr([1, 1, 5, 5], 2, 2)))
    // The texture is given to the exporter from the bottom up.
    expect([...map.texels]).toEqual([5, 10, 20, 5, 10, 20, 1, 2, 4, 1, 2, 4])
  })

  it.each<[string, () => Promise<string> | string, string, string]>([
    ['missing', () => join(folder, 'none.hdr'), 'SCENE_FILE_MISSING', 'no such file'],
    ['a folder', () => folder, 'SCENE_FILE_IS_FOLDER', 'got a folder'],
    ['text', () => file('words.hdr', 'hello'), 'BAD_ENVIRONMENT', 'expected a Radiance HDR or OpenEXR picture'],
    ['empty', () => file('empty.exr', ''), 'BAD_ENVIRONMENT', 'got something else'],
    [
      'without a size',
      () => file('head.hdr', '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n'),
      'BAD_ENVIRONMENT',
      'and a size',
    ],
    [
      'huge by its header',
      () => file('huge.hdr', hdrHead(1_000_000, 1_000_000)),
      'BAD_ENVIRONMENT',
      'expected a picture of at most 16384 × 8192, got 1000000 × 1000000',
    ],
    [
      'truncated',
      () => file('cut.hdr', packedHdr(16).subarray(0, -2)),
      'BAD_ENVIRONMENT',
      'the file is truncated: expected 2 rows, got 1',
    ],
    ['truncated flat', () => file('cut-flat.hdr', flatHdr(4).subarray(0, -1)), 'BAD_ENVIRONMENT', 'got 1'],
    [
      'of runs of nothing',
      () => file('zeros.hdr', Buffer.concat([Buffer.from(hdrHead(16, 2)), Buffer.from([2, 2, 0, 16, 0, 0, 0, 0])])),
      'BAD_ENVIRONMENT',
      'cannot be decoded: Bad File Format: bad scanline data',
    ],
    [
      'a truncated EXR',
      async () => file('cut.exr', (await exr([1, 2, 3, 4], 2, 2, NO_COMPRESSION)).subarray(0, -20)),
      'BAD_ENVIRONMENT',
      'cannot be decoded',
    ],
    [
      'the head of an EXR',
      async () => file('head.exr', (await exr([1], 1, 1)).subarray(0, 60)),
      'BAD_ENVIRONMENT',
      'the file is truncated: expected a header with a dataWindow',
    ],
    [
      'an EXR with NaN',
      async () => file('nan.exr', await exr([1, 2, Number.NaN, 4], 2, 2, NO_COMPRESSION)),
      'BAD_ENVIRONMENT',
      'expected finite numbers, got NaN in column 0 of row 1',
    ],
    [
      'a huge EXR',
      async () => {
        const bytes = (await exr([1], 1, 1)).slice()
        const at = Buffer.from(bytes).indexOf('dataWindow\0box2i\0') + 17 + 4 + 8
        new DataView(bytes.buffer, bytes.byteOffset).setInt32(at, 2 ** 31 - 2, true)
        return file('huge.exr', bytes)
      },
      'BAD_ENVIRONMENT',
      'got 2147483647 × 1',
    ],
  ])('that is %s is refused in one sentence', async (_, make, code, words) => {
    const path = await make()
    await expect(readEnvironment(path)).rejects.toMatchObject({ code, exitCode: 2 })
    await expect(readEnvironment(path)).rejects.toThrow(words)
  })

  it('that is too long is not read', async () => {
    const path = file('long.hdr', flatHdr(4))
    truncateSync(path, 2 ** 31)
    await expect(readEnvironment(path)).rejects.toThrow('expected at most 1073741824 bytes, got 2147483648')
  })

  const real = 'hdr/royal_esplanade_1k.hdr'
  it.skipIf(!hasModels(real))('from a photographer is read (skipped: needs royal_esplanade_1k.hdr)', async () => {
    const map = await mapIn(file('esplanade.hdr', readFileSync(modelAt(real))))
    expect([map.width, map.height]).toEqual([1024, 512])
    expect(map.texels.reduce((most, each) => Math.max(most, each), 0)).toBeGreaterThan(100)
  })
})

describe('the look of an environment', () => {
  const path = file('studio.hdr', flatHdr(4))
  const described = async (look: SceneLook) =>
    bakedThree((await openScene('corner', checkLook(look, 'corner'))).scene).description

  it('replaces sky and sun, unless a sun is wanted', async () => {
    const { environment, lights } = await described({
      environment: path,
      environmentRotation: -90,
      environmentIntensity: 2,
    })
    expect(environment).toMatchObject({ kind: 'map', width: 4, height: 2, intensity: 2, rotation: -0.25 })
    expect(lights).toEqual([])
    expect((await described({ environment: path, sun: [0, 30] })).lights).toHaveLength(1)
    expect((await openScene('corner', { environment: path })).files).toContain(path)
  })

  it.each<[object, string]>([
    [{ environment: '' }, "environment: expected the path of a file, got ''"],
    [{ environment: 'a.hdr', background: 'red' }, "environment: expected no background with it, got 'a.hdr'"],
    [{ environmentRotation: 10 }, "environmentRotation: expected environment with it, got '10'"],
    [{ environment: 'a.hdr', environmentRotation: 'far' }, "degrees, at most 36000, got 'far'"],
    [
      { environment: 'a.hdr', environmentIntensity: -1 },
      "environmentIntensity: expected a factor from 0 to 1000000, got '-1'",
    ],
  ])('%j is refused', (look, words) => {
    expect(() => checkLook(look as SceneLook, 'corner')).toThrow(words)
  })
})
