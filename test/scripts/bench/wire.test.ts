/** A short `bench wire`, and what its figures are made of. */
import type { Profiler } from 'node:inspector'
import { describe, expect, it } from 'vitest'
import type { WireBench } from '../../../scripts/bench/wire/bench-wire.ts'
import { heavyScene } from '../../../scripts/bench/wire/heavy-scene.ts'
import { cutOut, picture } from '../../../scripts/bench/wire/picture.ts'
import { sharesOf } from '../../../scripts/bench/wire/shares.ts'
import { phaseOf } from '../../../scripts/bench/wire/usage.ts'
import { encodeBytes } from '../../../shared/protocol/node/pixel-encoding.ts'
import { manifestBytes } from '../../../shared/scene/manifest.ts'
import { runBench } from '../../support/program.ts'

describe('bench wire', () => {
  it('says what a scene and frames cost', async () => {
    const args = ['--workers', '2', '--megabytes', '3', '--size', '160x90', '--frames', '3', '--json']
    const { code, stdout, stderr } = await runBench(['wire', ...args])
    expect(code, stderr).toBe(0)
    const bench = JSON.parse(stdout) as WireBench
    expect(bench).toMatchObject({ workers: 2, frames: 3, size: [160, 90] })
    for (const { ms, cpuMsPer100MB } of [bench.floor, bench.toMaster, bench.toWorkers]) {
      expect(ms).toBeGreaterThan(0)
      expect(cpuMsPer100MB).toBeGreaterThan(0)
    }
    expect(bench.workerCpuMs).toBeGreaterThan(0)
    for (const { framesPerSecond, shares } of Object.values(bench.framesOf)) {
      expect(framesPerSecond).toBeGreaterThan(0)
      expect(Object.values(shares).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 1)
    }
  })

  it('refuses what makes no sense', async () => {
    const wrong = await runBench(['wire', '--megabytes', 'many'])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--megabytes')])
  })
})

it('a heavy scene is as large as was asked for, in large parts of which no two are alike, and always the same', () => {
  const { manifest, hash } = heavyScene(5)
  expect(manifestBytes(manifest) / 5e6).toBeCloseTo(1, 1)
  // Lists of a few numbers may be the same.
  const large = manifest.parts.filter(({ bytes }) => bytes >= 1024)
  expect(large.length).toBeGreaterThan(3)
  expect(new Set(large.map(({ sha256 }) => sha256)).size).toBe(large.length)
  expect(heavyScene(5).hash).toBe(hash)
})

it('a picture is packed about as well as a rendered one, and tiles are cut out of it', () => {
  const pixels = picture([320, 180])
  const ratio = pixels.length / encodeBytes('lz4', pixels).length
  expect(ratio).toBeGreaterThan(1.4)
  expect(ratio).toBeLessThan(2.2)
  const tile = cutOut(pixels, [320, 180], { rect: { x: 10, y: 20, w: 2, h: 2 } })
  const at = (x: number, y: number) => [...pixels.subarray((y * 320 + x) * 3, (y * 320 + x) * 3 + 3)]
  expect([...tile]).toEqual([...at(10, 20), ...at(11, 20), ...at(10, 21), ...at(11, 21)])
})

it('a phase lasts from its first moment to its last, and is as late as any moment after the first', () => {
  const moment = (at: number, userMs: number, lateMs: number) => ({
    at,
    userMs,
    systemMs: 1,
    lateMs,
    heldMs: lateMs / 2,
  })
  expect(phaseOf([moment(5, 1, 99), moment(7, 2, 8), moment(9, 4, 3)])).toEqual({
    ms: 4,
    userMs: 3,
    systemMs: 0,
    lateMs: 8,
    heldMs: 4,
  })
})

it('what a master spends its time on is what the innermost function that means something says', () => {
  const node = (id: number, functionName: string, children: number[] = []): Profiler.ProfileNode => ({
    id,
    children,
    callFrame: { functionName, scriptId: '', url: '', lineNumber: 0, columnNumber: 0 },
  })
  const nodes = [
    node(1, '(root)', [2, 3]),
    node(2, 'decodeTile', [4]),
    node(3, '(idle)'),
    node(4, 'stitch', [5]),
    node(5, 'set'),
  ]
  const profile = { nodes, startTime: 0, endTime: 9, samples: [2, 3, 5, 1], timeDeltas: [30, 500, 60, 10] }
  expect(sharesOf(profile)).toEqual({ placing: 0.6, unpacking: 0.3, other: 0.1 })
})
