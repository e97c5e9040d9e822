/** Camera rays that hit other triangles each do without bundles; their pixels are the same. */
import { describe, expect, it } from 'vitest'
import { frameRect } from '../../../../shared/frame/rect.ts'
import { allSamples } from '../../../../shared/frame/view.ts'
import { engineByName } from '../../../../worker/node/engines.ts'
import { GREY, mountains, sceneOf, sharedBytes, viewOf } from '../../support/meshes.ts'

/** Few enough rows that the kernel does not ask. */
const FEW = 2

function traced(side: number) {
  const engine = engineByName('wasm')
  const building = engine.begin(sharedBytes(sceneOf([{ mesh: mountains(side), material: GREY }])), 1)
  engine.help(building)
  const tracer = engine.open(engine.finish(building), 0)
  const view = viewOf([64, 64], { quality: { samples: 1, ambientRays: 0, maxDepth: 0 } })
  const [w, h] = view.size
  /** With so many rows at a time. */
  return (rows: number) => {
    const rgb = new Uint8Array(w * h * 3)
    const [steps, depth] = [new Uint32Array(w * h), new Float32Array(w * h)]
    for (let y = 0; y < h; y += rows) {
      const rect = { ...frameRect(view.size), y, h: rows }
      const part = <T extends Uint8Array | Uint32Array | Float32Array>(of: T, each = 1) =>
        of.subarray(y * w * each, (y + rows) * w * each) as T
      tracer.trace(view, { rect }, allSamples(view), { rgb: part(rgb, 3), steps: part(steps), depth: part(depth) })
    }
    return { rgb, depth, steps: steps.reduce((sum, count) => sum + count, 0) }
  }
}

describe('a picture', () => {
  it.each([
    ['fine', 400],
    ['coarse', 4],
  ])('of a %s mesh is the same whatever is traced together', (_, side) => {
    const trace = traced(side)
    const [all, few] = [trace(64), trace(FEW)]
    expect(all.rgb).toEqual(few.rgb)
    expect(all.depth).toEqual(few.depth)
    // With bundles, most of which share little.
    if (side > 100) expect(all.steps).toBeLessThan(0.9 * few.steps)
    else expect(Math.abs(all.steps / few.steps - 1)).toBeLessThan(0.01)
  })
})
