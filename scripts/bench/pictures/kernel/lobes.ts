/** Lobes of the kernel, held to the laws. */

import type { Vec3 } from '../../../../shared/frame/view.ts'
import { DEFAULT_MATERIAL } from '../../../../shared/scene/material.ts'
import type { Scattered } from '../../../../worker/engine/wasm/kernel-probe.ts'
import type { WasmEngine } from '../../../../worker/engine/wasm/wasm-engine.ts'
import type { LobeSubject } from '../checks/bsdf-checks.ts'
import type { Lobe, LobeSample } from '../model/lobe.ts'
import { probeOf } from './build.ts'
import type { MaterialSubject } from './material-subject.ts'
import { principledSubjects } from './principled-subjects.ts'

const GOLD: Vec3 = [1, 0.78, 0.34]

/** Each model alone, smooth and rough, and mixtures of all that the principled one has. */
export const LOBE_SUBJECTS: readonly MaterialSubject[] = [
  { name: 'diffuse', material: { color: GOLD } },
  { name: 'mirror', material: { color: GOLD, metallic: 1, roughness: 0 } },
  { name: 'conductor, α 0.05', material: { color: GOLD, metallic: 1, roughness: Math.sqrt(0.05) } },
  { name: 'white conductor, α 1', material: { metallic: 1, roughness: 1 } },
  { name: 'smooth coat', material: { coat: 1 } },
  { name: 'rough coat', material: { coat: 1, coatRoughness: Math.sqrt(0.2), ior: 1.8 } },
  { name: 'smooth glass', material: { transmission: 1, roughness: 0 }, ior: 1.5 },
  { name: 'rough glass, α 0.1', material: { color: GOLD, transmission: 1, roughness: Math.sqrt(0.1) }, ior: 1.5 },
  { name: 'rough glass, α 0.5', material: { transmission: 1, roughness: Math.sqrt(0.5), ior: 2.4 }, ior: 2.4 },
  ...[1.2, 1.5, 2.5].flatMap(ior =>
    [0.5, 1].map(roughness => ({
      name: `white glass of ior ${ior}, roughness ${roughness}`,
      ior,
      white: true,
      material: { transmission: 1, roughness, ior },
    })),
  ),
  { name: 'thin sheet', material: { transmission: 1, roughness: 0, thin: true }, ior: 1 },
  ...principledSubjects(),
]

/** Values go through memory as doubles: nothing is lost but what both sides compute differently. */
const PRECISION = 1e-6

export function kernelLobes(engine: WasmEngine): LobeSubject[] {
  const probe = probeOf(
    engine,
    LOBE_SUBJECTS.map(({ material }) => ({ ...DEFAULT_MATERIAL, ...material })),
  )
  return LOBE_SUBJECTS.map(({ name, ior, white = false }, material) => ({
    name,
    precision: PRECISION,
    white,
    ...(ior === undefined ? {} : { ior }),
    lobe: lobeOf(
      (inside, wo, u) => probe.sample(material, inside, wo, u),
      (inside, wo, wi) => probe.evaluate(material, inside, wo, wi),
    ),
  }))
}

type Ask = (inside: boolean, wo: Vec3, other: Vec3) => Scattered

/** The kernel's z points to the viewer's side, a lobe's to the outer side. */
function lobeOf(sample: Ask, evaluate: Ask): Lobe {
  const turned = (wo: Vec3, w: Vec3): Vec3 => (wo[2] >= 0 ? w : [w[0], w[1], -w[2]])
  return {
    sample(wo, u): LobeSample | undefined {
      const { direction, value, density } = sample(wo[2] < 0, turned(wo, wo), [u[2], u[0], u[1]])
      if (value[0] + value[1] + value[2] === 0) return undefined
      const smooth = density === 0
      return { wi: turned(wo, direction), value, pdf: smooth ? 1 : density, smooth }
    },
    evaluate(wo, wi) {
      const { value, density } = evaluate(wo[2] < 0, turned(wo, wo), turned(wo, wi))
      return { value, pdf: density }
    },
  }
}
