/** What lights a scene, in words, and whether only the path tracer does it justice. */
import { DirectionalLight, type Scene } from 'three'
import type { SceneDescription } from '../../shared/scene/description.ts'
import { isDaylight } from './lights/daylight.ts'

export interface SceneLighting {
  /** Such as `a sun, a sky, 2 lamps`. */
  readonly text: string
  /** What of a scene takes the path tracer, in words; none: the ambient integrator will do. */
  readonly forPath: readonly string[]
}

type Described = Pick<SceneDescription, 'materials' | 'lights' | 'environment'>

/**
 * @param scene whose daylight is known
 * @param path of the file that it comes from; built-in scenes have none, and the ambient integrator shows their glass well
 */
export function lightingOf(scene: Scene, { materials, lights, environment }: Described, path?: string): SceneLighting {
  let daylight = 0
  scene.traverseVisible(object => {
    if (object instanceof DirectionalLight && isDaylight(object)) daylight++
  })
  const suns = lights.filter(({ kind }) => kind === 'distant').length - daylight
  const lamps = lights.filter(({ kind }) => kind !== 'distant').length
  const glowing = materials.filter(({ emission, opacity }) => opacity > 0 && emission.some(each => each > 0)).length
  const clear = path === undefined ? 0 : materials.filter(({ transmission }) => transmission > 0).length
  const isMap = environment.kind === 'map'
  const isDark =
    !isMap && [environment.zenith, environment.horizon, environment.ground].flat().every(each => each === 0)
  const own = [...count(suns, 'sun'), ...count(lamps, 'lamp'), ...count(glowing, 'glowing material')]
  const surroundings = isMap ? ['an environment map'] : isDark ? [] : ['a sky']
  const parts = [...(daylight > 0 ? ['the sun of daylight'] : []), ...surroundings, ...own]
  return {
    text: parts.length > 0 ? parts.join(', ') : 'nothing',
    forPath: [...own, ...count(clear, 'clear material'), ...(isMap ? surroundings : [])],
  }
}

const count = (number: number, what: string): string[] =>
  number === 0 ? [] : [`${number} ${what}${number === 1 ? '' : 's'}`]
