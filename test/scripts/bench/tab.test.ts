/** The bench of tabs traces in a real browser, where there is one, and tells. No figure of time is judged. */
import { expect, it } from 'vitest'
import { BenchError } from '../../../scripts/bench/bench-error.ts'
import { startChromium } from '../../../scripts/bench/pictures/three/chromium.ts'
import { endedChildrenCpuMs, processCpuMs } from '../../../scripts/bench/process-cpu.ts'
import { benchTab } from '../../../scripts/bench/tab/bench-tab.ts'

const browser = await startChromium()
if ('unavailable' in browser) console.warn(`a tab is not measured: it ${browser.unavailable}`)
else await browser.close()

const options = { scene: 'corner', size: [96, 54], samples: 4, frames: 3, cores: 2, rounds: 1 } as const
const { signal } = new AbortController()

it.skipIf('unavailable' in browser)('says how soon a tile of a tab is there, and how fast it is', async () => {
  const result = await benchTab(options, signal, () => {})
  expect(result).toMatchObject({ browser: expect.stringMatching(/^Chromium \d/), wrong: 0 })
  expect(result.firstTileMs).toBeGreaterThan(0)
  expect(result.firstFrameMs).toBeGreaterThan(0)
  expect(result.wallSpeed).toBeGreaterThan(0)
})

it.skipIf(!('unavailable' in browser))('is an error without a browser', async () => {
  await expect(benchTab(options, signal, () => {})).rejects.toThrow(BenchError)
})

it.skipIf(process.platform !== 'linux')('reads CPU times of processes, and of those that have ended', () => {
  const { user, system } = process.cpuUsage()
  const own = processCpuMs(process.pid)!
  // In ticks, and a little later.
  expect(own).toBeGreaterThanOrEqual((user + system) / 1000 - 20)
  expect(endedChildrenCpuMs()).toBeGreaterThanOrEqual(0)
  expect(processCpuMs(2 ** 30)).toBeUndefined()
})
