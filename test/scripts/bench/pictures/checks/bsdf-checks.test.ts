/** The laws of lobes, on those of the naive tracer; and that lobes which break them are caught. */
import { describe, expect, it } from 'vitest'
import { albedoOfLobe, checkLobe, type LobeSubject } from '../../../../../scripts/bench/pictures/checks/bsdf-checks.ts'
import { samplingProbability } from '../../../../../scripts/bench/pictures/checks/sampling.ts'
import type { Lobe } from '../../../../../scripts/bench/pictures/model/lobe.ts'
import { conductor } from '../../../../../scripts/bench/pictures/naive/conductor.ts'
import { dielectric } from '../../../../../scripts/bench/pictures/naive/dielectric.ts'
import { coatedDiffuse } from '../../../../../scripts/bench/pictures/naive/diffuse.ts'
import { dielectricReflectance } from '../../../../../scripts/bench/pictures/naive/fresnel.ts'
import type { Vec3 } from '../../../../../shared/frame/view.ts'
import { times } from '../../../../support/nightly.ts'
import { naiveLobes } from '../naive-lobes.ts'

const GOLD: Vec3 = [1, 0.78, 0.34]
const WHITE: Vec3 = [1, 1, 1]
const failed = (subject: LobeSubject, samples: number) => checkLobe(subject, samples, 7).filter(({ ok }) => !ok)

describe('lobes of the naive tracer keep the laws', () => {
  it.each(naiveLobes().map(subject => [subject.name, subject] as const))('%s', (_, subject) => {
    expect(failed(subject, times(10_000))).toEqual([])
  })
})

describe('white lobes lose nothing', () => {
  const directions: Vec3[] = [0.97, 0.5, 0.1].map(cosine => [Math.sqrt(1 - cosine * cosine), 0, cosine])
  const lobes: [string, Lobe, number][] = [
    ['smooth coat', coatedDiffuse(WHITE, 0, cosine => dielectricReflectance(cosine, 1.5)), 1],
    ['rough coat', coatedDiffuse(WHITE, 0.25, cosine => dielectricReflectance(cosine, 1.5)), 1],
    ['compensated conductor', conductor(WHITE, 0.6, true), 1],
    ['smooth glass', dielectric(WHITE, 0, 1.5, true), 1.5],
    ...[1.05, 1.5, 2.5].flatMap((ior): [string, Lobe, number][] =>
      [0.1, 0.5, 1].map(alpha => [
        `compensated glass of ior ${ior}, α ${alpha}`,
        dielectric(WHITE, alpha, ior, true),
        ior,
      ]),
    ),
  ]
  it.each(lobes)('%s', (_, lobe, ior) => {
    const inside = ior === 1 ? [] : directions.map(([x, y, z]): Vec3 => [x, y, -z])
    for (const wo of [...directions, ...inside]) {
      const { mean, error } = albedoOfLobe(lobe, wo, times(10_000), 3, ior)
      expect(Math.abs(mean[0] - 1)).toBeLessThan(4 * error + 1e-3)
    }
  })

  it('but for rough glass and metal that are not compensated: what the facets throw at each other', () => {
    for (const wo of directions) {
      expect(albedoOfLobe(conductor(WHITE, 0.6, false), wo, 20_000, 3).mean[0]).toBeLessThan(0.95)
      const glass = albedoOfLobe(dielectric(WHITE, 0.25, 1.5, false), wo, 20_000, 3, 1.5).mean[0]
      expect(glass).toBeGreaterThan(0.8)
      expect(glass).toBeLessThan(1)
    }
  })
})

describe('lobes that break the laws are caught', () => {
  const right = coatedDiffuse(WHITE, 0.2, cosine => dielectricReflectance(cosine, 1.5))
  const broken = (changes: Partial<Lobe>): string[] =>
    failed({ name: 'wrong', lobe: { ...right, ...changes } }, 40_000).map(({ name }) => name)

  it('one that samples another density', () => {
    const metal = conductor(GOLD, 0.25, false)
    const lobe: Lobe = { ...metal, sample: conductor(GOLD, 0.27, false).sample }
    expect(samplingProbability(lobe, [0.8, 0, 0.6], 40_000, 7)).toBeLessThan(1e-6)
    expect(samplingProbability(metal, [0.8, 0, 0.6], 40_000, 7)).toBeGreaterThan(1e-3)
  })

  it('one that is worth less when it is sampled', () => {
    const sample: Lobe['sample'] = (wo, u) => {
      const found = right.sample(wo, u)
      return found && { ...found, value: [0.999, 0.999, 0.999] }
    }
    expect(broken({ sample })).toContain('wrong: samples against values, relative')
  })

  it('one that is not reciprocal', () => {
    const evaluate: Lobe['evaluate'] = (wo, wi) => {
      const { value, pdf } = right.evaluate(wo, wi)
      return { value: value.map(x => x * (1 + 0.01 * wo[2])) as unknown as Vec3, pdf }
    }
    expect(broken({ evaluate })).toContain('wrong: reciprocity, relative')
  })

  it('one that makes light', () => {
    const sample: Lobe['sample'] = (wo, u) => {
      const found = right.sample(wo, u)
      return found && { ...found, value: found.value.map(x => x * 1.05) as unknown as Vec3 }
    }
    expect(broken({ sample })).toContain('wrong: reflected light, less 4 standard errors')
  })
})
