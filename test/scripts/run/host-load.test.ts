import { expect, test } from 'vitest'
import { type HostTimes, loadBetween, loadOf, otherCores, watchHost } from '../../../scripts/run/host-load.ts'

const before: HostTimes = { at: 5000, cores: 4, busyMs: 90_000, ownMs: 700, workersMs: 100 }

test('what others took is what is left of the busy time', () => {
  const after = { at: 6000, cores: 4, busyMs: 93_000, ownMs: 900, workersMs: 2100 }
  expect(loadBetween(before, after, 0)).toEqual({ wallMs: 1000, cores: 4, otherMs: 800 })
  expect(otherCores(loadBetween(before, after, 0))).toBe(0.8)
})

test('workers that the system tells nothing of needed at least what their tiles did', () => {
  const after = { at: 6000, cores: 4, busyMs: 93_000, ownMs: 900, workersMs: undefined }
  expect(loadBetween(before, after, 1500)).toMatchObject({ otherMs: 1300 })
})

test('coarse counts never say that others gave time back, nor anything of a moment', () => {
  const after = { at: 5100, cores: 4, busyMs: 90_010, ownMs: 750, workersMs: 150 }
  const load = loadBetween(before, after, 0)
  expect(load).toMatchObject({ otherMs: 0 })
  expect(otherCores(load)).toBeUndefined()
})

test('a system that does not count says nothing', () => {
  expect(loadBetween(before, { ...before, at: 9000 }, 0)).toBeUndefined()
  expect(loadBetween(before, { ...before, cores: 0, busyMs: 95_000 }, 0)).toBeUndefined()
  expect(otherCores(undefined)).toBeUndefined()
})

test('runs add up, those that are not known left out', () => {
  const run = { wallMs: 1000, cores: 4, otherMs: 500 }
  expect(loadOf([run, undefined, { ...run, otherMs: 1500 }])).toEqual({ wallMs: 2000, cores: 4, otherMs: 2000 })
  expect(loadOf([undefined])).toBeUndefined()
})

test('a process that is gone is not counted as idle', () => {
  const load = watchHost([2 ** 30])(0)
  expect(load === undefined || load.otherMs >= 0).toBe(true)
})
