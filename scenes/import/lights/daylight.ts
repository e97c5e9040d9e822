/** Sun and sky for scenes without lights. */
import { Color, DirectionalLight, HemisphereLight, type Light, type Scene } from 'three'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { cosTurns, sinTurns } from '../../../shared/math/trig.ts'

export interface Daylight {
  /** Azimuth around the y axis, as for an orbit's start: 0 is +z, 1/4 is +x; and elevation above the horizon. Turns. */
  readonly sunAzimuthTurns: number
  readonly sunElevationTurns: number
  /** Angular diameter of its disc, degrees; wider behind cloud. @default that of the real sun */
  readonly sunDegrees?: number
  /** Irradiance on a surface facing the sun, linear RGB. */
  readonly sun: Vec3
  /** Radiances of the sky, linear RGB. */
  readonly zenith: Vec3
  readonly horizon: Vec3
  readonly ground: Vec3
}

/** A clear late morning: warm sun from the front left, blue above, pale at the horizon. */
export const MORNING: Daylight = Object.freeze({
  sunAzimuthTurns: -0.15,
  sunElevationTurns: 0.11,
  sun: [3.9, 3.2, 2.35] as const,
  zenith: [0.07, 0.18, 0.46] as const,
  horizon: [0.4, 0.54, 0.74] as const,
  ground: [0.3, 0.31, 0.33] as const,
})

/** Angular diameter of the sun's disc, degrees. */
export const SUN_DEGREES = 0.53

/** Suns that stand for daylight: a scene with another light does without them. */
const suns = new WeakSet<Light>()

export const isDaylight = (light: Light): boolean => suns.has(light)
export const markDaylight = (light: Light): void => void suns.add(light)

/** Adds the lights to `scene`, in the form that `map-light.ts` reads. */
export function addDaylight(scene: Scene, daylight: Daylight = MORNING): void {
  // three treats a hemisphere light's intensity as irradiance: π makes its colours radiances.
  const sky = new HemisphereLight(new Color(...daylight.zenith), new Color(...daylight.ground), Math.PI)
  scene.userData.horizon = new Color(...daylight.horizon)
  scene.add(sunOf(daylight), sky)
}

/** The sun of a daylight. */
export function sunOf(daylight: Daylight): DirectionalLight {
  const sun = new DirectionalLight(new Color(...daylight.sun), 1)
  sun.position.set(...sunAt(daylight.sunAzimuthTurns, daylight.sunElevationTurns))
  sun.userData.angle = daylight.sunDegrees ?? SUN_DEGREES
  markDaylight(sun)
  return sun
}

/** Unit vector towards the sun: azimuth around the y axis and elevation above the horizon, turns. */
export function sunAt(azimuth: number, elevation: number): Vec3 {
  const level = cosTurns(elevation)
  return [sinTurns(azimuth) * level, sinTurns(elevation), cosTurns(azimuth) * level]
}
