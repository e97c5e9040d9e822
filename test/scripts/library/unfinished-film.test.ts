import fc from 'fast-check'
import { expect, it } from 'vitest'
import { UnfinishedFilm } from '../../../scripts/library/unfinished-film.ts'
import { film } from '../../../shared/session/session.ts'
import { smallCamera } from '../../support/small-scene.ts'

const filmOf = (count: number) =>
  new UnfinishedFilm(film(Array.from({ length: count }, (_, frame) => ({ frame, camera: smallCamera(frame) }))))

it('delivers every frame once and in order, whenever the connection is lost', async () => {
  const losses = fc.array(fc.record({ taken: fc.nat(6), delivered: fc.nat(6) }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.nat(12), losses, async (count, losses) => {
      const unfinished = filmOf(count)
      const delivered: number[] = []
      for (const loss of [...losses, { taken: count, delivered: count }]) {
        const source = unfinished.next()
        const taken: number[] = []
        while (taken.length < loss.taken && (await source.ready())) taken.push(source.take().frame)
        for (const frame of taken.slice(0, loss.delivered)) {
          unfinished.delivered(frame)
          delivered.push(frame)
        }
      }
      expect(delivered).toEqual(Array.from({ length: count }, (_, frame) => frame))
    }),
  )
})

it('gives a connection that is lost no more frames, also if it asked before', async () => {
  const unfinished = filmOf(2)
  const lost = unfinished.next()
  const asked = lost.ready()
  const source = unfinished.next()
  expect(await asked).toBe(false)
  expect(await source.ready()).toBe(true)
  expect(source.take().frame).toBe(0)
})
