import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printable, shortened } from '../../../shared/text/printable.ts'
import { printableText } from '../../../shared/text/printable-schema.ts'

describe('printable', () => {
  it.each([
    ['a line break', 'anna\nworker bert left', 'anna\uFFFDworker bert left'],
    ['an escape sequence', '\u001b[31mred', '\uFFFD[31mred'],
    ['one that begins with a single character', '\u009b31mred', '\uFFFD31mred'],
    ['a line separator', 'a\u2028b\u0085c', 'a\uFFFDb\uFFFDc'],
    ['a turn of direction', 'a\u202Eb', 'a\uFFFDb'],
    ['half a pair', 'a\ud800b', 'a\uFFFDb'],
    ['nothing, which is kept', 'Übung 工作 ☀ — 𝄞 e\u0301', 'Übung 工作 ☀ — 𝄞 e\u0301'],
  ])('replaces %s', (_, text, seen) => {
    expect(printable(text)).toBe(seen)
  })

  it('is on one line, says nothing to a terminal, and is not changed by being read twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const seen = printable(text)
        expect(seen).not.toMatch(/\p{Cc}|\p{Cf}|\u2028|\u2029/u)
        expect(printable(seen)).toBe(seen)
        expect(printableText(1000).parse(text)).toBe(seen)
      }),
    )
  })

  it('is refused when it is long', () => {
    expect(printableText(3).safeParse('abcd').success).toBe(false)
  })
})

describe('shortened', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['', 1, ''],
    ['ab', 1, '…'],
    ['a\u{1f600}b', 4, 'a\u{1f600}b'],
    ['a\u{1f600}bc', 4, 'a\u{1f600}…'],
    ['a\u{1f600}bc', 3, 'a…'],
  ])('%s to %d is %s', (text, most, short) => {
    expect(shortened(text, most)).toBe(short)
  })

  it('is what the schema of that length takes, and as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), fc.integer({ min: 1, max: 50 }), (text, most) => {
        const short = shortened(printable(text), most)
        expect(printableText(most).parse(short)).toBe(short)
      }),
    )
  })
})
