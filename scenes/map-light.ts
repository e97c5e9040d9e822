/** The lights of a THREE.Scene as sun and sky, in the units in which three defines them. */
import { AmbientLight, Color, DirectionalLight, HemisphereLight, Light, type Scene, Vector3 } from 'three'
import type { Sky, Sun } from '../shared/scene/material.ts'
import type { Vec3 } from '../shared/view.ts'

export interface Lighting {
  readonly sun: Sun
  readonly sky: Sky
}

/**
 * The first directional light is the sun. The sky is the first hemisphere light, else the first ambient light, else a plain
 * background colour. Lights that are left out are reported in `problems`. World matrices must be up to date.
 *
 * The intensity of a three sky light is irradiance, so its radiance is that over π. The horizon is the mean of
 * zenith and ground unless `scene.userData.horizon` (a Color, on the same scale) says otherwise.
 */
export function mapLighting(scene: Scene, problems: string[]): Lighting {
  const lights: Light[] = []
  scene.traverseVisible(object => {
    if (object instanceof Light) lights.push(object)
  })
  const sunLight = lights.find(light => light instanceof DirectionalLight)
  const skyLight =
    lights.find(light => light instanceof HemisphereLight) ?? lights.find(light => light instanceof AmbientLight)
  for (const light of lights)
    if (light !== sunLight && light !== skyLight)
      problems.push(`light '${light.name || light.type}' was ignored: only one sun and one sky are supported`)

  const background = scene.background instanceof Color ? scene.background : undefined
  if (!sunLight && !skyLight && !background) {
    problems.push('the scene has no light: a plain white sky was added')
    return { sun: NO_SUN, sky: uniformSky([1, 1, 1]) }
  }
  return {
    sun: sunLight ? sunOf(sunLight, problems) : NO_SUN,
    sky: skyLight ? skyOf(skyLight, scene) : uniformSky(background ? radiance(background, 1) : [0, 0, 0]),
  }
}

const NO_SUN: Sun = { direction: [0, 1, 0], irradiance: [0, 0, 0] }

const uniformSky = (color: Vec3): Sky => ({ zenith: color, horizon: color, ground: color })

function sunOf(light: DirectionalLight, problems: string[]): Sun {
  light.target.updateWorldMatrix(true, false) // often not in the scene graph
  const towards = new Vector3().setFromMatrixPosition(light.matrixWorld)
  towards.sub(new Vector3().setFromMatrixPosition(light.target.matrixWorld)).normalize()
  if (!(towards.length() > 0.5)) {
    problems.push(`light '${light.name || light.type}' is at its own target: it shines from above`)
    towards.set(0, 1, 0)
  }
  return { direction: [towards.x, towards.y, towards.z], irradiance: radiance(light.color, light.intensity) }
}

function skyOf(light: Light, scene: Scene): Sky {
  const scale = light.intensity / Math.PI
  const zenith = radiance(light.color, scale)
  const ground = light instanceof HemisphereLight ? radiance(light.groundColor, scale) : zenith
  const horizon: unknown = scene.userData.horizon
  return { zenith, horizon: horizon instanceof Color ? radiance(horizon, scale) : mean(zenith, ground), ground }
}

const mean = (a: Vec3, b: Vec3): Vec3 => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2]

/** Never negative, never infinite: every pixel is multiplied by light. */
const radiance = ({ r, g, b }: Color, scale: number): Vec3 => [
  channel(r * scale),
  channel(g * scale),
  channel(b * scale),
]

const channel = (value: number): number => (value > 0 && value < 1e6 ? value : value >= 1e6 ? 1e6 : 0)
