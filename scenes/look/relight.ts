/** Replaces the sun or the surroundings of a loaded scene, in the form that `map-light.ts` reads. */
import { AmbientLight, Color, type DataTexture, DirectionalLight, HemisphereLight, Light, type Scene } from 'three'
import { MORNING, SUN_DEGREES, sunAt } from '../import/lights/daylight.ts'
import { isAdded, markAdded } from './added.ts'
import type { CheckedLook } from './scene-look.ts'

/**
 * What the look omits is unchanged. A sun moves but keeps its light. A background replaces the whole sky; an environment replaces
 * the sun, too, unless the look has one: a photographed sky contains its own.
 *
 * @param environment the file that the look names
 */
export function relight(scene: Scene, look: CheckedLook, environment?: DataTexture): void {
  const { sun, background } = look
  const lights: Light[] = []
  scene.traverse(object => {
    if (object instanceof Light) lights.push(object)
  })
  if (sun) {
    const [old] = lights.filter(light => light instanceof DirectionalLight)
    const light = new DirectionalLight(old?.color ?? new Color(...MORNING.sun), old?.intensity ?? 1)
    light.position.set(...sunAt(sun[0] / 360, sun[1] / 360))
    light.userData.angle = old?.userData.angle ?? SUN_DEGREES
    // A scene's own sun stays its own when it is moved.
    if (!old || isAdded(old)) markAdded(light)
    old?.removeFromParent()
    scene.add(light)
  }
  if (!background && !environment) return
  for (const light of lights)
    if (light instanceof HemisphereLight || light instanceof AmbientLight) light.removeFromParent()
  if (background) scene.background = new Color(...background)
  if (!environment) return
  if (!sun) for (const light of lights) if (light instanceof DirectionalLight) light.removeFromParent()
  scene.background = environment
  scene.backgroundIntensity = look.environmentIntensity ?? 1
  scene.backgroundRotation.y = ((look.environmentRotation ?? 0) / 180) * Math.PI
}
