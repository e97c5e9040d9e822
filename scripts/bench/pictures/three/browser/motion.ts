/** How a glTF file moves in three: its first animation, played by three's mixer, and the pointers that three's loader leaves out. */
import { AnimationMixer, LoopOnce } from 'three'
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js'
import { pointersOf } from './pointers.ts'

/**
 * World matrices are not updated.
 * @returns sets the time, s; in any order. After its end, the animation stays as it is there
 */
export async function motionOf(gltf: GLTF): Promise<(seconds: number) => void> {
  const [clip] = gltf.animations
  if (!clip) return () => {}
  const mixer = new AnimationMixer(gltf.scene)
  const action = mixer.clipAction(clip).setLoop(LoopOnce, 1)
  action.clampWhenFinished = true
  const point = await pointersOf(gltf, 0)
  return seconds => {
    action.reset().play()
    mixer.setTime(seconds)
    point(seconds)
  }
}
