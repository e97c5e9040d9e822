/** A scene as plain numbers and records: what the naive tracer reads, and what a kernel's scene is packed from. */
import type { Environment } from '../../../../shared/scene/environment.ts'
import type { Light } from '../../../../shared/scene/light.ts'
import type { Material } from '../../../../shared/scene/material.ts'

export interface PlainScene {
  /** xyz of three corners per triangle, counter-clockwise seen from outside. */
  readonly positions: Float64Array
  /** Unit shading normals at the corners, pointing outside. */
  readonly normals: Float64Array
  /** Index into `materials`, per triangle. */
  readonly materialIds: Uint16Array
  readonly materials: readonly Material[]
  /** Of triangles that bound two solids at once: the material that is on their outer side. Tracers may have to find that out. */
  readonly outers?: ReadonlyMap<number, number>
  readonly lights: readonly Light[]
  readonly environment: Environment
}
