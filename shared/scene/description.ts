/**
 * A scene in plain data: what importers produce (`scenes/import/import-three.ts`), what is packed and sent (`packed-layout.ts`), and
 * what engines bake to world-space triangles (`bake.ts`). A mesh that stands in several places is one mesh with several
 * instances.
 */
import type { Camera, Vec3 } from '../frame/view.ts'
import type { Environment } from './environment.ts'
import type { Light } from './light.ts'
import type { Material } from './material.ts'
import type { Texture } from './texture.ts'

export interface SceneDescription {
  readonly meshes: readonly SceneMesh[]
  readonly instances: readonly Instance[]
  /** At least one, at most 65536. */
  readonly materials: readonly Material[]
  /** At most 65536. */
  readonly textures: readonly Texture[]
  readonly lights: readonly Light[]
  readonly environment: Environment
  /**
   * What has been subtracted from all positions, world units: instances and lights are relative to it, so that a scene
   * far from the origin keeps its precision in single-precision arithmetic. Users' cameras are in world coordinates.
   */
  readonly centre: Vec3
}

/**
 * Numbers of floats of a vertex's attributes, in the order in which they are interleaved. Normals are unit vectors, or zeros where
 * there is none: baking then takes the mean of the triangles' normals. A tangent is a unit vector (or zeros) and the
 * handedness of its bitangent, 1 or -1. Colours are linear RGB and opacity, 0 to 1.
 */
export const VERTEX_ATTRIBUTES = { position: 3, normal: 3, tangent: 4, uv: 2, uv2: 2, color: 4 } as const
export type VertexAttribute = keyof typeof VERTEX_ATTRIBUTES

export interface SceneMesh {
  /** In the order of VERTEX_ATTRIBUTES; the first is `position`. */
  readonly attributes: readonly VertexAttribute[]
  /** The attributes of each vertex side by side: `strideOf(attributes)` floats per vertex. */
  readonly vertices: Float32Array
  /** Three vertex numbers per triangle, counter-clockwise seen from outside. */
  readonly indices: Uint32Array
  /** Material slot per triangle. Each instance assigns a material to each slot. */
  readonly slots: Uint16Array
  /** At least 1, and above every number in `slots`. */
  readonly slotCount: number
}

/** A mesh at a place. */
export interface Instance {
  /** Index into `meshes`. */
  readonly mesh: number
  readonly transform: Transform
  /** Index into `materials` for each slot of the mesh. */
  readonly materials: readonly number[]
  /** Number of the object that it belongs to (`scene-names.ts`). @default 0 */
  readonly object?: number
}

/** From mesh to scene coordinates: three rows of four, the last column is the translation. */
export type Transform = readonly number[]

/** A camera that comes with a scene. Its picture's width follows from the frame's shape. */
export interface SceneCamera extends Omit<Camera, 'tanHalfX'> {
  readonly name: string
  /** Width over height of the picture that it was made for. */
  readonly aspect: number
}

/** Floats per vertex. */
export const strideOf = (attributes: readonly VertexAttribute[]): number =>
  attributes.reduce((sum, attribute) => sum + VERTEX_ATTRIBUTES[attribute], 0)

/** Offset of an attribute within a vertex, floats; undefined if the mesh does not have it. */
export function offsetOf({ attributes }: SceneMesh, attribute: VertexAttribute): number | undefined {
  const at = attributes.indexOf(attribute)
  return at < 0 ? undefined : strideOf(attributes.slice(0, at))
}

export const vertexCount = ({ attributes, vertices }: SceneMesh): number => vertices.length / strideOf(attributes)

/** A transform's numbers, to be given names. */
export const elementsOf = (transform: Transform): Twelve => transform as unknown as Twelve
type Twelve = [number, number, number, number, number, number, number, number, number, number, number, number]

export const IDENTITY: Transform = Object.freeze([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0])
