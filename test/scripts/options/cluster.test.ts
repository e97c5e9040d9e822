import { expect, it } from 'vitest'
import type { Words } from '../../../scripts/options/declare/group.ts'
import { resolveVerify } from '../../../scripts/options/groups/cluster.ts'
import { readRun } from '../../../scripts/options/groups/index.ts'

const verifyOf = (words: Words, of: Parameters<typeof resolveVerify>[1]) => resolveVerify(readRun('render', words), of)
const local = (workers: number) => ({ kind: 'local', workers }) as const

it('verifies nothing by default, and a share of the rows if asked to', () => {
  expect(verifyOf({}, local(1))).toBeUndefined()
  expect(verifyOf({ verify: '0' }, local(1))).toBeUndefined()
  expect(verifyOf({ verify: '0.05' }, local(2))).toBe(0.05)
  expect(verifyOf({ verify: '5%' }, local(2))).toBe(0.05)
  expect(verifyOf({ verify: '0.7 %' }, local(2))).toBe(0.007)
  expect(verifyOf({ verify: '0%' }, local(1))).toBeUndefined()
  expect(verifyOf({ verify: '1' }, { kind: 'remote', workers: 1 })).toBe(1)
})

it('takes workers to compare, and an engine that promises bytes', () => {
  expect(() => verifyOf({ verify: '0.1' }, local(1))).toThrow('--verify needs at least --workers 2')
  expect(() => verifyOf({ verify: '2' }, local(2))).toThrow('--verify: expected')
  expect(() => verifyOf({ verify: 'a lot' }, local(2))).toThrow('--verify: expected')
  expect(() => verifyOf({ verify: '0.1', fastMath: true }, local(2))).toThrow(
    '--verify cannot be combined with --fast-math',
  )
})
