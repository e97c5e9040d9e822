import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type MtlMap, parseMap } from '../../../../scenes/files/obj/mtl-map.ts'

const PLAIN: Omit<MtlMap, 'file'> = {
  scale: [1, 1],
  offset: [0, 0],
  clamped: false,
  bumps: 1,
  channel: undefined,
  ignored: [],
}

describe('a statement that names a picture', () => {
  it.each<[string, Partial<MtlMap>]>([
    ['wood.png', {}],
    ['  old wood  2.png ', { file: 'old wood  2.png' }],
    ['"old wood.png"', { file: 'old wood.png' }],
    ['parts\\wood.png', { file: 'parts/wood.png' }],
    ['-s 2 3 wood.png', { scale: [2, 3] }],
    ['-s 2 -o .5 -1e-1 0 wood.png', { scale: [2, 1], offset: [0.5, -0.1] }],
    ['-s 2 2 2 3 wood.png', { file: '3 wood.png', scale: [2, 2] }],
    ['-s 2 2 2', { file: '2', scale: [2, 2] }],
    ['-clamp on wood.png', { clamped: true }],
    ['-clamp off -bm 0.25 wood.png', { bumps: 0.25 }],
    ['-imfchan m -type sphere wood.png', { channel: 'm' }],
    ['-imfchan z wood.png', {}],
    ['-blendu on -blendv off -boost 3 -texres 512 wood.png', {}],
    ['-mm 0 2 -cc on -t 1 1 1 wood.png', { ignored: ['cc', 'mm', 't'] }],
    ['-colorspace 1 on -blur wood.png', {}],
    ['-s', { file: '-s' }],
    ['-constructor wood.png', {}],
  ])('%s', (text, expected) => {
    expect(parseMap(text)).toEqual({ ...PLAIN, file: 'wood.png', ...expected })
  })

  it('needs a name', () => {
    for (const text of ['', '   ', '""']) expect(parseMap(text)).toBeUndefined()
  })

  it('is read to its end, whatever it says, and keeps a name without options', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('-', 's', 'o', ' ', '1', '.', 'b', 'm', 'on') }), text => {
        const map = parseMap(text)
        expect(map === undefined).toBe(text.trim() === '')
        if (!text.trim().startsWith('-') && map) expect(map.file).toBe(text.trim())
      }),
    )
  })
})
