import { expect, it } from 'vitest'
import { parseJsonBytes } from '../../../shared/text/bounded-json.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

it('parses what peers say', () => {
  const said = { type: 'x', list: [[1], [2], {}], text: 'ü[[{{' }
  expect(parseJsonBytes(bytesOf(JSON.stringify(said)))).toEqual(said)
  const many = Array.from({ length: 10_000 }, (_, i) => ({ x: i, y: [i] }))
  expect(parseJsonBytes(bytesOf(JSON.stringify(many)))).toEqual(many)
  expect(() => parseJsonBytes(bytesOf('{'))).toThrow(SyntaxError)
})

it.each(['[', '{', '[],', '{},'])('does not parse megabytes of %s, which would take far more memory', text => {
  const bytes = bytesOf(`[${text.repeat(2 ** 20)}`)
  expect(() => parseJsonBytes(bytes)).toThrow(/expected at most \d+ arrays and objects in \d+ bytes, got 10485/)
})
