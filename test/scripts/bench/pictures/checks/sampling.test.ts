/** Wrong densities of directions towards lights are caught. That those of the kernel are right is a check of `bench-pictures.test.ts`. */
import { describe, expect, it } from 'vitest'
import { samplingChecks } from '../../../../../scripts/bench/pictures/checks/sampling.ts'
import { kernelLights } from '../../../../../scripts/bench/pictures/kernel/lights.ts'
import type { Lobe } from '../../../../../scripts/bench/pictures/model/lobe.ts'
import { loadWasmEngine } from '../../../../../worker/node/load-kernel.ts'
import { isNightly } from '../../../../support/nightly.ts'

const failed = (light: Lobe) =>
  samplingChecks('it', light, [[0, 0, 1]], { samples: 10_000, seed: 7, precision: 1e-6, coarsest: 32 })
    .filter(({ ok }) => !ok)
    .map(({ name }) => name)

const AGAINST_DENSITY = 'it: samples against density, -log10 p'
const AGAINST_VALUES = 'it: samples against values, relative'

const LIGHTS = kernelLights(loadWasmEngine('wasm')).map(subject => [subject.name, subject.light] as const)

// Integrating a density takes seconds: wrong ones of a few lights, or of all.
describe.each(isNightly ? LIGHTS : LIGHTS.slice(0, 2))('towards the %s', (_, light) => {
  it('directions that crowd where the light begins are caught', () => {
    const crowded: Lobe = { ...light, sample: (wo, [u, v, w]) => light.sample(wo, [u, v * v, w]) }
    expect(failed(crowded)).toContain(AGAINST_DENSITY)
  })

  it('a density that is off by a thousandth is caught', () => {
    const off: Lobe = {
      ...light,
      evaluate: (wo, wi) => {
        const { value, pdf } = light.evaluate(wo, wi)
        return { value, pdf: pdf * 1.001 }
      },
    }
    expect(failed(off)).toEqual([AGAINST_VALUES])
  })
})
