import { timingSafeEqual } from 'node:crypto'
import { expect, it } from 'vitest'
import { rightsBySecret } from '../../../master/http/granted-rights.ts'

const tokens = { worker: 'w'.repeat(16), client: 'c'.repeat(40), viewer: 'c'.repeat(40) }
const rightsOf = rightsBySecret(tokens)

it('grants the rights of a secret, all of them, and none for another', () => {
  expect([...rightsOf(tokens.worker)]).toEqual(['worker'])
  expect([...rightsOf(tokens.client)]).toEqual(['client', 'viewer'])
  for (const wrong of ['', 'w', 'w'.repeat(15), 'w'.repeat(17), 'v'.repeat(16), 'ü'.repeat(1000)])
    expect([...rightsOf(wrong)]).toEqual([])
  expect([...rightsBySecret({})('')]).toEqual([])
})

it('takes the same comparisons, of as many bytes, whatever is presented', () => {
  const lengths: number[][] = []
  const counted = rightsBySecret(tokens, (a, b) => {
    lengths.push([a.length, b.length])
    return timingSafeEqual(a, b)
  })
  for (const presented of [tokens.worker, tokens.client, '', 'w', 'x'.repeat(1000)]) {
    lengths.length = 0
    counted(presented)
    expect(lengths).toEqual([
      [32, 32],
      [32, 32],
      [32, 32],
    ])
  }
})
