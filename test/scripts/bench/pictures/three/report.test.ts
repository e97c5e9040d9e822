/** What is told of files beside three: rows, figures and pages of still and of moving ones. */
import { describe, expect, it } from 'vitest'
import { atMost } from '../../../../../scripts/bench/pictures/checks/check.ts'
import {
  type ComparedFile,
  type ComparedMoment,
  type ThreeBench,
  timesOf,
} from '../../../../../scripts/bench/pictures/three/bench-three.ts'
import { comparePictures } from '../../../../../scripts/bench/pictures/three/compare.ts'
import { CHANNELS } from '../../../../../scripts/bench/pictures/three/flat-picture.ts'
import { threeJson, threePage, threeText } from '../../../../../scripts/bench/pictures/three/report.ts'
import { shownPair } from '../../../../../scripts/bench/pictures/three/shown-pair.ts'

const SIZE = [4, 2] as const

const picture = (value: number) => ({
  size: SIZE,
  values: new Float32Array(SIZE[0] * SIZE[1] * CHANNELS).map((_, i) => (i % CHANNELS === 3 ? 1 : value)),
})

async function momentAt(seconds: number, differs: boolean): Promise<ComparedMoment> {
  const [theirs, ours] = [picture(0.5), picture(differs ? 0.1 : 0.5)]
  const { marks, ...comparison } = comparePictures(theirs, ours)
  return { seconds, comparison, pair: await shownPair(theirs, ours, marks) }
}

async function fileOf(name: string, seconds: number | undefined, wrongAt?: number): Promise<ComparedFile> {
  const moments = await Promise.all(timesOf(seconds).map((time, i) => momentAt(time, i === wrongAt)))
  const worst = moments[wrongAt ?? 0]!
  return { name, moments, worst, notes: [], check: atMost(name, worst.comparison.differing, 0.005) }
}

const bench: ThreeBench = {
  name: 'three.js r1 (Chromium 2)',
  size: SIZE,
  files: [await fileOf('still.glb', undefined), await fileOf('moving.glb', 3, 2)],
}

it('takes five times over the length of what moves, without its end, where it begins again', () => {
  expect(timesOf(undefined)).toEqual([0])
  expect(timesOf(2.5)).toEqual([0, 0.5, 1, 1.5, 2])
})

describe('of a file that moves', () => {
  it('the row has the worst time and its figures', () => {
    const text = threeText(bench)
    expect(text).toMatch(/moving\.glb +│ 1\.2 +│ 100\.0 +│ 100\.00 .*DIFFERS/)
    expect(text).toMatch(/still\.glb +│ +│ 100\.0 +│ 0\.00 .*same/)
  })

  it('JSON has the figures of each time', () => {
    const [still, moving] = threeJson(bench).files
    expect(still).toMatchObject({ name: 'still.glb', ok: true, differing: 0, notes: [] })
    expect(still).not.toHaveProperty('times')
    expect(moving).toMatchObject({
      name: 'moving.glb',
      ok: false,
      differing: 1,
      seconds: 1.2,
      times: [0, 0, 1, 0, 0].map((differing, i) => ({ seconds: (3 * i) / 5, differing })),
    })
  })

  it('the page has all pairs, and marks the times at which they differ', () => {
    const page = threePage(bench, 'the kernel', 'here')
    expect(page.match(/<img/g)).toHaveLength(3 + 15)
    expect(page).toContain(
      'It differs: 100.00 % of the pixels that show something differ, at 1.2 s, the worst of 5 times.',
    )
    expect(page.match(/class="time differs"/g)).toHaveLength(1)
    expect(page).toContain('1 of 2 files look the same')
  })
})
