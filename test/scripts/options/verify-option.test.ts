import { expect, it } from 'vitest'
import { resolveVerify } from '../../../scripts/options/verify-option.ts'

const local = (workers: number) => ({ kind: 'local', workers }) as const

it('verifies nothing by default, and a share of the rows if asked to', () => {
  expect(resolveVerify({}, local(1))).toBeUndefined()
  expect(resolveVerify({ verify: '0' }, local(1))).toBeUndefined()
  expect(resolveVerify({ verify: '0.05' }, local(2))).toBe(0.05)
  expect(resolveVerify({ verify: '1' }, { kind: 'remote', workers: 1 })).toBe(1)
})

it('takes workers to compare, and an engine that promises bytes', () => {
  expect(() => resolveVerify({ verify: '0.1' }, local(1))).toThrow('--verify: expected at least --workers 2 with it')
  expect(() => resolveVerify({ verify: '2' }, local(2))).toThrow('--verify: expected')
  expect(() => resolveVerify({ verify: 'a lot' }, local(2))).toThrow('--verify: expected')
  expect(() => resolveVerify({ verify: '0.1', fastMath: true }, local(2))).toThrow('--verify: expected no --fast-math')
})
