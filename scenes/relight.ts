/** Replaces the sun or the sky of a loaded scene, in the form that `map-light.ts` reads. */
import { AmbientLight, Color, DirectionalLight, HemisphereLight, Light, type Scene } from 'three'
import { MORNING, sunAt } from './daylight.ts'
import type { CheckedLook } from './scene-look.ts'

/** What the look omits is unchanged. A sun moves but keeps its light; a background replaces the whole sky. */
export function relight(scene: Scene, { sun, background }: CheckedLook): void {
  const lights: Light[] = []
  scene.traverse(object => {
    if (object instanceof Light) lights.push(object)
  })
  if (sun) {
    const [old] = lights.filter(light => light instanceof DirectionalLight)
    const light = new DirectionalLight(old?.color ?? new Color(...MORNING.sun), old?.intensity ?? 1)
    light.position.set(...sunAt(sun[0] / 360, sun[1] / 360))
    old?.removeFromParent()
    scene.add(light)
  }
  if (background) {
    for (const light of lights)
      if (light instanceof HemisphereLight || light instanceof AmbientLight) light.removeFromParent()
    scene.background = new Color(...background)
  }
}
