/** The result of reading a mesh file: one triangle mesh in the file's own coordinates. */
import type { Vec3 } from '../../shared/frame/view.ts'

export interface FileMesh {
  /** xyz per vertex, finite, relative to `offset`. */
  readonly positions: Float32Array
  /** Where the mesh is, for one far from the origin. @default the origin */
  readonly offset?: Vec3
  /** Unit shading normals, xyz per vertex, if the file has them. */
  readonly normals?: Float32Array
  /** Linear red, green, blue and opacity per vertex, 0 to 1, if the file has them. */
  readonly colors?: Float32Array
  /** Three vertex numbers per triangle, all valid. Absent: every three vertices form a triangle. */
  readonly indices?: Uint32Array
  /** What the file asks for but is not traced, one sentence each. */
  readonly problems?: readonly string[]
}
