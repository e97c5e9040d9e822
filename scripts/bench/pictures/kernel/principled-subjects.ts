/** Materials for the principled model: each of its lobes alone, and random mixtures of all. */

import type { Vec3 } from '../../../../shared/frame/view.ts'
import { DEFAULT_MATERIAL, type Material } from '../../../../shared/scene/material.ts'
import { RandomStream } from '../naive/random-stream.ts'
import type { MaterialSubject } from './material-subject.ts'

const GOLD: Vec3 = [1, 0.78, 0.34]
const MIXTURES = 8
const CLEAR_MIXTURES = 4

const ALONE: readonly MaterialSubject[] = [
  { name: 'half metal', material: { color: GOLD, metallic: 0.5, roughness: 0.4 } },
  { name: 'no reflection', material: { color: GOLD, specular: 0, roughness: 0.3 } },
  { name: 'tinted reflection', material: { color: GOLD, specularColor: [3, 1, 0.2], roughness: 0.5, ior: 2 } },
  { name: 'white plastic', material: { specular: 0.999, roughness: 0.6 } },
  {
    name: 'brushed metal',
    material: { color: GOLD, metallic: 1, roughness: 0.4, anisotropy: 0.8, anisotropyRotation: 0.1 },
  },
  { name: 'coat on metal', material: { color: GOLD, metallic: 1, roughness: 0.7, coat: 1, coatRoughness: 0.2 } },
  { name: 'velvet', material: { color: [0.1, 0, 0], sheenColor: [1, 0.9, 0.8], sheenRoughness: 0.3 } },
  { name: 'white velvet', material: { sheenColor: [1, 1, 1], sheenRoughness: 0.8 } },
  {
    name: 'soap film',
    material: { color: [0.2, 0.2, 0.2], roughness: 0.2, iridescence: 1, iridescenceThickness: [0, 380] },
  },
  {
    name: 'oil on metal',
    material: { color: [0.6, 0.6, 0.6], metallic: 1, roughness: 0.3, iridescence: 1, iridescenceThickness: [0, 550] },
  },
  { name: 'half glass', material: { color: GOLD, transmission: 0.5, roughness: 0.4 }, ior: 1.5 },
  { name: 'coated glass', material: { transmission: 1, roughness: 0.5, coat: 0.7, coatRoughness: 0.3 }, ior: 1.5 },
  ...[1.2, 1.5, 2.5].map(ior =>
    whiteGlass(`white glass of ior ${ior} in a mixture`, { ior, roughness: 0.3 + ior / 5 }, ior),
  ),
  whiteGlass('white sheet, roughness 0.5', { roughness: 0.5, thin: true }, 1),
  whiteGlass('white sheet, roughness 1', { roughness: 1, thin: true }, 1),
  { name: 'frosted sheet', material: { color: GOLD, transmission: 1, roughness: 0.5, thin: true }, ior: 1 },
]

/** Glass whose reflection is not quite that of glass is for the principled model. */
function whiteGlass(name: string, material: Partial<Material>, ior: number): MaterialSubject {
  return { name, material: { transmission: 1, specular: 0.999, ...material }, ior, white: true }
}

/** Light that colours split has no single index: whether it may travel the other way round is not asked. */
export const principledSubjects = (): readonly MaterialSubject[] => [
  ...ALONE,
  ...Array.from({ length: MIXTURES }, (_, i) => mixture(i + 1)),
  ...Array.from({ length: CLEAR_MIXTURES }, (_, i) => clearMixture(MIXTURES + i + 1)),
]

/** Mostly of solid glass. */
function clearMixture(seed: number): MaterialSubject {
  const { material, ior } = mixture(seed)
  const random = new RandomStream(seed)
  const clear = { transmission: 0.5 + 0.5 * random.next(), metallic: 0.3 * random.next(), anisotropy: 0, thin: false }
  return { name: `clear mixture ${seed}`, material: { ...material, ...clear }, ior: material.ior ?? ior ?? 1 }
}

function mixture(seed: number): MaterialSubject {
  const random = new RandomStream(seed)
  const next = () => random.next()
  /** Often 0 or 1. */
  const share = () => Math.min(1, Math.max(0, next() * 1.6 - 0.3))
  const color = (): Vec3 => [next(), next(), next()]
  const thin = next() < 0.3
  const ior = 1.3 + next()
  const material: Partial<Material> = {
    ...DEFAULT_MATERIAL,
    color: color(),
    metallic: share(),
    roughness: 0.15 + 0.85 * next(),
    ior,
    specular: share(),
    specularColor: color(),
    transmission: share(),
    thin,
    coat: share(),
    coatRoughness: 0.15 + 0.85 * next(),
    sheenColor: next() < 0.5 ? color() : [0, 0, 0],
    sheenRoughness: next(),
    anisotropy: next() < 0.5 ? share() : 0,
    anisotropyRotation: next(),
    iridescence: next() < 0.3 ? share() : 0,
    iridescenceThickness: [0, 200 + 400 * next()],
  }
  return { name: `mixture ${seed}`, material, ior: thin ? 1 : ior }
}
