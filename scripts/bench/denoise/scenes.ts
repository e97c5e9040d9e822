/** Scenes that are denoised: interiors, glass, a lens, textures, night, things as thin as hair, and files. */
import type { Size } from '../../../shared/frame/rect.ts'
import type { View } from '../../../shared/frame/view.ts'
import { hash32, unitOf } from '../../../shared/math/random.ts'
import type { Sky } from '../../../shared/scene/environment.ts'
import type { WasmEngine } from '../../../worker/engine/wasm/wasm-engine.ts'
import type { WasmScene } from '../../../worker/engine/wasm/wasm-scene.ts'
import { camerasOf } from '../../library/cameras.ts'
import { loadScene } from '../../library/ready-scene.ts'
import { buildHere, buildPacked } from '../pictures/kernel/build.ts'
import { normalize } from '../pictures/model/vector.ts'
import { type ComparedScene, comparedScenes } from '../pictures/scenes/compared-scenes.ts'
import { SceneBuilder } from '../pictures/scenes/meshes.ts'
import { lookingAt, viewOf } from '../pictures/scenes/views.ts'

/** Built in, then those of `bench pictures`, then hair. */
export const DENOISED_SCENES = [
  'lamps',
  'still-life',
  'glass',
  'corner',
  'dragon',
  'cornell box',
  'lens',
  'balls',
  'see-through',
  'hair',
] as const

export interface OpenScene {
  readonly name: string
  readonly built: WasmScene
  /** With one sample. */
  readonly view: View
}

/** Scenes of `bench pictures` under their names here. */
const KNOWN: ReadonlyMap<string, () => ComparedScene> = new Map([
  ['cornell box', () => compared('cornell box')],
  ['lens', () => compared('lamps')],
  ['balls', () => compared('balls')],
  ['see-through', () => compared('see-through')],
  ['hair', hair],
])

const compared = (name: string): ComparedScene => comparedScenes().find(scene => scene.name === name)!

/** @param environment for scenes that are not of `bench pictures` */
export async function openDenoised(
  name: string,
  size: Size,
  engine: WasmEngine,
  environment: string | undefined,
): Promise<OpenScene> {
  const known = KNOWN.get(name)?.()
  if (known) {
    const { scene, camera, bounces, filter } = known
    const quality = { samples: 1, bounces, ...(filter ? { filter } : {}) }
    // Their cameras are for square pictures.
    return { name, built: buildHere(engine, scene), view: viewOf(camera, [size[1], size[1]], quality) }
  }
  const loaded = await loadScene(name, { cache: false, ...(environment === undefined ? {} : { environment }) })
  const view = viewOf(camerasOf(loaded, undefined, size)(0), size, { samples: 1, bounces: 8 })
  return { name, built: buildPacked(engine, (await loaded.held.content()).bytes), view }
}

/** Blades of less than a pixel's width before a wall, in the light of a sun and a sky. */
function hair(): ComparedScene {
  const builder = new SceneBuilder()
  const wall = builder.material({ color: [0.6, 0.5, 0.4] })
  const strands = [0, 1, 2].map(i => builder.material({ color: [0.1 + 0.3 * i, 0.08 + 0.2 * i, 0.05 + 0.1 * i] }))
  builder.rectangle(wall, [0, 0, -1], [0, 3, 0], [3, 0, 0])
  builder.rectangle(wall, [0, -1, 0], [0, 0, 3], [3, 0, 0])
  for (let i = 0; i < 600; i++) {
    const [x, z, lean, height] = [0, 1, 2, 3].map(which => unitOf(hash32(i, which)))
    const foot = [3 * x! - 1.5, -1, z! - 0.7] as const
    const tip = [foot[0] + 0.8 * (lean! - 0.5), 0.3 + 0.6 * height!, foot[2]] as const
    builder.triangle(strands[i % strands.length]!, [foot, [foot[0] + 0.012, foot[1], foot[2]], tip])
  }
  const sky: Sky = { kind: 'sky', zenith: [0.3, 0.4, 0.7], horizon: [0.6, 0.6, 0.6], ground: [0.1, 0.1, 0.1] }
  const scene = builder.build(sky, [
    { kind: 'distant', direction: normalize([0.5, 0.8, 0.6]), irradiance: [2, 1.8, 1.5], angle: 0.05 },
  ])
  const about = 'Six hundred strands before a wall, in a sun with soft shadows.'
  return { name: 'hair', about, scene, camera: lookingAt([0, 0, 4], [0, -0.1, 0], 36, 1), bounces: 4 }
}
