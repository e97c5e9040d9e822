/** The bench of axes traces exact directions and others beside them, with zeros of every sign, and tells. No figure is judged. */
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { benchAxes } from '../../../scripts/bench/axes/bench-axes.ts'
import { beside, EXACT_DIRECTIONS } from '../../../scripts/bench/axes/directions.ts'
import { parallelRays } from '../../../scripts/bench/axes/parallel-rays.ts'
import { RAY_FLOATS } from '../../../scripts/bench/kernel/rays/ray-kinds.ts'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { runBench } from '../../support/program.ts'

const mesh = fileURLToPath(new URL('../../../../test/support/tent.obj', import.meta.url))
const signs = (direction: Vec3) => direction.map(x => (Object.is(x, -0) ? '-0' : Math.sign(x))).join()

it('knows every direction with one zero or two, of every sign', () => {
  const all = EXACT_DIRECTIONS.map(({ directions }) => directions)
  expect(all.map(({ length }) => length)).toEqual([8, 8, 8, 8, 8, 8])
  expect(new Set(all.flat().map(signs)).size).toBe(48)
  for (const direction of all.flat()) {
    expect(direction.filter(x => x === 0).length).toBeOneOf([1, 2])
    const other = beside(direction, 3)
    expect(other).toEqual(beside(direction, 3))
    expect(other).not.toEqual(beside(direction, 4))
    other.forEach((x, k) => {
      expect(x).not.toBe(0)
      expect(Math.abs(x - direction[k]!)).toBeLessThanOrEqual(1e-3)
    })
  }
})

it.each(EXACT_DIRECTIONS)('sends rays $name through a square, and leaves zeros as they are', ({ directions }) => {
  for (const direction of directions) {
    const rays = parallelRays(direction, { centre: [1, 2, 3], radius: 2 }, 8)
    const ahead = direction.findIndex(x => Math.abs(x) === Math.max(...direction.map(Math.abs)))
    const [across, along] = [(ahead + 1) % 3, (ahead + 2) % 3]
    const places = new Set<string>()
    for (let at = 0; at < rays.length; at += RAY_FLOATS) {
      const [origin, way] = [rays.subarray(at, at + 3), rays.subarray(at + 4, at + 7)]
      expect([...way]).toEqual(direction.map(Math.fround))
      // Where the ray passes the centre.
      const t = ([1, 2, 3][ahead]! - origin[ahead]!) / way[ahead]!
      expect(t).toBeGreaterThan(2)
      const place = [across, along].map(k => Math.round((origin[k]! + t * way[k]! - [1, 2, 3][k]! + 1.75) / 0.5) + 0)
      for (const column of place) expect(column).toBeOneOf([0, 1, 2, 3, 4, 5, 6, 7])
      places.add(place.join())
    }
    expect(places.size).toBe(64)
  }
})

it('compares every kind of directions in every way of tracing', async () => {
  const options = { mesh, side: 8, rounds: 2 }
  const bench = await benchAxes(options, new AbortController().signal, () => {})
  expect(bench).toMatchObject({ mesh: 'tent.obj', side: 8, rounds: 2 })
  expect(new Set(bench.rows.map(({ directions, way }) => `${directions}, ${way}`)).size).toBe(24)
  for (const { exactNs, besideNs, ratio } of bench.rows)
    for (const figure of [exactNs, besideNs, ratio]) expect(figure).toBeGreaterThan(0)
})

it('stops when it is interrupted', async () => {
  await expect(benchAxes({ mesh, side: 8, rounds: 1 }, AbortSignal.abort(), () => {})).rejects.toThrow(/abort/i)
})

it('prints a table, or one JSON document', async () => {
  const { stdout } = await runBench(['axes', '--mesh', mesh, '--side', '16', '--rounds', '1'])
  expect(stdout).toMatch(/along x .* closest hit, coherent/)
  const { stdout: json } = await runBench(['axes', '--mesh', mesh, '--side', '16', '--rounds', '1', '--json'])
  expect(JSON.parse(json)).toMatchObject({ host: expect.anything(), side: 16, rows: expect.any(Array) })
})
