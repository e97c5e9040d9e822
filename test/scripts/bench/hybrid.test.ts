import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { benchHybrid } from '../../../scripts/bench/hybrid.ts'
import { silentLog } from '../../../shared/text/log.ts'

describe('bench hybrid', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(['cold', 'warm'])(
    'measures each device alone, both together, and the way from every start: %s cache',
    async () => {
      const order = { scene: 'corner', size: [64, 36], accelerator: 'simulated:3', frames: 3, cache: folder } as const
      const result = await benchHybrid(order, new AbortController().signal, silentLog)
      expect(result.devices.map(({ name, simulated }) => [name, simulated])).toEqual([
        ['cpu', false],
        ['simulated:3', true],
      ])
      for (const { cores, usedCores } of result.devices) {
        expect(cores).toBeGreaterThan(0)
        expect(usedCores).toBeGreaterThan(0)
      }
      for (const rate of [...result.devices.map(({ raysPerSecond }) => raysPerSecond), result.together, result.flat])
        expect(rate).toBeGreaterThan(0)
      expect(Object.keys(result.adjustments)).toEqual(['from0', 'from50', 'from75', 'from100'])
      expect(result.shareError).toBeLessThanOrEqual(1)
      expect(result.warnings).toEqual([expect.stringMatching(/^frames of \d+ ms of tracing are too short/)])
    },
  )

  it('refuses an accelerator that there is not', async () => {
    const order = { scene: 'corner', size: [64, 36], accelerator: 'cuda', frames: 3 } as const
    await expect(benchHybrid(order, new AbortController().signal, silentLog)).rejects.toThrow('--accelerator')
  })
})
