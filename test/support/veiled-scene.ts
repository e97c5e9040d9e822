/** Sheets that let light through, one behind the other: masks, blends and glass, before a wall. */
import { IDENTITY, type SceneDescription } from '../../shared/scene/description.ts'
import { DEFAULT_MATERIAL } from '../../shared/scene/material.ts'

/** A sheet across the view, at a depth. */
const sheet = (z: number, half: number) => [-half, -half, z, half, -half, z, half, half, z, -half, half, z]

export function veiled(): SceneDescription {
  const depths = [-3, -2, -1, 0, 0, 1, 1.5]
  return {
    meshes: [
      {
        attributes: ['position'],
        vertices: Float32Array.from(depths.flatMap((z, i) => sheet(z, 3 - 0.3 * i))),
        indices: Uint32Array.from(depths.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map(corner => 4 * i + corner))),
        slots: Uint16Array.from(depths.flatMap((_, i) => [i % 4, i % 4])),
        slotCount: 4,
      },
    ],
    instances: [{ mesh: 0, transform: IDENTITY, materials: [0, 1, 2, 3] }],
    materials: [
      DEFAULT_MATERIAL,
      { ...DEFAULT_MATERIAL, color: [0.9, 0.3, 0.2], alpha: 'blend', opacity: 0.4 },
      { ...DEFAULT_MATERIAL, alpha: 'mask', opacity: 0.2 },
      { ...DEFAULT_MATERIAL, color: [0.4, 0.9, 0.8], transmission: 1, thin: true, roughness: 0 },
    ],
    lights: [{ kind: 'distant', direction: [0.48, 0.64, 0.6], irradiance: [3, 2.8, 2.4], angle: 0 }],
    environment: { kind: 'sky', zenith: [0.3, 0.5, 0.9], horizon: [0.8, 0.85, 0.9], ground: [0.3, 0.28, 0.25] },
    textures: [],
    centre: [0, 0, 0],
  }
}
