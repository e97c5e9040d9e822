import { expect, it } from 'vitest'
import { RunRecord } from '../../../master/page/dashboard/run-record.ts'
import { WorkerPlaces } from '../../../master/page/dashboard/worker-places.ts'
import { madeReport } from '../../../scripts/bench/view/made-report.ts'
import { SameWorkers } from '../../../scripts/report/figures/same-workers.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { smallSession } from '../../support/session.ts'

const areas = (...ids: string[]) => ids.map(id => ({ id, name: id.replace(/\d+$/, '') }))

it('keeps the places of areas that stay, and of those that come back, whoever else comes and goes', () => {
  const places = new WorkerPlaces()
  expect(places.of(areas('a1', 'b1', 'c1'))).toEqual([0, 1, 2])
  expect(places.of(areas('b1', 'c1'))).toEqual([1, 2])
  expect(places.of(areas('b1', 'c1', 'd1'))).toEqual([1, 2, 3])
  // Under another id, and in another order.
  expect(places.of(areas('d1', 'a2', 'c1', 'b1'))).toEqual([3, 0, 2, 1])
  // Two of one name, of which one goes.
  expect(places.of(areas('a2', 'a3'))).toEqual([0, 4])
  expect(places.of(areas('a3'))).toEqual([4])
  expect(places.of([])).toEqual([])
})

it('gives two areas of a frame different places, and those that a report would', () => {
  const random = randomNumbers(11)
  for (let round = 0; round < 40; round++) {
    const places = new WorkerPlaces()
    const same = new SameWorkers()
    const order: string[] = []
    let here = areas('a1', 'b2')
    for (let step = 3; step < 30; step++) {
      here = here.filter(() => random() > 0.3)
      if (random() < 0.7) here = [...here, ...areas(`${'abcd'[Math.floor(random() * 4)]}${step}`)]
      const found = places.of(here)
      expect(new Set(found).size).toBe(here.length)
      const { workers } = same.of({ ...madeReport({ areas: 0, tiles: 0, seed: 1 }), workers: here as never })
      for (const { id } of workers) if (!order.includes(id)) order.push(id)
      expect(found).toEqual(workers.map(({ id }) => order.indexOf(id)))
    }
  }
})

it('sends them with the names of a run, where they are not its numbers', () => {
  const { frames: _, ...order } = smallSession({})
  const record = new RunRecord(1, { ...order, kind: 'film' }, undefined, 0)
  const report = madeReport({ areas: 3, tiles: 6, seed: 1 })
  record.frame(report)
  const [, ...others] = report.workers
  record.frame({ ...report, workers: others, ledger: report.ledger.slice(1) })
  record.frame(report)
  expect([0, 1, 2].map(number => record.roster(number))).toEqual([
    '"names":["w0","w1","w2"]',
    '"names":["w1","w2"],"places":[1,2]',
    '"names":["w0","w1","w2"]',
  ])
})
