/** Lights that are not part of a mesh; emissive triangles are lights, too (`Material.emission`). Linear RGB, world space. */
import type { Vec3 } from '../frame/view.ts'

export type Light = DistantLight | PointLight | SpotLight | RectangleLight

/** Parallel light, such as the sun's. */
export interface DistantLight {
  readonly kind: 'distant'
  /** Unit vector from the scene towards the light. */
  readonly direction: Vec3
  /** On a surface that faces the light. */
  readonly irradiance: Vec3
  /** Angular diameter of its disc, turns, 0 to 1/2; 0 gives hard shadows. The sun's is 0.0015. */
  readonly angle: number
}

/** A sphere that shines equally in all directions. */
export interface PointLight {
  readonly kind: 'point'
  readonly position: Vec3
  /** Power per solid angle; radiance of the sphere = intensity / (π radius²). */
  readonly intensity: Vec3
  /** Scene units; 0 gives hard shadows. */
  readonly radius: number
}

/** A point light that shines into a cone. */
export interface SpotLight {
  readonly kind: 'spot'
  readonly position: Vec3
  /** Unit vector in which it shines. */
  readonly direction: Vec3
  /** Along its axis. */
  readonly intensity: Vec3
  readonly radius: number
  /** Cosines of the angles from the axis at which its light begins to fall and ends. */
  readonly innerCosine: number
  readonly outerCosine: number
  /** Between them: the square of the share of the cosine, as in glTF. @default the smoothstep of it, as in three */
  readonly falloff?: 'squared'
}

/** A rectangle that shines towards one side. */
export interface RectangleLight {
  readonly kind: 'rectangle'
  /** Its centre. */
  readonly position: Vec3
  /** From the centre to the middles of two adjacent sides, at right angles; it shines towards `across` × `up`. */
  readonly across: Vec3
  readonly up: Vec3
  readonly radiance: Vec3
}
