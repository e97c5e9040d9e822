/**
 * What textures do to a hit's own material, by the property that they are of: most multiply it by some of their channels, and the kernel's code for
 * that is generated (`scripts/build/map-effects.ts`). The others have code of their own in `kernel/surface/vary.ts`.
 */
import type { MapName } from '../../../../shared/scene/material.ts'
import type { MATERIAL } from './material.ts'

type Channel = 'red' | 'green' | 'blue' | 'opacity'

export interface MapEffect {
  /** A number that is multiplied by a channel, or a colour by red, green and blue. */
  readonly scales?: { readonly field: keyof (typeof MATERIAL)['fields']; readonly by: Channel | 'rgb' }
  /** Whether all models read what it changes at the hit; the simple ones have one number for a material of what it changes otherwise. */
  readonly inAllModels: boolean
}

const scales = (field: keyof (typeof MATERIAL)['fields'], by: Channel | 'rgb', inAllModels = false): MapEffect => ({
  scales: { field, by },
  inAllModels,
})

export const MAP_EFFECTS: Readonly<Record<MapName, MapEffect>> = {
  color: { inAllModels: true },
  opacity: scales('opacity', 'green', true),
  occlusion: { inAllModels: true },
  metallic: scales('metallic', 'blue'),
  roughness: scales('roughness', 'green'),
  normal: { inAllModels: true },
  emission: scales('emission', 'rgb', true),
  specular: scales('specular', 'opacity'),
  specularColor: scales('specularColor', 'rgb'),
  transmission: scales('transmission', 'red'),
  coat: scales('coat', 'red'),
  coatRoughness: scales('coatRoughness', 'green'),
  coatNormal: { inAllModels: false },
  sheenColor: scales('sheenColor', 'rgb'),
  sheenRoughness: scales('sheenRoughness', 'opacity'),
  anisotropy: { inAllModels: false },
  iridescence: scales('iridescence', 'red'),
  iridescenceThickness: { inAllModels: false },
}
