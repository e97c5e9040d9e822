import { expect, it } from 'vitest'
import { Previews } from '../../../master/sessions/previews.ts'
import type { FramePreview } from '../../../shared/session/session.ts'

const preview = (frame: number, samples: number): FramePreview => ({ frame, samples, pixels: new Uint8Array(3) })

/** Whoever watches, one preview at a time. */
function watcher() {
  const taking: { readonly preview: FramePreview; done(error?: unknown): void }[] = []
  const failures: unknown[] = []
  const previews = new Previews(
    preview =>
      new Promise<void>((resolve, reject) => {
        taking.push({ preview, done: error => (error === undefined ? resolve() : reject(error)) })
      }),
    error => failures.push(error),
  )
  const taken = () => taking.map(({ preview: { frame, samples } }) => [frame, samples])
  return { previews, taking, failures, taken }
}

const settled = () => new Promise(resolve => setImmediate(resolve))

it('gives a preview at a time, and of those that wait only the newest', async () => {
  const { previews, taking, taken } = watcher()
  previews.offer(preview(0, 1))
  for (const samples of [2, 3, 4]) previews.offer(preview(0, samples))
  await settled()
  expect(taken()).toEqual([[0, 1]])
  taking[0]!.done()
  await settled()
  expect(taken()).toEqual([
    [0, 1],
    [0, 4],
  ])
  taking[1]!.done()
  await settled()
  previews.offer(preview(1, 1))
  expect(taken()).toHaveLength(3)
})

it('gives none of a frame that is complete', async () => {
  const { previews, taking, taken } = watcher()
  previews.offer(preview(0, 1))
  previews.offer(preview(1, 1))
  previews.drop(0)
  taking[0]!.done()
  await settled()
  previews.offer(preview(1, 2))
  previews.drop(1)
  taking[1]!.done()
  await settled()
  expect(taken()).toEqual([
    [0, 1],
    [1, 1],
  ])
})

it('says why one could not be given, and goes on', async () => {
  const { previews, taking, failures } = watcher()
  previews.offer(preview(0, 1))
  taking[0]!.done(new Error('the disk is full'))
  await settled()
  expect(failures).toEqual([new Error('the disk is full')])
  previews.offer(preview(0, 2))
  expect(taking).toHaveLength(2)
})
