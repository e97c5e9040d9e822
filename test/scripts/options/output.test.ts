import { describe, expect, it } from 'vitest'
import { frameFile, frameOf } from '../../../scripts/files/frame-names.ts'
import { readRun, settledRun } from '../../../scripts/options/groups/index.ts'
import { channelsOf, endingsOf, resolveOutput } from '../../../scripts/options/groups/output.ts'
import type { Size } from '../../../shared/frame/rect.ts'

const resolve = (words: object, size: Size = [64, 36]) => {
  const options = settledRun('render', readRun('render', { ...words }))
  return { ...resolveOutput(options, size, options.progressive), exposure: options.exposure }
}

describe('words about the output', () => {
  it('mean one PNG file unless told otherwise, and no channels beside colour', () => {
    const options = resolve({})
    expect(options).toEqual({
      outputs: ['png'],
      films: [],
      contactSheet: false,
      aovs: [],
      exrLayers: false,
      exrType: 'float',
      transparent: false,
      exposure: undefined,
    })
    expect(channelsOf(options)).toEqual([])
    expect(endingsOf(options)).toEqual(['png'])
  })

  it('may be lists in any order', () => {
    const options = resolve({ output: 'exr, png', aov: 'id,depth', transparent: true, exrType: 'half', exposure: '2' })
    expect(options).toMatchObject({ outputs: ['png', 'exr'], aovs: ['depth', 'id'], exrType: 'half', exposure: 2 })
    expect(endingsOf(options)).toEqual(['png', 'exr', 'depth.exr', 'id.exr'])
    expect(channelsOf(options)).toEqual(['light', 'depth', 'id', 'alpha'])
    expect(channelsOf(resolve({ output: 'png16' }))).toEqual(['light'])
    expect(channelsOf(resolve({ output: 'webp', transparent: true }))).toEqual(['alpha'])
  })

  it('may ask for one EXR file of all channels, of halves unless told otherwise', () => {
    const options = resolve({ exrLayers: true, aov: 'depth,albedo' })
    expect(options).toMatchObject({
      outputs: ['png', 'exr'],
      aovs: ['albedo', 'depth'],
      exrLayers: true,
      exrType: 'half',
    })
    expect(endingsOf(options)).toEqual(['png', 'exr'])
    expect(channelsOf(options)).toEqual(['light', 'albedo', 'depth'])
    expect(resolve({ exrLayers: true, exrType: 'float' })).toMatchObject({ exrType: 'float' })
    expect(endingsOf(resolve({ exrLayers: true, output: 'exr' }))).toEqual(['exr'])
  })

  it('may name films and a contact sheet, which are made of PNG files', () => {
    expect(resolve({ output: 'mp4' })).toMatchObject({ outputs: ['png'], films: ['mp4'], contactSheet: false })
    const both = resolve({ output: 'animated-webp,webp,mp4' })
    expect(both).toMatchObject({ outputs: ['png', 'webp'], films: ['mp4', 'animated-webp'] })
    expect(endingsOf(both)).toEqual(['png', 'webp'])
    expect(resolve({ output: 'exr', contactSheet: true })).toMatchObject({ outputs: ['png', 'exr'], films: [] })
  })

  it.each<[string, object, string]>([
    ['an unknown film', { output: 'mp5' }, "did you mean 'mp4'"],
    ['a film twice', { output: 'mp4,mp4' }, '--output: expected each name once'],
    ['an unknown file', { output: 'png,jpeg' }, "unknown output 'jpeg'"],
    ['no file', { output: '' }, '--output: expected names such as png,png16,exr, got nothing'],
    ['a file twice', { output: 'png,png' }, "--output: expected each name once, got 'png,png'"],
    ['an empty channel', { aov: 'depth,,id' }, "none of them empty, got 'depth,,id'"],
    ['empty files', { output: ',' }, "--output: expected names such as png,png16,exr, none of them empty, got ','"],
    ['an unknown channel', { aov: 'depht' }, "did you mean 'depth'"],
    ['a type of no EXR file', { exrType: 'half' }, '--exr-type: expected exr among --output with it, or --aov'],
    ['an unknown type', { output: 'exr', exrType: 'double' }, "unknown type of EXR file 'double'"],
    ['an unknown tone mapping', { toneMapping: 'filmic' }, 'none, linear, reinhard, cineon, aces, agx, neutral'],
    ['no exposure', { exposure: '0' }, '--exposure: expected a number from 0.000001 to 1000000, stops from'],
  ])('refuse %s', (_, raw, words) => expect(() => resolve(raw)).toThrow(words))

  it('refuse WebP where it ends, and previews without PNG', () => {
    expect(() => resolve({ output: 'webp' }, [16384, 1])).toThrow('no webp for sides')
    expect(() => resolve({ output: 'animated-webp' }, [1, 16384])).toThrow(
      '--output: expected no animated-webp for sides of more than 16383 px, got 1x16384',
    )
    expect(() => resolve({ progressive: true, output: 'exr' })).toThrow(
      '--progressive: expected png among --output with it',
    )
  })
})

it('names of frame files tell their frame', () => {
  expect(frameFile(7, 'depth.exr')).toBe('0007.depth.exr')
  expect(['0007.png', '0007.16.png', '0012.exr', '0003.id.exr', '12345.webp'].map(frameOf)).toEqual([
    7, 7, 12, 3, 12345,
  ])
  expect(['00007.png', '7.png', '0007.jpg', '0007.light.exr', '0007', '0007.png.part'].map(frameOf)).toEqual(
    Array(6).fill(undefined),
  )
})
