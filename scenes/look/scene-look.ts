/** Options for a scene's appearance: orientation of its mesh, floor, lighting, and material. */
import { OptionError } from '../../shared/errors.ts'
import type { Vec3 } from '../../shared/frame/view.ts'
import { isModulePath } from '../files/extensions.ts'
import { BUILT_IN_SCENES } from '../index.ts'
import { colorFromWords } from './color-words.ts'
import { SUNS, SURFACES, type SunName, type SurfaceName, UP_AXES, type UpAxis } from './look-words.ts'

/** Omitted properties stay as the scene has them. */
export interface SceneLook {
  /** The axis of a mesh file that points up. @default y */
  readonly up?: UpAxis | undefined
  /** Whether there is a floor under the mesh. @default true */
  readonly floor?: boolean | undefined
  /** One radiance in all directions instead of the sky: linear RGB, 0 to 100, or '#rrggbb' or the name of a colour. */
  readonly background?: Vec3 | string | undefined
  /**
   * Path of a photographed environment, HDR or EXR in equirectangular projection. Replaces the sky, and the sun of daylight unless `sun`
   * is given.
   */
  readonly environment?: string | undefined
  /** Turns the environment around the vertical axis, counter-clockwise seen from above, degrees. @default 0 */
  readonly environmentRotation?: number | undefined
  /** Multiplies the environment's light, 0 to 1e6. @default 1 */
  readonly environmentIntensity?: number | undefined
  /**
   * Direction of the sun, degrees: azimuth, 0 above +z and 90 above +x, and elevation above the horizon, -90 to 90; or which suns there
   * are: 'file' for the scene's own alone, 'default' for that of daylight alone, 'none'. @default its own, or that of daylight if nothing else
   * lights the scene
   */
  readonly sun?: readonly [azimuth: number, elevation: number] | SunName | undefined
  /** For all of a mesh file. @default coated, or what the file says */
  readonly material?: SurfaceName | undefined
  /** For all of a mesh file: linear RGB, 0 to 1, or '#rrggbb' or the name of a colour. */
  readonly color?: Vec3 | string | undefined
  /** Which animation of a glTF file plays: its name or number from 0, 'all' at once, or 'none'. @default the first */
  readonly animation?: string | undefined
  /** Which variant of its materials a glTF file has: its name or number from 0, or 'none'. @default none */
  readonly variant?: string | undefined
}

/** Of all of them. */
export const LOOK_KEYS = [
  ...(['up', 'floor', 'background', 'environment', 'environmentRotation', 'environmentIntensity'] as const),
  ...(['sun', 'material', 'color', 'animation', 'variant'] as const),
] as const satisfies readonly (keyof SceneLook)[]

/** The same after validation, with colours as linear RGB. */
export interface CheckedLook extends SceneLook {
  readonly background?: Vec3
  readonly color?: Vec3
}

const BRIGHTEST_BACKGROUND = 100
const BRIGHTEST_ENVIRONMENT = 1e6
const MAX_DEGREES = 36_000

/**
 * @param source name of a built-in scene or path of a file
 * @param nameOf what the caller calls an option, for messages
 * @throws OptionError for an invalid value, or one that the scene does not support
 */
export function checkLook(
  look: SceneLook,
  source: string,
  nameOf: (key: keyof SceneLook) => string = key => key,
): CheckedLook {
  const { up, floor, background, sun, material, color, animation, variant } = look
  checkEnvironment(look, nameOf)
  if (up !== undefined && !UP_AXES.includes(up))
    throw new OptionError(nameOf('up'), `one of ${UP_AXES.join(', ')}`, said(up))
  if (floor !== undefined && typeof floor !== 'boolean')
    throw new OptionError(nameOf('floor'), 'true or false', said(floor))
  if (material !== undefined && !SURFACES.includes(material))
    throw new OptionError(nameOf('material'), `one of ${SURFACES.join(', ')}`, said(material))
  if (sun !== undefined && !isSun(sun))
    throw new OptionError(
      nameOf('sun'),
      `azimuth and elevation in degrees, such as -54,40, elevation -90 to 90, or one of ${SUNS.join(', ')}`,
      said(sun),
    )
  for (const key of ['animation', 'variant'] as const)
    if (look[key] !== undefined && (typeof look[key] !== 'string' || look[key] === ''))
      throw new OptionError(nameOf(key), 'a name', said(look[key]))
  const builtIn = BUILT_IN_SCENES.find(({ name }) => name === source)
  const isModule = isModulePath(source)
  if (builtIn || isModule) {
    const fixed = { up: up === 'y' ? undefined : up, material, color, animation, variant }
    for (const key of ['up', 'material', 'color', 'animation', 'variant'] as const)
      if (fixed[key] !== undefined)
        throw new OptionError(nameOf(key), `a mesh file: the scene '${source}' cannot be changed`, said(fixed[key]))
    if (isModule && floor !== undefined)
      throw new OptionError(nameOf('floor'), 'a mesh file: a module builds its own floor', said(floor))
    if (floor === false && !builtIn?.floor)
      throw new OptionError(nameOf('floor'), 'a scene with a floor that can be omitted', `'${source}'`)
  }
  return {
    ...(up === undefined ? {} : { up }),
    ...(floor === undefined ? {} : { floor }),
    ...(background === undefined
      ? {}
      : { background: colorOf(background, BRIGHTEST_BACKGROUND, nameOf('background')) }),
    ...environmentOf(look),
    ...(sun === undefined ? {} : { sun }),
    ...(material === undefined ? {} : { material }),
    ...(color === undefined ? {} : { color: colorOf(color, 1, nameOf('color')) }),
    ...(animation === undefined ? {} : { animation }),
    ...(variant === undefined ? {} : { variant }),
  }
}

/** @throws OptionError */
function checkEnvironment(look: SceneLook, nameOf: (key: keyof SceneLook) => string): void {
  const { environment, background, environmentRotation: rotation, environmentIntensity: intensity } = look
  if (environment === undefined) {
    for (const key of ['environmentRotation', 'environmentIntensity'] as const)
      if (look[key] !== undefined)
        throw new OptionError(nameOf(key), `${nameOf('environment')} with it`, said(look[key]))
    return
  }
  if (typeof environment !== 'string' || environment === '')
    throw new OptionError(nameOf('environment'), 'the path of a file', said(environment))
  if (background !== undefined)
    throw new OptionError(nameOf('environment'), `no ${nameOf('background')} with it`, said(environment))
  if (rotation !== undefined && !(Math.abs(rotation) <= MAX_DEGREES))
    throw new OptionError(nameOf('environmentRotation'), `degrees, at most ${MAX_DEGREES}`, said(rotation))
  if (intensity !== undefined && !(intensity >= 0 && intensity <= BRIGHTEST_ENVIRONMENT))
    throw new OptionError(
      nameOf('environmentIntensity'),
      `a factor from 0 to ${BRIGHTEST_ENVIRONMENT}`,
      said(intensity),
    )
}

/** The keys of an environment that are there. */
function environmentOf(
  look: SceneLook,
): Pick<CheckedLook, 'environment' | 'environmentRotation' | 'environmentIntensity'> {
  const { environment, environmentRotation, environmentIntensity } = look
  return {
    ...(environment === undefined ? {} : { environment }),
    ...(environmentRotation === undefined ? {} : { environmentRotation }),
    ...(environmentIntensity === undefined ? {} : { environmentIntensity }),
  }
}

function colorOf(color: Vec3 | string, brightest: number, name: string): Vec3 {
  const found = typeof color === 'string' ? colorFromWords(color) : color
  if (Array.isArray(found) && found.length === 3 && found.every(each => each >= 0 && each <= brightest)) return found
  const expected = `a colour such as tomato or #ff6347, or linear red, green and blue from 0 to ${brightest}`
  throw new OptionError(name, expected, said(color))
}

const isSun = (sun: unknown): boolean =>
  SUNS.some(name => name === sun) ||
  (Array.isArray(sun) && sun.length === 2 && Math.abs(sun[0]) <= MAX_DEGREES && Math.abs(sun[1]) <= 90)

/** As it was written; a list with commas. */
const said = (value: unknown): string => `'${value}'`
