/** The motion bench on tiny frames: every film and every variant, and figures that can be right. */
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { benchMoments } from '../../../scripts/bench/motion/bench-moments.ts'
import { benchMotion, VARIANTS } from '../../../scripts/bench/motion/bench-motion.ts'
import { MOVING_SCENES } from '../../../scripts/bench/motion/moving-scenes.ts'
import { momentsText, motionText } from '../../../scripts/bench/motion/tables.ts'
import { silentLog } from '../../../shared/text/log.ts'

const boats = fileURLToPath(new URL('../../../../scenes/examples/paper-boats.js', import.meta.url))
const { signal } = new AbortController()

describe('bench motion', () => {
  it('shares every film in every way, and predicts better with what is known of the motion', async () => {
    const bench = await benchMotion({ size: [112, 63], frames: 4, workers: 4 }, signal, silentLog)
    const names = MOVING_SCENES.map(({ name }) => name)
    expect(bench.tables.map(({ scene }) => scene)).toEqual([...names, ...names])
    for (const { scene, integrator, rows } of bench.tables) {
      expect(rows.map(({ name }) => name)).toEqual(VARIANTS.map(({ name }) => name))
      for (const { epsilon } of rows) expect(epsilon).toBeGreaterThanOrEqual(0)
      const [known, unknown] = rows
      if (scene === 'fast' && integrator === 'ambient')
        expect(known!.predictionError).toBeLessThan(0.85 * unknown!.predictionError!)
    }
    const text = motionText(bench)
    for (const { name, what } of MOVING_SCENES) expect(text).toContain(`${name}: ${what}`)
  })

  it('measures what a file costs beside tracing', async () => {
    const options = { size: [64, 36], frames: 3, workers: 8 } as const
    const [row] = await benchMoments([boats], options, signal, silentLog)
    expect(row!.freshBytes).toBeGreaterThan(0)
    expect(row!.freshBytes).toBeLessThan(row!.bytes)
    for (const ms of [row!.makeMs, row!.joinMs, row!.buildMs, row!.tracing.ambientMs, row!.tracing.pathMs])
      expect(ms).toBeGreaterThan(0)
    expect(momentsText([row!], options)).toContain('paper-boats')
  })

  it('refuses a file in which nothing moves', async () => {
    const tent = fileURLToPath(new URL('../../../../test/support/tent.obj', import.meta.url))
    const options = { size: [64, 36], frames: 3, workers: 8 } as const
    await expect(benchMoments([tent], options, signal, silentLog)).rejects.toThrow('something moves')
  })
})
