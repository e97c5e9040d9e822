/**
 * The lights of a THREE.Scene, in the units in which three defines them.
 *
 * | three | here |
 * |---|---|
 * | DirectionalLight: irradiance | distant; `userData.angle` is the angular diameter of its disc, degrees |
 * | PointLight: candela | point; `userData.radius`, scene units |
 * | SpotLight: candela | spot, `angle` and `penumbra` as in three; `userData.radius`; `userData.falloff` 'squared': as in glTF |
 * | RectAreaLight: radiance | rectangle |
 * | the first HemisphereLight, or else AmbientLight: irradiance of a sky of π | sky |
 *
 * Light falls with the square of the distance: another `decay`, or a `distance` at which it ends, is reported.
 */
import {
  AmbientLight,
  type Color,
  DirectionalLight,
  HemisphereLight,
  PointLight,
  RectAreaLight,
  type Scene,
  SpotLight,
  Light as ThreeLight,
  Vector3,
} from 'three'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { cosTurns } from '../../../shared/math/trig.ts'
import type { SceneDescription } from '../../../shared/scene/description.ts'
import type { Environment } from '../../../shared/scene/environment.ts'
import type { Light, RectangleLight } from '../../../shared/scene/light.ts'
import { MAX_RADIANCE } from '../../../shared/scene/look-schema.ts'
import { SceneLightError } from '../../errors.ts'
import { glows } from '../../look/glow.ts'
import { type EnvironmentMemo, mapEnvironment } from './map-environment.ts'

/**
 * Lights that are left out, and what they ask for but do not get, are reported in `problems`. World matrices must be up to date.
 *
 * @param centre subtracted from positions
 * @throws SceneLightError for a light that is negative or not finite
 */
export function mapLighting(
  scene: Scene,
  centre: Vec3,
  problems: string[],
  memo?: EnvironmentMemo,
): Pick<SceneDescription, 'lights' | 'environment'> {
  const found: ThreeLight[] = []
  scene.traverseVisible(object => {
    if (object instanceof ThreeLight) found.push(object)
  })
  const skyLight =
    found.find(light => light instanceof HemisphereLight) ?? found.find(light => light instanceof AmbientLight)
  const { environment, isMap } = mapEnvironment(scene, skyLight && checked(skyLight), problems, memo)
  const lights: Light[] = []
  for (const light of found) {
    if (light instanceof HemisphereLight || light instanceof AmbientLight) {
      if (isMap) problems.push(`${nameOf(light)} was ignored: the environment map is the sky`)
      else if (light !== skyLight) problems.push(`${nameOf(light)} was ignored: only one sky is supported`)
    } else lights.push(...mapLight(checked(light), centre, problems))
  }
  if (lights.length > 0 || skyLight || environment || glows(scene))
    return { lights, environment: environment ?? uniformSky([0, 0, 0]) }
  problems.push('the scene has no light: a plain white sky was added')
  return { lights, environment: uniformSky([1, 1, 1]) }
}

export const uniformSky = (color: Vec3): Environment => ({ kind: 'sky', zenith: color, horizon: color, ground: color })

const nameOf = (light: ThreeLight): string => `light '${light.name || light.type}'`

/** @throws SceneLightError */
function checked<T extends ThreeLight>(light: T): T {
  const colors: Color[] = light instanceof HemisphereLight ? [light.color, light.groundColor] : [light.color]
  for (const { r, g, b } of colors)
    for (const channel of [r, g, b]) {
      const value = channel * light.intensity
      if (!(value >= 0 && value <= MAX_RADIANCE))
        throw new SceneLightError(
          nameOf(light),
          `expected light from 0 to ${MAX_RADIANCE}, got intensity ${light.intensity} of colour ${r}, ${g}, ${b}`,
        )
    }
  return light
}

/** Nothing for a light that cannot be traced. */
function mapLight(light: ThreeLight, centre: Vec3, problems: string[]): Light[] {
  const tell = (problem: string) => {
    problems.push(`${nameOf(light)} ${problem}`)
  }
  if (light instanceof DirectionalLight) return [distantLight(light, tell)]
  if (light instanceof PointLight) {
    tellFalloff(light, tell)
    const [position, intensity] = [placeOf(light, centre), radiance(light)]
    return [{ kind: 'point', position, intensity, radius: userNumber(light, 'radius', 0, 1e12) }]
  }
  if (light instanceof SpotLight) {
    tellFalloff(light, tell)
    if (light.map) tell('does not project its texture')
    return [spotLight(light, centre, tell)]
  }
  if (light instanceof RectAreaLight) return rectangleLight(light, centre, tell)
  tell('was ignored: lights of this type are not supported')
  return []
}

function distantLight(light: DirectionalLight, tell: (problem: string) => void): Light {
  const towards = targetOf(light).negate()
  const direction: Vec3 = towards.lengthSq() > 0.25 ? towards.toArray() : [0, 1, 0]
  if (towards.lengthSq() <= 0.25) tell('is at its own target: it shines from above')
  const angle = userNumber(light, 'angle', 0, 180) / 360
  return { kind: 'distant', direction, irradiance: radiance(light), angle }
}

function spotLight(light: SpotLight, centre: Vec3, tell: (problem: string) => void): Light {
  const axis = targetOf(light)
  if (axis.lengthSq() <= 0.25) {
    tell('is at its own target: it shines down')
    axis.set(0, -1, 0)
  }
  const { angle, penumbra } = light
  if (!(angle >= 0 && angle <= Math.PI && penumbra >= 0 && penumbra <= 1))
    throw new SceneLightError(
      nameOf(light),
      `expected a cone of angle 0 to π and penumbra 0 to 1, got ${angle} and ${penumbra}`,
    )
  const cosine = (radians: number) => cosTurns(radians / (2 * Math.PI))
  return {
    kind: 'spot',
    position: placeOf(light, centre),
    direction: axis.toArray(),
    intensity: radiance(light),
    radius: userNumber(light, 'radius', 0, 1e12),
    innerCosine: Math.max(cosine(angle), cosine(angle * (1 - penumbra))),
    outerCosine: cosine(angle),
    ...(isSquared(light) ? { falloff: 'squared' } : {}),
  }
}

/** @throws SceneLightError */
function isSquared(light: SpotLight): boolean {
  const falloff: unknown = light.userData.falloff ?? 'smooth'
  if (falloff === 'smooth' || falloff === 'squared') return falloff === 'squared'
  throw new SceneLightError(nameOf(light), `expected userData.falloff smooth or squared, got ${String(falloff)}`)
}

/** three's rectangle shines along its -z axis. */
function rectangleLight(light: RectAreaLight, centre: Vec3, tell: (problem: string) => void): RectangleLight[] {
  const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()]
  light.matrixWorld.extractBasis(x, y, z)
  const across = x.multiplyScalar(-light.width / 2)
  const up = y.multiplyScalar(light.height / 2)
  // A shear in a parent can make it a parallelogram: straighten it.
  up.addScaledVector(across, -up.dot(across) / (across.lengthSq() || 1))
  // A parent that mirrors would turn it around.
  if (new Vector3().crossVectors(across, up).dot(z) > 0) across.negate()
  if (!(across.lengthSq() > 0 && up.lengthSq() > 0)) {
    tell('was ignored: it has no area')
    return []
  }
  const position = placeOf(light, centre)
  // -0 + 0 is 0, which a packed scene keeps.
  const plain = ({ x, y, z }: Vector3): Vec3 => [x + 0, y + 0, z + 0]
  return [{ kind: 'rectangle', position, across: plain(across), up: plain(up), radiance: radiance(light) }]
}

function tellFalloff({ decay, distance }: PointLight | SpotLight, tell: (problem: string) => void): void {
  if (decay !== 2) tell(`has a decay of ${decay}: its light falls with the square of the distance`)
  if (distance !== 0) tell(`ends at a distance of ${distance}: it is traced without end`)
}

/** Unit vector from a light to its target, which often is not in the scene graph; zero if they coincide. */
function targetOf(light: DirectionalLight | SpotLight): Vector3 {
  light.target.updateWorldMatrix(true, false)
  const from = new Vector3().setFromMatrixPosition(light.matrixWorld)
  // Subtracted in this order and then negated, a sun's direction has the same bytes as light from its position.
  const back = from.sub(new Vector3().setFromMatrixPosition(light.target.matrixWorld)).normalize()
  return back.negate()
}

/** @throws SceneLightError */
function placeOf(light: ThreeLight, [x, y, z]: Vec3): Vec3 {
  const place = new Vector3().setFromMatrixPosition(light.matrixWorld)
  const relative: Vec3 = [place.x - x, place.y - y, place.z - z]
  if (relative.every(each => Math.abs(each) <= FARTHEST)) return relative
  throw new SceneLightError(nameOf(light), `expected a position within ${FARTHEST}, got ${place.toArray().join(', ')}`)
}

const FARTHEST = 1e12

/** A number in `userData`, 0 if absent. @throws SceneLightError */
function userNumber(light: ThreeLight, key: 'radius' | 'angle', least: number, most: number): number {
  const value: unknown = light.userData[key] ?? 0
  if (typeof value === 'number' && value >= least && value <= most) return value
  throw new SceneLightError(nameOf(light), `expected userData.${key} from ${least} to ${most}, got ${String(value)}`)
}

const radiance = ({ color: { r, g, b }, intensity }: ThreeLight): Vec3 => [r * intensity, g * intensity, b * intensity]
