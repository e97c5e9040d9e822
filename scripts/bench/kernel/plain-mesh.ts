/** Baked triangles as this kernel's peers take them: one array for each kind of value. */
import { NORMAL_AT, type Triangles, triangleCount, VERTEX_FLOATS, vertexNumber } from '../../../shared/scene/bake.ts'

export interface PlainMesh {
  /** xyz per vertex. */
  readonly positions: Float32Array
  readonly normals: Float32Array
  /** Three vertex numbers per triangle. */
  readonly indices: Uint32Array
}

export function plainMesh(scene: Triangles): PlainMesh {
  const { vertices } = scene
  const everyVertex = (offset: number) =>
    new Float32Array((vertices.length / VERTEX_FLOATS) * 3).map(
      (_, i) => vertices[Math.floor(i / 3) * VERTEX_FLOATS + offset + (i % 3)]!,
    )
  return {
    positions: everyVertex(0),
    normals: everyVertex(NORMAL_AT),
    indices: new Uint32Array(triangleCount(scene) * 3).map((_, i) => vertexNumber(scene, Math.floor(i / 3), i % 3)),
  }
}
