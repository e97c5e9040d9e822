import { describe, expect, it } from 'vitest'
import { albedoOfLobe } from '../../../../../scripts/bench/pictures/checks/bsdf-checks.ts'
import { isGlass, lobeOf } from '../../../../../scripts/bench/pictures/naive/lobe-of.ts'
import type { Vec3 } from '../../../../../shared/frame/view.ts'
import { DEFAULT_MATERIAL, type Material } from '../../../../../shared/scene/material.ts'

const WO: Vec3 = [0.6, 0, 0.8]
const U: Vec3 = [0.01, 0.3, 0.6]

/** What its first sample tells of a material's model. */
function model(properties: Partial<Material>): string {
  const material = { ...DEFAULT_MATERIAL, color: [0.5, 0.5, 0.5] as const, ...properties }
  const lobe = lobeOf(material, true)
  if (isGlass(material)) return 'glass'
  if (lobe.sample(WO, [0.99, 0.3, 0.6])?.wi.every((x, i) => x === -WO[i]!)) return 'sheet'
  const sample = lobe.sample(WO, U)!
  if (sample.smooth) return sample.pdf === 1 ? 'mirror' : 'smooth coat'
  const { mean } = albedoOfLobe(lobe, [0, 0, 1], 2000, 1)
  const grazing = albedoOfLobe(lobe, [Math.sqrt(1 - 0.01), 0, 0.1], 2000, 1).mean
  return grazing[0] > mean[0] + 0.05 ? 'rough' : 'diffuse'
}

describe('the model of a material', () => {
  it.each<[string, Partial<Material>]>([
    ['diffuse', {}],
    ['diffuse', { metallic: 0.4, transmission: 0.4, coat: 0.4 }],
    ['glass', { transmission: 0.5, metallic: 1 }],
    ['sheet', { transmission: 1, thin: true, metallic: 1, roughness: 0.5 }],
    ['mirror', { metallic: 0.5, roughness: 0.03, coat: 1 }],
    ['rough', { metallic: 1, roughness: 0.3 }],
    ['smooth coat', { coat: 0.5, coatRoughness: 0 }],
    ['smooth coat', { roughness: 0 }],
    ['rough', { coat: 1, coatRoughness: 0.4, roughness: 0 }],
    ['rough', { roughness: 0.4 }],
  ])('%s of %j', (expected, properties) => {
    expect(model(properties)).toBe(expected)
  })
})
