/** How a scene may be asked to look: which way its mesh stands, on what, in what light, and what it is made of. */
import { OptionError } from '../shared/errors.ts'
import type { Vec3 } from '../shared/view.ts'
import { colorFromWords } from './color-words.ts'
import { BUILT_IN_SCENES } from './index.ts'
import { UP_AXES, type UpAxis } from './up-axis.ts'

export const SURFACES = ['matte', 'coated', 'metal', 'glass'] as const
/** What light does at a mesh; metal is a perfect mirror. */
export type SurfaceName = (typeof SURFACES)[number]

/** What is left out stays as the scene has it. */
export interface SceneLook {
  /** The axis of a mesh file that points up. @default y */
  readonly up?: UpAxis | undefined
  /** Whether there is a floor beneath the mesh. @default true */
  readonly floor?: boolean | undefined
  /** One radiance all around instead of the sky: linear RGB, 0 to 100, or '#rrggbb' or the name of a colour. */
  readonly background?: Vec3 | string | undefined
  /** Where the sun is, degrees: around the y axis, 0 above +z and 90 above +x, and above the horizon, -90 to 90. */
  readonly sun?: readonly [azimuth: number, elevation: number] | undefined
  /** Of all of a mesh file. @default coated, or what the file says */
  readonly material?: SurfaceName | undefined
  /** Of all of a mesh file: linear RGB, 0 to 1, or '#rrggbb' or the name of a colour. */
  readonly color?: Vec3 | string | undefined
}

/** The same, checked, with colours as linear RGB. */
export interface CheckedLook extends SceneLook {
  readonly background?: Vec3
  readonly color?: Vec3
}

const BRIGHTEST_BACKGROUND = 100
const MAX_DEGREES = 36_000

/**
 * @param source name of a built-in scene or path of a file
 * @param nameOf what an option is called where it was said, for messages
 * @throws OptionError for what is none, or cannot be had of the scene
 */
export function checkLook(
  look: SceneLook,
  source: string,
  nameOf: (key: keyof SceneLook) => string = key => key,
): CheckedLook {
  const { up, floor, background, sun, material, color } = look
  if (up !== undefined && !UP_AXES.includes(up))
    throw new OptionError(nameOf('up'), `one of ${UP_AXES.join(', ')}`, said(up))
  if (floor !== undefined && typeof floor !== 'boolean')
    throw new OptionError(nameOf('floor'), 'true or false', said(floor))
  if (material !== undefined && !SURFACES.includes(material))
    throw new OptionError(nameOf('material'), `one of ${SURFACES.join(', ')}`, said(material))
  if (sun !== undefined && !isSun(sun))
    throw new OptionError(
      nameOf('sun'),
      'azimuth and elevation in degrees, such as -54,40, elevation -90 to 90',
      said(sun),
    )
  const builtIn = BUILT_IN_SCENES.find(({ name }) => name === source)
  if (builtIn) {
    const fixed = { up: up === 'y' ? undefined : up, material, color }
    for (const key of ['up', 'material', 'color'] as const)
      if (fixed[key] !== undefined)
        throw new OptionError(nameOf(key), `a mesh file: the scene '${source}' is made as it is`, said(fixed[key]))
    if (floor === false && !builtIn.floor)
      throw new OptionError(nameOf('floor'), 'a scene with a floor that can be left out', `'${source}'`)
  }
  return {
    ...(up === undefined ? {} : { up }),
    ...(floor === undefined ? {} : { floor }),
    ...(background === undefined
      ? {}
      : { background: colorOf(background, BRIGHTEST_BACKGROUND, nameOf('background')) }),
    ...(sun === undefined ? {} : { sun }),
    ...(material === undefined ? {} : { material }),
    ...(color === undefined ? {} : { color: colorOf(color, 1, nameOf('color')) }),
  }
}

function colorOf(color: Vec3 | string, brightest: number, name: string): Vec3 {
  const found = typeof color === 'string' ? colorFromWords(color) : color
  if (Array.isArray(found) && found.length === 3 && found.every(each => each >= 0 && each <= brightest)) return found
  const expected = `a colour such as tomato or #ff6347, or linear red, green and blue from 0 to ${brightest}`
  throw new OptionError(name, expected, said(color))
}

const isSun = (sun: unknown): boolean =>
  Array.isArray(sun) && sun.length === 2 && Math.abs(sun[0]) <= MAX_DEGREES && Math.abs(sun[1]) <= 90

/** As it was written: a list with commas. */
const said = (value: unknown): string => `'${value}'`
