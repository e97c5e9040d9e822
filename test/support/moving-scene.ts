/** A scene that moves: the tent under a sun that is brighter in every frame. */
import { sha256 } from '../../shared/node/sha256.ts'
import { type HeldScene, holdScene } from '../../shared/scene/held-scene.ts'
import { packScene, readPackedScene } from '../../shared/scene/packed-scene.ts'
import type { WantedFrame } from '../../shared/session/session.ts'
import { withSun } from './described.ts'
import { scene, type TestSession } from './session.ts'
import { smallCamera } from './small-scene.ts'

/** The scene under another sun: one of its parts differs. */
export function sceneUnder(sun: number): HeldScene {
  const data = readPackedScene(scene.bytes)
  return holdScene(packScene(withSun(data, [sun, sun, sun])), sha256)
}

/** Of each frame; every second one is that of the frame before. */
export const sceneOf = (frame: number): HeldScene => sceneUnder(1 + Math.floor(frame / 2))

export const withScenes = ({ frames }: TestSession): WantedFrame[] =>
  frames.map(request => ({ ...request, scene: sceneOf(request.frame) }))

/** Each frame with as many moments as the session has passes: the camera goes on towards the next frame's, and the sun gets brighter. */
export const withMoments = ({ frames, passes }: TestSession): WantedFrame[] =>
  frames.map(({ frame }) => {
    const moments = Array.from({ length: passes }, (_, k) => ({
      camera: smallCamera(frame + k / passes),
      scene: sceneUnder(1 + frame + k),
    }))
    return { frame, ...moments[0]!, moments }
  })
