/** What a scene has that rays meet, so that its shaders have no code for the rest (`kernel/integrators.ts`). */
import type { KernelMemory } from '../wasm/memory.ts'
import { get, header } from '../wasm/records/access.ts'
import { LIGHT, LIGHT_KINDS } from '../wasm/records/light.ts'
import { PASSING } from '../wasm/records/material.ts'
import type { LightsPresent } from './kernel/path/lights/lights.ts'
import type { LobeNeeds } from './kernel/path/lobes/lobes.ts'
import { lobeNeeds } from './lobe-needs.ts'

/** What of the ambient integrator a scene needs. */
export interface AmbientNeeds {
  readonly textured: boolean
  /** Whether rays pass any surface. */
  readonly passes: boolean
}

export interface PathNeeds extends LobeNeeds {
  readonly lights: LightsPresent
  readonly textured: boolean
  /** Whether there are solids that light passes through, and whether those of different media may touch. */
  readonly solids: boolean
  readonly touching: boolean
  /** Whether there are surfaces that rays pass by chance, or from behind, and sheets of glass. */
  readonly holes: boolean
  readonly sheets: boolean
}

export const ambientNeeds = (memory: KernelMemory): AmbientNeeds => ({
  textured: header(memory, 'textured') !== 0,
  passes: (header(memory, 'passing') & (PASSING.some | PASSING.backs)) !== 0,
})

export function pathNeeds(memory: KernelMemory): PathNeeds {
  const passing = header(memory, 'passing')
  const solids = header(memory, 'mediaCount') > 1
  const needs = lobeNeeds(memory)
  return {
    ...needs,
    lights: lightsIn(memory),
    // Tangents matter to highlights, too.
    textured: header(memory, 'textured') !== 0 || needs.parts.anisotropy,
    solids,
    touching: solids && header(memory, 'touching') !== 0,
    holes: (passing & (PASSING.some | PASSING.backs)) !== 0,
    sheets: (passing & PASSING.sheet) !== 0,
  }
}

function lightsIn(memory: KernelMemory): LightsPresent {
  const { distant, point, spot, rectangle } = LIGHT_KINDS
  const lights = Array.from(
    { length: header(memory, 'lightCount') },
    (_, i) => header(memory, 'lights') + i * LIGHT.bytes,
  )
  const kinds = new Set(lights.map(at => get(memory, LIGHT, at, 'kind')))
  return {
    distant: kinds.has(distant),
    map: header(memory, 'map') !== 0,
    rectangles: kinds.has(rectangle),
    spheres: kinds.has(point) || kinds.has(spot),
    triangles: header(memory, 'litCount') > 0,
  }
}
