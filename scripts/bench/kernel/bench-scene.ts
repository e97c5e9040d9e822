/**
 * The scene that the kernel bench traces: all triangles share one matte material. Rays then mean the same to every engine
 * (nothing transmits light), and so does the directly lit frame.
 */
import { cameraAt } from '../../../scenes/cameras/camera-paths.ts'
import { importThree } from '../../../scenes/import/import-three.ts'
import { openScene } from '../../../scenes/open-scene.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import type { Vec3, View } from '../../../shared/frame/view.ts'
import { type BakedScene, bakedScene } from '../../../shared/scene/ambient-look.ts'
import { bake } from '../../../shared/scene/bake.ts'
import { relativeTo } from '../../../shared/scene/centre.ts'
import type { SceneDescription } from '../../../shared/scene/description.ts'
import { DEFAULT_MATERIAL } from '../../../shared/scene/material.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import { closeUp } from './close-up.ts'

export interface BenchScene {
  readonly name: string
  readonly scene: BakedScene
  /** One sample, no ambient rays. */
  readonly view: View
}

/** `close`: the mesh fills the frame; `scene`: frame 0 as rendered. */
export const BENCH_VIEWS = ['close', 'scene'] as const
export type BenchView = (typeof BENCH_VIEWS)[number]

const STONE_COLOR: Vec3 = [0.62, 0.6, 0.56]

/** Loads a built-in scene or a mesh file. @throws UsageError for scenes that cannot be loaded */
export async function openBenchScene(nameOrPath: string, size: Size, benchView: BenchView): Promise<BenchScene> {
  const loaded = await openScene(nameOrPath)
  const { description } = importThree(loaded.scene)
  // Rays are in the coordinates of the triangles, and so is the camera.
  const scene = bakedScene(packScene(inOneMaterial({ ...description, centre: [0, 0, 0] })))
  const placed = relativeTo(description.centre, cameraAt(loaded.defaultCamera, loaded, 0, size[0] / size[1]))
  const camera = benchView === 'close' ? closeUp(placed, bake(description)) : placed
  const quality = { samples: 1, ambientRays: 0, maxDepth: 0 }
  return { name: loaded.name, scene, view: { frame: 0, size, camera, quality, exposure: loaded.exposure } }
}

export const inOneMaterial = (scene: SceneDescription): SceneDescription => ({
  ...scene,
  instances: scene.instances.map(instance => ({ ...instance, materials: instance.materials.map(() => 0) })),
  materials: [{ ...DEFAULT_MATERIAL, color: STONE_COLOR }],
})
