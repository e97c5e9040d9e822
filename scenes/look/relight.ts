/** Replaces the sun or the surroundings of a loaded scene, in the form that `map-light.ts` reads. */
import { AmbientLight, Color, type DataTexture, DirectionalLight, HemisphereLight, Light, type Scene } from 'three'
import { isDaylight, MORNING, markDaylight, SUN_DEGREES, sunAt, sunOf } from '../import/lights/daylight.ts'
import { isAdded, markAdded } from './added.ts'
import type { CheckedLook } from './scene-look.ts'

/**
 * What the look omits is unchanged. A sun that is moved keeps its light. A background replaces the whole sky; an environment replaces
 * the sun of daylight, too, unless the look has one: a photographed sky contains its own. A sun of the scene's own stays.
 *
 * @param environment the file that the look names
 */
export function relight(scene: Scene, look: CheckedLook, environment?: DataTexture): void {
  const { sun, background } = look
  const lights: Light[] = []
  scene.traverse(object => {
    if (object instanceof Light) lights.push(object)
  })
  const suns = lights.filter(light => light instanceof DirectionalLight)
  for (const light of suns) if (isReplaced(light, sun, environment !== undefined)) light.removeFromParent()
  if (sun === 'default') {
    const light = sunOf(MORNING)
    markAdded(light)
    scene.add(light)
  } else if (typeof sun === 'object') moveSun(scene, suns[0], sun)
  if (!background && !environment) return
  for (const light of lights)
    if (light instanceof HemisphereLight || light instanceof AmbientLight) light.removeFromParent()
  if (background) scene.background = new Color(...background)
  if (!environment) return
  scene.background = environment
  scene.backgroundIntensity = look.environmentIntensity ?? 1
  scene.backgroundRotation.y = ((look.environmentRotation ?? 0) / 180) * Math.PI
}

function isReplaced(light: DirectionalLight, sun: CheckedLook['sun'], hasEnvironment: boolean): boolean {
  if (sun === 'none' || sun === 'default') return true
  return isDaylight(light) && (sun === 'file' || (sun === undefined && hasEnvironment))
}

/** A scene without a sun gets that of daylight. @param to azimuth and elevation, degrees */
function moveSun(scene: Scene, old: DirectionalLight | undefined, to: readonly [number, number]): void {
  const light = new DirectionalLight(old?.color ?? new Color(...MORNING.sun), old?.intensity ?? 1)
  light.position.set(...sunAt(to[0] / 360, to[1] / 360))
  light.userData.angle = old?.userData.angle ?? SUN_DEGREES
  if (!old || isDaylight(old)) markDaylight(light)
  // A scene's own sun stays its own when it is moved.
  if (!old || isAdded(old)) markAdded(light)
  old?.removeFromParent()
  scene.add(light)
}
