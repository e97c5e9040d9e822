/**
 * Ground that fades into the horizon. There is no haze in the air; instead, distant ground has the albedo with which it reflects,
 * in the light of its scene, as much light as the sky shows at the horizon. That is the same with every integrator and from every
 * side, and costs nothing.
 */
import { Mesh, MeshPhysicalMaterial, type Scene } from 'three'
import type { Vec3 } from '../../shared/frame/view.ts'
import type { Sky } from '../../shared/scene/environment.ts'
import { mapLighting } from '../import/lights/map-light.ts'
import { matte } from './surfaces.ts'

/** A matte surface of which haze hides a share, 0 to 1. It looks like `tone` until `fadeGround` knows the light. */
export function hazy(tone: Vec3, share: number): MeshPhysicalMaterial {
  const material = matte(tone)
  material.userData.haze = { tone, share } satisfies Haze
  return material
}

interface Haze {
  readonly tone: Vec3
  readonly share: number
}

/** Colours the hazy surfaces of a scene whose light is final. Around a photographed environment they keep their tones. */
export function fadeGround(scene: Scene): void {
  scene.updateMatrixWorld(true)
  const { lights, environment } = mapLighting(scene, [0, 0, 0], [])
  const white: [number, number, number] = [0, 0, 0]
  const sky = environment.kind === 'sky' ? environment : undefined
  for (const channel of [0, 1, 2] as const) {
    if (sky) white[channel] = skyLight(sky, channel)
    for (const light of lights)
      if (light.kind === 'distant')
        white[channel] += (light.irradiance[channel] * Math.max(0, light.direction[1])) / Math.PI
  }
  const horizon = (tone: number, channel: 0 | 1 | 2): number =>
    sky && white[channel] > 0 ? Math.min(1, sky.horizon[channel] / white[channel]) : tone
  scene.traverse(object => {
    if (!(object instanceof Mesh)) return
    for (const material of [object.material].flat()) {
      const haze: Haze | undefined = material.userData.haze
      if (!haze || !(material instanceof MeshPhysicalMaterial)) continue
      const { tone, share } = haze
      const channel = (at: 0 | 1 | 2) => tone[at] + (horizon(tone[at], at) - tone[at]) * share
      material.color.setRGB(channel(0), channel(1), channel(2))
    }
  })
}

/** Radiance of white level ground in a sky's light: ∫ 2y (horizon + (zenith − horizon) y (2 − y)) dy from 0 to 1. */
const skyLight = ({ horizon, zenith }: Sky, channel: 0 | 1 | 2): number =>
  horizon[channel] + (zenith[channel] - horizon[channel]) * (5 / 6)
