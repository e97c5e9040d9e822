/** Lobes of the naive tracer that are held to the laws. */

import type { LobeSubject } from '../../../../scripts/bench/pictures/checks/bsdf-checks.ts'
import { WHITE } from '../../../../scripts/bench/pictures/model/vector.ts'
import { conductor } from '../../../../scripts/bench/pictures/naive/conductor.ts'
import { dielectric, thinSheet } from '../../../../scripts/bench/pictures/naive/dielectric.ts'
import { coatedDiffuse, diffuse } from '../../../../scripts/bench/pictures/naive/diffuse.ts'
import { dielectricReflectance } from '../../../../scripts/bench/pictures/naive/fresnel.ts'
import type { Vec3 } from '../../../../shared/frame/view.ts'

const GOLD: Vec3 = [1, 0.78, 0.34]

export const naiveLobes = (): LobeSubject[] => [
  { name: 'diffuse', lobe: diffuse(GOLD) },
  { name: 'mirror', lobe: conductor(GOLD, 0, true) },
  { name: 'conductor, α 0.05', lobe: conductor(GOLD, 0.05, true) },
  { name: 'conductor, α 0.25, uncompensated', lobe: conductor(GOLD, 0.25, false) },
  { name: 'white conductor, α 1', lobe: conductor(WHITE, 1, true) },
  { name: 'smooth coat', lobe: coatedDiffuse(WHITE, 0, cosine => dielectricReflectance(cosine, 1.5)) },
  { name: 'rough coat', lobe: coatedDiffuse(WHITE, 0.2, cosine => dielectricReflectance(cosine, 1.8)) },
  { name: 'smooth glass', lobe: dielectric(WHITE, 0, 1.5, true), ior: 1.5 },
  { name: 'rough glass, α 0.1', lobe: dielectric(GOLD, 0.1, 1.5, true), ior: 1.5 },
  { name: 'rough glass, α 0.5', lobe: dielectric(WHITE, 0.5, 2.4, true), ior: 2.4 },
  { name: 'rough glass, α 0.5, uncompensated', lobe: dielectric(WHITE, 0.5, 2.4, false), ior: 2.4 },
  { name: 'thin sheet', lobe: thinSheet(WHITE, 1.5), ior: 1 },
]
