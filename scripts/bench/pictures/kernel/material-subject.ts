/** A material whose lobe is held to the laws. */
import type { Material } from '../../../../shared/scene/material.ts'

export interface MaterialSubject {
  readonly name: string
  readonly material: Partial<Material>
  /** Index below the surface, where light passes. */
  readonly ior?: number
  /** Whether it scatters all light. */
  readonly white?: boolean
}
