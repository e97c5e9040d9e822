/**
 * What is kept from one import of a scene to the next, so that importing it for every frame of a film costs what has changed. What has
 * not is the identical object: a mesh until its geometry's attributes need an update or its pose changes, a texture until its picture
 * does. An import with a memo gives what one without gives, but for the centre, which stays that of the first.
 */

import type { Vec3 } from '../../shared/frame/view.ts'
import type { Instance, SceneMesh } from '../../shared/scene/description.ts'
import { MeshMemo } from './geometry/import-meshes.ts'
import type { EnvironmentMemo } from './lights/map-environment.ts'
import type { TextureMemo } from './materials/map-texture.ts'
import { NameTable } from './scene-names.ts'

export class ImportMemo {
  /** What is subtracted from all positions; undefined before the first import. */
  centre: Vec3 | undefined
  readonly meshes = new MeshMemo()
  /** Those of the first import. */
  readonly names = new NameTable()
  readonly textures: TextureMemo = new WeakMap()
  readonly environments: EnvironmentMemo = new WeakMap()
  /** Those of the last import. */
  counted: CountedInstances | undefined

  /** Of a scene that may be empty: its centre, if it is so at first. */
  readonly whenEmpty: Vec3 | undefined

  /**
   * @param centre the first import's. @default as its scene has it
   * @param whenEmpty the scene may have no triangles; this is its centre, if it has none at first. @default it must have some
   */
  constructor(centre?: Vec3, whenEmpty?: Vec3) {
    this.centre = centre
    this.whenEmpty = whenEmpty
  }
}

/** Instances whose triangles were counted. */
export interface CountedInstances {
  readonly meshes: readonly SceneMesh[]
  readonly instances: readonly Instance[]
  /** Triangles of each that have area where it stands. */
  readonly withArea: Uint32Array
}
