/** What is said of a scene that is loaded. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { prepareScene } from '../../../scripts/run/prepare-scene.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

it('is named as whoever sent it knows it, where that is not the place of its file', async () => {
  const said: string[] = []
  const log = { info: (text: string) => void said.push(text), warn() {} }
  const loading = prepareScene('corner', [16, 9], undefined, log, undefined, { cache: false }, 'tent.ply')
  vi.advanceTimersByTime(3000)
  const scene = await loading
  await scene.close?.()
  expect(said.find(text => text.startsWith('loading'))).toMatch(/^loading tent\.ply: \d s so far$/)
})
