/** Imports THREE scenes and bakes them, as workers do after the transport. */
import type { Scene } from 'three'
import { type ImportedScene, importThree } from '../../scenes/import/import-three.ts'
import { type AmbientLook, ambientLook } from '../../shared/scene/ambient-look.ts'
import { bake, type Triangles } from '../../shared/scene/bake.ts'

export interface BakedThree extends ImportedScene {
  readonly data: Triangles & AmbientLook
}

export function bakedThree(scene: Scene): BakedThree {
  const imported = importThree(scene)
  return { ...imported, data: { ...bake(imported.description), ...ambientLook(imported.description) } }
}
