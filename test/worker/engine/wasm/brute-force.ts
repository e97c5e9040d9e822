/**
 * Rays against every triangle of a scene by the stated test, without a tree: what any path through the kernel has to find, to
 * the last bit. Of triangles met at one distance, those that let light through come before others, then the one with the lowest number.
 */

import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { BakedScene } from '../../../../shared/scene/ambient-look.ts'
import { materialOf, triangleCount } from '../../../../shared/scene/bake.ts'
import type { InstancingRule } from '../../../../worker/engine/wasm/instances/instancing.ts'
import { RAY_FIELDS, RAY_WORDS, type RayCaster } from '../../../../worker/engine/wasm/ray-caster.ts'
import { SHADOW } from '../../../../worker/engine/wasm/records/rays.ts'
import type { WasmScene } from '../../../../worker/engine/wasm/wasm-scene.ts'
import { loadWasmEngine } from '../../../../worker/node/load-kernel.ts'
import { cornersOf } from '../../../support/triangles.ts'
import { buildHere } from '../../support/engines.ts'
import { hitDistance, inverseOf, withinBox } from './hit-distance.ts'

export interface Ray {
  readonly origin: Vec3
  readonly direction: Vec3
  /** @default 0 */
  readonly tMin?: number
  /** @default Infinity */
  readonly tMax?: number
}

/** What lies along a ray; of a kernel's answer a path fills in only what it was asked. */
export interface Answer {
  /** The first triangle's number, -1 for none. */
  readonly triangle: number
  /** Where it is met; -1 for nowhere. */
  readonly distance: number
  /** SHADOW.blocked where there is something opaque, else SHADOW.dimmed where there is glass, else 0. */
  readonly shadow: number
}

/** The ways to ask for many rays at once. */
export const PATHS = [
  { name: 'closest coherent', shadow: false, coherent: true },
  { name: 'closest incoherent', shadow: false, coherent: false },
  { name: 'shadow coherent', shadow: true, coherent: true },
  { name: 'shadow incoherent', shadow: true, coherent: false },
] as const
export type Path = (typeof PATHS)[number]

/** A scene both ways. */
export interface Prepared {
  readonly caster: RayCaster
  /** By brute force. */
  answer(ray: Ray): Answer
}

export interface Comparison {
  /** Rays that meet something, by brute force. */
  readonly hits: number
  /** Where the kernel disagrees, in words; the first few. */
  readonly wrong: readonly string[]
}

const CORNERS = 9
const MAX_TOLD = 5
const f = Math.fround
const ordinary = loadWasmEngine('wasm')

/** A ray caster with room for `capacity` rays. @param rule by which meshes are instanced, if not the engine's own */
export function castIn(scene: BakedScene, capacity: number, rule?: InstancingRule): RayCaster {
  const engine = rule ? loadWasmEngine('wasm', rule) : ordinary
  return engine.castRays(buildHere(engine, scene) as WasmScene, capacity)
}

export const prepare = (scene: BakedScene, capacity = 1000, rule?: InstancingRule): Prepared => ({
  caster: castIn(scene, capacity, rule),
  answer: bruteForceIn(scene),
})

/** Asks the kernel for the rays, along each path as one batch. */
export function compare(
  { caster, answer }: Prepared,
  rays: readonly Ray[],
  paths: readonly Path[] = PATHS,
): Comparison {
  const expected = rays.map(answer)
  const wrong = paths.flatMap(path => disagreements(rays, expected, ask(caster, rays, path), path))
  return { hits: expected.filter(({ triangle }) => triangle >= 0).length, wrong: wrong.slice(0, MAX_TOLD) }
}

/** The kernel's answers, in the order of the rays; their records begin at number `first`. */
export function ask(caster: RayCaster, rays: readonly Ray[], { shadow, coherent }: Path, first = 0): Answer[] {
  rays.forEach((ray, i) => {
    putRay(caster, first + i, ray)
  })
  if (shadow) caster.shadow(rays.length, coherent, first)
  else caster.closest(rays.length, coherent, first)
  const { rays: floats, words } = caster
  return rays.map((_, i) => {
    const at = (first + i) * RAY_WORDS
    const hit = words[at + RAY_FIELDS.hit]!
    if (shadow) return { triangle: -1, distance: -1, shadow: opaqueFirst(hit) }
    if (hit === 0) return { triangle: -1, distance: -1, shadow: 0 }
    return { triangle: caster.triangleOf(first + i), distance: withoutSign(floats[at + RAY_FIELDS.tMax]!), shadow: 0 }
  })
}

/** Fills in a record. What was in the fields for answers must not matter. */
export function putRay({ rays, words }: RayCaster, i: number, ray: Ray): void {
  const { origin, direction, tMin = 0, tMax = Number.POSITIVE_INFINITY } = ray
  rays.set([...origin, tMin, ...direction, tMax], i * RAY_WORDS)
  words.fill(0xa5a5a5a5, i * RAY_WORDS + RAY_FIELDS.hit, (i + 1) * RAY_WORDS)
}

export function disagreements(
  rays: readonly Ray[],
  expected: readonly Answer[],
  got: readonly Answer[],
  { name, shadow }: Path,
): string[] {
  const told = (answer: Answer) => {
    if (shadow) return `shadow ${answer.shadow}`
    return answer.triangle < 0 ? 'nothing' : `triangle ${answer.triangle} at ${answer.distance}`
  }
  return rays.flatMap((ray, i) => {
    const [want, have] = [told(expected[i]!), told(got[i]!)]
    if (want === have) return []
    const { origin, direction, tMin = 0, tMax = Number.POSITIVE_INFINITY } = ray
    const of = `ray ${i} of ${rays.length} from ${origin} along ${direction} within ${tMin} to ${tMax}`
    return [`${name}, ${of}: expected ${want}, got ${have}`]
  })
}

function bruteForceIn(scene: BakedScene): (ray: Ray) => Answer {
  const corners = new Float32Array(triangleCount(scene) * CORNERS)
  const flags = new Uint32Array(triangleCount(scene)).map((_, triangle) => {
    corners.set(cornersOf(scene, triangle).flat(), triangle * CORNERS)
    return scene.materials[materialOf(scene, triangle)]!.kind === 'glass' ? SHADOW.dimmed : SHADOW.blocked
  })
  return ({ origin, direction, tMin = 0, tMax = Number.POSITIVE_INFINITY }) => {
    const [o, d] = [origin.map(f), direction.map(f)]
    const [least, most] = [atLeastZero(f(tMin)), atLeastZero(f(tMax))]
    const kz = longestAxis(d)
    const [kx, ky] = [(kz + 1) % 3, (kz + 2) % 3]
    const [ox, oy, oz] = [o[kx]!, o[ky]!, o[kz]!]
    const scale = f(1 / d[kz]!)
    const [shearX, shearY] = [f(d[kx]! * scale), f(d[ky]! * scale)]
    const inverse = inverseOf(d)
    let [triangle, distance, shadow] = [-1, -1, 0]
    for (let id = 0; id < flags.length; id++) {
      const along = hitDistance(corners, id * CORNERS, kx, ky, kz, ox, oy, oz, shearX, shearY, scale)
      if (!(along >= least && along <= most)) continue
      const t = withinBox(corners, id * CORNERS, o, inverse, along)
      if (!(t <= most)) continue
      shadow |= flags[id]!
      const isFirst = flags[id] === SHADOW.dimmed && flags[triangle] === SHADOW.blocked && t === distance
      if (triangle < 0 || t < distance || isFirst) [triangle, distance] = [id, t]
    }
    return { triangle, distance: withoutSign(distance), shadow: opaqueFirst(shadow) }
  }
}

/** Behind glass and something opaque it is dark; whether the glass was seen as well does not matter. */
const opaqueFirst = (flags: number): number => ((flags & SHADOW.blocked) !== 0 ? SHADOW.blocked : flags & SHADOW.dimmed)

/** Makes 0 of -0, which is as good. */
const withoutSign = (distance: number): number => distance + 0

/** What is negative or no number counts as 0. */
const atLeastZero = (t: number): number => (t > 0 ? t : 0)

/** The first of the longest. */
function longestAxis(direction: readonly number[]): number {
  const [x, y, z] = direction.map(Math.abs) as [number, number, number]
  return x >= y ? (x >= z ? 0 : 2) : y >= z ? 1 : 2
}
