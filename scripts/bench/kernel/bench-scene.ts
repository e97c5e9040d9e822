/**
 * The scene that the kernel bench traces: all triangles share one matte material. Rays then mean the same to every engine
 * (nothing transmits light), and so does the directly lit frame.
 */
import { cameraAt } from '../../../scenes/camera-paths.ts'
import { flatten } from '../../../scenes/flatten.ts'
import { openScene } from '../../../scenes/open-scene.ts'
import type { Size } from '../../../shared/rect.ts'
import type { PackedScene, SceneData } from '../../../shared/scene/packed-layout.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import type { Vec3, View } from '../../../shared/view.ts'
import { closeUp } from './close-up.ts'

export interface BenchScene {
  readonly name: string
  readonly scene: PackedScene
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
  const { data } = flatten(loaded.scene)
  const scene = packScene(inOneMaterial(data))
  const placed = cameraAt(loaded.defaultCamera, loaded, 0, size[0] / size[1])
  const camera = benchView === 'close' ? closeUp(placed, data) : placed
  const quality = { samples: 1, ambientRays: 0, maxDepth: 0 }
  return { name: loaded.name, scene, view: { frame: 0, size, camera, quality, exposure: loaded.exposure } }
}

export const inOneMaterial = (data: SceneData): SceneData => ({
  ...data,
  materialIds: new Uint16Array(data.materialIds.length),
  materials: [{ kind: 'matte', color: STONE_COLOR }],
})
