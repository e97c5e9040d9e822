/** Mattes in EXR files, read as programs for compositing do: by the header's manifest alone. */
import { describe, expect, it } from 'vitest'
import { cryptomatte } from '../../../scripts/film/cryptomatte.ts'
import { exrFile } from '../../../scripts/film/exr-file.ts'
import { encodeFrame } from '../../../scripts/film/frame-files.ts'
import { RANKS } from '../../../shared/frame/coverage-table.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { mattesIn } from '../../support/mattes.ts'
import { readExr } from '../../support/read-exr.ts'

const size: Size = [5, 2]
const pixels = 10
const names = ['bunny', 'a "quoted" \\ name', 'größe', 'default']
/** Six ranks of ids that differ from pixel to pixel; the last pixel is empty. */
const ranks = new Float32Array(pixels * RANKS * 2)
const coverage: Map<string, number>[] = Array.from({ length: pixels }, () => new Map())
for (let pixel = 0; pixel < pixels - 1; pixel++)
  for (let rank = 0; rank <= pixel % 4; rank++) {
    const number = (pixel + rank) % names.length
    const share = Math.fround(0.6 ** (rank + 1))
    ranks.set([number + 1, share], (pixel * RANKS + rank) * 2)
    coverage[pixel]!.set(names[number]!, share)
  }

describe('mattes', () => {
  it('have the coverage of every name, by its hash', () => {
    const file = exrFile(size, undefined, 'half', cryptomatte('CryptoObject', ranks, names))
    const { types, words } = readExr(file)
    expect(Object.keys(types)).toEqual(
      ['00', '01', '02'].flatMap(number => ['A', 'B', 'G', 'R'].map(letter => `CryptoObject${number}.${letter}`)),
    )
    expect(new Set(Object.values(types))).toEqual(new Set(['float']))
    expect(Object.keys(words).every(word => word.length <= 31)).toBe(true)
    const matte = mattesIn(file).get('CryptoObject')!
    expect(matte.names).toEqual(new Set(names))
    expect(JSON.parse(words[`${matte.key}/manifest`]!)).toMatchObject({ bunny: '13851a76' })
    expect(matte.coverage).toEqual(coverage)
  })

  it('say which are others, where there are any', () => {
    const some = ranks.slice()
    some[0] = 65535
    const { names: listed, coverage } = mattesIn(
      exrFile(size, undefined, 'float', cryptomatte('CryptoMaterial', some, names)),
    ).get('CryptoMaterial')!
    expect(listed).toEqual(new Set([...names, 'others']))
    expect(coverage[0]!.get('others')).toBe(some[1])
  })

  it('stand in files of their own, or among layers', () => {
    const light = new Float32Array(pixels * 3).fill(0.5)
    const order = {
      size,
      look: { exposure: 1 },
      outputs: ['exr'],
      aovs: ['cryptoObject', 'cryptoMaterial'],
      exrType: 'half',
      planes: { light, cryptoObject: ranks, cryptoMaterial: ranks },
      names: { objects: names, materials: [...names].reverse() },
    } as const
    const apart = encodeFrame({ ...order, exrLayers: false }).files
    expect(apart.map(([ending]) => ending)).toEqual(['exr', 'cryptoObject.exr', 'cryptoMaterial.exr'])
    expect([...mattesIn(apart[0]![1]).keys()]).toEqual([])
    const [[, together]] = encodeFrame({ ...order, exrLayers: true }).files as [[string, Uint8Array]]
    const mattes = mattesIn(together)
    expect([...mattes.keys()].sort()).toEqual(['CryptoMaterial', 'CryptoObject'])
    for (const [name, [, file]] of [
      ['CryptoObject', apart[1]!],
      ['CryptoMaterial', apart[2]!],
    ] as const)
      expect(mattes.get(name)).toEqual(mattesIn(file).get(name))
    expect(mattes.get('CryptoObject')!.coverage).toEqual(coverage)
    expect(mattes.get('CryptoMaterial')!.coverage).not.toEqual(coverage)
    expect(readExr(together).types).toMatchObject({ R: 'half', 'CryptoObject02.A': 'float' })
  })
})
