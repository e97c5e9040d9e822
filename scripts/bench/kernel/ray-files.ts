/** A scene and its rays as files, for programs that are measured outside this process. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BakedScene, bakedScene } from '../../../shared/scene/ambient-look.ts'
import { readPackedScene } from '../../../shared/scene/packed-scene.ts'
import { forKinds, RAY_FLOATS, RAY_KINDS, type RayKind, type RaySet, type RaySets } from './rays/ray-kinds.ts'

/** Contains only RAY_FLOATS floats per ray. */
export const rayFile = (folder: string, kind: RayKind): string => join(folder, `${kind}.rays`)

export function writeRays(folder: string, sets: RaySets): void {
  for (const kind of RAY_KINDS) writeFileSync(rayFile(folder, kind), sets[kind].rays)
}

/** The ray sets without their answers. */
export function readRays(folder: string): RaySets {
  const read = (kind: RayKind): RaySet => {
    const rays = new Float32Array(ownBytes(rayFile(folder, kind)).buffer)
    return { count: rays.length / RAY_FLOATS, rays, answers: new Float32Array(0) }
  }
  return forKinds(read)
}

export const writeScene = (folder: string, { bytes }: BakedScene): void => writeFileSync(sceneFile(folder), bytes)

/** @throws PackedSceneError if the build that wrote it packs differently */
export const readScene = (folder: string): BakedScene => bakedScene(readPackedScene(ownBytes(sceneFile(folder))))

const sceneFile = (folder: string): string => join(folder, 'scene.sfsc')

/** Copies to a separate buffer: one that Node returns may start at any offset of a larger one. */
export const ownBytes = (path: string): Uint8Array<ArrayBuffer> => Uint8Array.from(readFileSync(path))
