/** Files of frames, asked for as a user would. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { expectSentence } from '../support/complaint.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { mattesIn } from '../support/mattes.ts'
import { sortfirst } from '../support/program.ts'
import { readExr } from '../support/read-exr.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const out = join(folder, 'film')
const small = ['corner', '--size', '48x27', '--samples', '2', '--ambient-rays', '1', '--out', out]
const lent = lentCluster()
const all = ['--output', 'png,png16,exr,webp', '--aov', 'albedo,normal,depth,position,id', '--transparent']
const ENDINGS = ['16.png', 'albedo.exr', 'depth.exr', 'exr', 'id.exr', 'normal.exr', 'png', 'position.exr', 'webp']
const filesOf = (frame: string) => ENDINGS.map(ending => `${frame}.${ending}`)
const hashOf = (name: string) => readFileSync(join(out, name)).toString('base64')

describe('the files of a film', () => {
  it('are those that were asked for, the same in any passes, and made again where one is missing', async () => {
    const { code, stderr } = await sortfirst(['render', ...small, ...all, '--frames', '2', ...lent()])
    expect(code, stderr).toBe(0)
    expect(readdirSync(out).sort()).toEqual(
      [...filesOf('0000'), ...filesOf('0001'), 'frames.csv', 'render.json', 'summary.json'].sort(),
    )
    expect(await sharp(join(out, '0000.png')).metadata()).toMatchObject({ channels: 4, depth: 'uchar' })
    expect(await sharp(join(out, '0000.16.png')).metadata()).toMatchObject({ channels: 4, depth: 'ushort' })

    const before = filesOf('0001').map(hashOf)
    const first = statSync(join(out, '0000.exr')).mtimeMs
    rmSync(join(out, '0001.depth.exr'))
    const again = ['--frames', '2', '--resume', '--passes', '2', '--strategy', 'scatter', '--workers', '2']
    const resumed = await sortfirst(['render', ...small, ...all, ...again])
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(resumed.stderr).toContain('1 of 2 frames is complete already')
    expect(filesOf('0001').map(hashOf)).toEqual(before)
    expect(statSync(join(out, '0000.exr')).mtimeMs).toBe(first)

    for (const [words, complaint] of [
      [all.slice(2), 'expected the files of the existing frames'],
      [all.slice(0, -1), 'expected the transparency of the existing frames, true, got false'],
      [[...all, '--exr-type', 'half'], 'expected the type of EXR files of the existing frames, "float", got "half"'],
      [[...all, '--tone-mapping', 'agx'], 'expected the tone mapping of the existing frames, "aces", got "agx"'],
      [[...all, '--view', 'agx'], 'expected the tone mapping of the existing frames, "aces", got "agx"'],
      [
        [...all, '--white-balance', '3200'],
        'expected the white balance of the existing frames, "none", got {"temperature":3200,"tint":0}',
      ],
      [[...all, '--exposure', '3'], 'expected the exposure of the existing frames'],
    ] as const) {
      const refused = await sortfirst(['render', ...small, ...words, '--frames', '2', '--resume', ...lent()])
      expectSentence(refused, 2, complaint)
    }
  })

  it('of denoised frames have both pictures, and are not mixed with others', async () => {
    const out = join(folder, 'denoised')
    const film = ['corner', '--size', '48x27', '--samples', '4', '--bounces', '1', '--out', out, '--frames', '1']
    const render = (...words: string[]) =>
      sortfirst(['render', ...film, '--output', 'png,exr', ...words, '--json', ...lent()])
    const layersOf = () => readExr(readFileSync(join(out, '0000.exr')))
    const plain = await render()
    expect(plain.code, plain.stderr).toBe(0)
    const before = layersOf()
    expect(before.words).toEqual({})
    expect(JSON.parse(plain.stdout)).not.toHaveProperty('denoise')
    expectSentence(
      await render('--denoise', 'on', '--resume'),
      2,
      'the denoiser of the existing frames, "off", got "on"',
    )
    const png = readFileSync(join(out, '0000.png'))
    const denoised = await render('--denoise', 'on')
    expect(denoised.code, denoised.stderr).toBe(0)
    expect(JSON.parse(denoised.stdout)).toHaveProperty('denoise', 'on')
    const { channels, words } = layersOf()
    expect(words).toEqual({ denoiser: 'sortfirst' })
    for (const name of ['R', 'G', 'B']) {
      expect(channels[`noisy.${name}`]).toEqual(before.channels[name])
      expect(channels[name]).not.toEqual(before.channels[name])
    }
    expect(readFileSync(join(out, '0000.png')).equals(png)).toBe(false)
    const again = await render('--denoise', 'on', '--resume')
    expect(again.stderr).toContain('1 of 1 frame is complete already')
  })

  it('may be one EXR file with all channels as layers, which is not mixed with others', async () => {
    const out = join(folder, 'layers')
    const film = ['corner', '--size', '48x27', '--samples', '2', '--bounces', '1', '--frames', '2', '--out', out]
    const channels = ['--denoise', 'on', '--aov', 'normal,depth,id']
    const render = (...words: string[]) => sortfirst(['render', ...film, ...words, ...lent()])
    const apart = await render(...channels, '--output', 'exr')
    expect(apart.code, apart.stderr).toBe(0)
    const [beauty, depth, normal] = ['exr', 'depth.exr', 'normal.exr'].map(
      ending => readExr(readFileSync(join(out, `0001.${ending}`))).channels,
    )
    rmSync(out, { recursive: true })

    const made = await render(...channels, '--exr-layers', '--exr-type', 'float')
    expect(made.code, made.stderr).toBe(0)
    const files = ['0000.exr', '0000.png', '0001.exr', '0001.png', 'frames.csv', 'render.json', 'summary.json']
    expect(readdirSync(out).sort()).toEqual(files)
    const { channels: layers, whole } = readExr(readFileSync(join(out, '0001.exr')))
    for (const [name, values] of Object.entries(beauty!)) expect(layers[name], name).toEqual(values)
    expect(layers['depth.Z']).toEqual(depth!.R)
    for (const [k, name] of ['R', 'G', 'B'].entries()) expect(layers[`normal.${'XYZ'[k]}`]).toEqual(normal![name])
    expect(new Set(whole['id.X']).size).toBeGreaterThan(2)

    const before = readFileSync(join(out, '0001.exr'))
    writeFileSync(join(out, '0001.exr'), before.subarray(0, -1))
    const resumed = await render(...channels, '--exr-layers', '--exr-type', 'float', '--resume')
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(resumed.stderr).toContain('1 frame changed after it was written, and is rendered again')
    expect(readFileSync(join(out, '0001.exr')).equals(before)).toBe(true)
    expectSentence(
      await render('--denoise', 'on', '--aov', 'normal', '--exr-layers', '--exr-type', 'float', '--resume'),
      2,
      'expected the layers of EXR files of the existing frames, ["normal","depth","id"], got ["normal"]',
    )
    expectSentence(await render('--denoise', 'on', '--output', 'png,exr', '--resume'), 2, 'expected the layers of EXR')
  })

  it('say what ids of objects and materials stand for, the same in all frames', async () => {
    const out = join(folder, 'ids')
    const render = (...words: string[]) => {
      const film = ['corner', '--size', '48x27', '--samples', '1', '--ambient-rays', '1', '--frames', '2', '--out', out]
      return sortfirst(['render', ...film, '--aov', 'objectId,materialId', ...words, ...lent()])
    }
    const { code, stderr } = await render()
    expect(code, stderr).toBe(0)
    const ids = ['objectId', 'materialId'].flatMap(name => [`${name}.exr`, `${name}.png`])
    expect(readdirSync(out).sort()).toEqual(
      [
        ...['0000', '0001'].flatMap(frame => [...ids, 'png'].map(ending => `${frame}.${ending}`)),
        ...['frames.csv', 'render.json', 'summary.json'],
      ].sort(),
    )
    const saidIn = (file: string) => JSON.parse(readFileSync(join(out, file), 'utf8')).names
    const names = saidIn('render.json')
    expect(saidIn('summary.json')).toEqual(names)
    const listed = (ids: { id: number; name: string }[]) => new Map(ids.map(({ id, name }) => [id, name]))
    const [objects, materials] = [listed(names.objects), listed(names.materials)]
    expect([...objects.keys()]).toEqual([...objects.keys()].map((_, i) => i + 1))
    for (const frame of ['0000', '0001']) {
      const [seen, colors] = [
        readExr(readFileSync(join(out, `${frame}.objectId.exr`))),
        join(out, `${frame}.objectId.png`),
      ]
      expect(seen.types).toMatchObject({ R: 'uint', G: 'uint', B: 'uint' })
      const shown = [...new Set(seen.whole.R)].filter(id => id > 0).map(id => objects.get(id))
      expect(shown).toContain('glass sphere')
      expect(shown).not.toContain(undefined)
      const { data } = await sharp(colors).raw().toBuffer({ resolveWithObject: true })
      // One colour for each, and another for each other.
      const pairs = new Set([...seen.whole.R!].map((id, i) => `${id} ${data.subarray(i * 3, i * 3 + 3).join()}`))
      expect(pairs.size).toBe(new Set(seen.whole.R).size)
      expect(new Set([...pairs].map(pair => pair.split(' ')[1])).size).toBe(pairs.size)
      const inMaterials = readExr(readFileSync(join(out, `${frame}.materialId.exr`))).whole.R!
      for (const id of inMaterials) expect(id === 0 || materials.has(id)).toBe(true)
    }
    const layered = await render('--exr-layers')
    expect(layered.code, layered.stderr).toBe(0)
    const { whole } = readExr(readFileSync(join(out, '0001.exr')))
    expect(whole['objectId.X']).toEqual(readExr(readFileSync(join(out, '0001.objectId.exr'))).whole.R)
    expect(Object.keys(whole)).toEqual(['materialId.X', 'objectId.X'])
  })

  it('may have mattes, the same bytes in any passes and with any workers', async () => {
    const out = join(folder, 'mattes')
    const film = ['corner', '--size', '48x27', '--samples', '16', '--bounces', '1', '--frames', '1', '--out', out]
    const mattes = ['--output', 'exr', '--aov', 'cryptoObject,cryptoMaterial', '--transparent']
    const render = (...words: string[]) => sortfirst(['render', ...film, ...mattes, ...words])
    const { code, stderr } = await render(...lent())
    expect(code, stderr).toBe(0)
    const bytes = () => ['cryptoObject', 'cryptoMaterial'].map(name => readFileSync(join(out, `0000.${name}.exr`)))
    const [objects, materials] = bytes()
    const other = await render('--passes', '5', '--strategy', 'scatter', '--workers', '2')
    expect(other.code, other.stderr).toBe(0)
    expect(bytes()).toEqual([objects, materials])
    const compareWithAlpha = (files: Buffer[]) => {
      const alpha = readExr(readFileSync(join(out, '0000.exr'))).channels.A!
      for (const [i, name] of ['CryptoObject', 'CryptoMaterial'].entries()) {
        const { coverage, names } = mattesIn(files[i]!).get(name)!
        // Of six ranks, which is more than these pixels need.
        for (const [pixel, shares] of coverage.entries()) {
          expect([...shares.values()].reduce((sum, share) => sum + share, 0)).toBeCloseTo(alpha[pixel]!, 6)
          for (const each of shares.keys()) expect(names).toContain(each)
        }
        expect(coverage.some(shares => shares.size > 1)).toBe(true)
      }
    }
    compareWithAlpha([objects!, materials!])
    // Shares are those of the samples that a pixel has got.
    const adaptive = await render(
      '--noise',
      '0.1',
      '--samples',
      '64',
      '--aov',
      'cryptoObject,cryptoMaterial,samples',
      ...lent(),
    )
    expect(adaptive.code, adaptive.stderr).toBe(0)
    expect(new Set(readExr(readFileSync(join(out, '0000.samples.exr'))).channels.R).size).toBeGreaterThan(1)
    compareWithAlpha(bytes())
    const seen = new Set(
      mattesIn(objects!)
        .get('CryptoObject')!
        .coverage.flatMap(shares => [...shares.keys()]),
    )
    for (const each of ['plate', 'knot', 'mirror sphere', 'stone']) expect(seen).toContain(each)
  })

  it('are as bright as told', async () => {
    const pictures: string[] = []
    for (const words of [[], ['--exposure', '0.2'], ['--tone-mapping', 'neutral']]) {
      const files = ['--frames', '1', '--output', 'png,exr']
      const { code, stderr } = await sortfirst(['render', ...small, ...words, ...files, ...lent()])
      expect(code, stderr).toBe(0)
      pictures.push(`${hashOf('0000.png')} ${hashOf('0000.exr')}`)
    }
    const [pngs, exrs] = [0, 1].map(i => new Set(pictures.map(picture => picture.split(' ')[i])))
    expect([pngs!.size, exrs!.size]).toEqual([3, 1])
  })
})

describe('wrong words about files', () => {
  it.each<[string, string[], string[]]>([
    ['an unknown kind', ['render', '--output', 'tiff'], ["unknown output 'tiff'", 'png, png16, exr, webp']],
    [
      'an unknown channel',
      ['render', '--aov', 'z'],
      ["unknown aov 'z'", 'albedo, normal, mappedNormal, depth, position, id'],
    ],
    ['a type of no EXR file', ['render', '--exr-type', 'half'], ['--exr-type: expected exr among --output']],
    ['previews without PNG', ['render', '--output', 'exr', '--progressive'], ['--progressive: expected png among']],
    ['files of a comparison', ['compare', '--output', 'exr'], ['--output: expected it for render only']],
    ['channels of a comparison', ['compare', '--aov', 'id'], ['--aov: expected it for render only']],
    ['a tone mapping of a comparison', ['compare', '--tone-mapping', 'x'], ['neutral']],
  ])('are refused: %s', async (_, [command, ...words], sentences) => {
    const refused = await sortfirst([command!, ...small, ...words, '--frames', '1'])
    expectSentence(refused, 2, ...sentences)
  })
})
