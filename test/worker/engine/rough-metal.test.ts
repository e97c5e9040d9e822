/** The colour of rough metal, beside random walks between its facets. */
import { expect, it } from 'vitest'
import { probeOf } from '../../../scripts/bench/pictures/kernel/build.ts'
import { walkOnFacets } from '../../../scripts/bench/pictures/naive/facet-walk.ts'
import { RandomStream } from '../../../scripts/bench/pictures/naive/random-stream.ts'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { DEFAULT_MATERIAL } from '../../../shared/scene/material.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'

const COLOR: Vec3 = [0.9, 0.5, 0.2]
const COSINES = 10
const PATHS = 20_000
const TRACE = 1e-9

const engine = loadWasmEngine('wasm')

/** Of a quantity of directions, over the hemisphere with its cosines. */
function average(of: (cosine: number) => readonly number[]): readonly number[] {
  const sum = [0, 0, 0]
  for (let i = 0; i < COSINES; i++) {
    const cosine = (i + 0.5) / COSINES
    of(cosine).forEach((value, channel) => {
      sum[channel]! += (2 * cosine * value) / COSINES
    })
  }
  return sum
}

it.each([0.3, 0.5, 0.7, 0.85, 1])('roughness %s reflects as much as facets do, of each colour', roughness => {
  const metal = { ...DEFAULT_MATERIAL, metallic: 1, roughness, color: COLOR }
  const probe = probeOf(engine, [metal, { ...metal, sheenColor: [TRACE, TRACE, TRACE] }])
  const random = new RandomStream(1)
  const mean = (paths: number, light: () => readonly number[]): readonly number[] => {
    const sum = [0, 0, 0]
    for (let i = 0; i < paths; i++)
      light().forEach((value, channel) => {
        sum[channel]! += value / paths
      })
    return sum
  }
  const walked = average(cosine => mean(PATHS, () => walkOnFacets(cosine, roughness ** 2, COLOR, random).left))
  for (const number of [0, 1]) {
    const reflected = average(cosine =>
      mean(PATHS, () => {
        const wo: Vec3 = [Math.sqrt(1 - cosine * cosine), 0, cosine]
        const { value, density } = probe.sample(number, false, wo, [random.next(), random.next(), random.next()])
        return density > 0 ? value.map(each => each / density) : [0, 0, 0]
      }),
    )
    // The fit is within 0.6 %, and noise within 0.4 %.
    reflected.forEach((value, channel) => {
      expect(Math.abs(value / walked[channel]! - 1)).toBeLessThan(0.012)
    })
  }
})
