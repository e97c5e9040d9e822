/** Directions towards the kernel's lights, and that wrong densities are caught. */
import { describe, expect, it } from 'vitest'
import { samplingChecks } from '../../../../../scripts/bench/pictures/checks/sampling.ts'
import { kernelLights } from '../../../../../scripts/bench/pictures/kernel/lights.ts'
import type { Lobe } from '../../../../../scripts/bench/pictures/model/lobe.ts'
import { loadWasmEngine } from '../../../../../worker/node/load-kernel.ts'

const failed = (light: Lobe) =>
  samplingChecks('it', light, [[0, 0, 1]], { samples: 10_000, seed: 7, precision: 1e-6, edges: true })
    .filter(({ ok }) => !ok)
    .map(({ name }) => name)

const AGAINST_DENSITY = 'it: samples against density, -log10 p'
const AGAINST_VALUES = 'it: samples against values, relative'

describe.each(kernelLights(loadWasmEngine('wasm')).map(subject => [subject.name, subject.light] as const))(
  'towards the %s',
  (_, light) => {
    it('directions are chosen with the density that scattered rays are told', () => {
      expect(failed(light)).toEqual([])
    })

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
  },
)
