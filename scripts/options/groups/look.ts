/** How a scene looks. Values are checked where scenes are loaded (`checkLook`), which programs call, too. Pure. */
import { SUNS, SURFACES, type SunName, type SurfaceName, type UpAxis } from '../../../scenes/look/look-words.ts'
import type { SceneLook } from '../../../scenes/look/scene-look.ts'
import { type GivenOf, group, longFlag, option, PICTURES } from '../declare/group.ts'
import { flag, type Kind, numbersIn, text, triple, type Vector } from '../declare/kinds.ts'

/** Words that are not what they should be stay words, so that the check can quote them. */
const read = <T>(type: string, from: (word: string) => T | undefined): Kind<T> => ({
  ...(text() as unknown as Kind<T>),
  type,
  read: word => from(word) ?? (word as T),
})

const color = read<Vector | string>('string', triple)
const numeric = read<number>('number', word => numbersIn(word, 1)?.[0])
const sun = read<readonly [number, number] | SunName>(
  'number',
  word => numbersIn(word, 2) as [number, number] | undefined,
)

const OF_SCENE = { decides: 'pixels', entry: 'scene' } as const

export const look = group('Look:', PICTURES, {
  floor: option({ flag: '--no-floor', kind: flag, help: 'the mesh alone, without a floor', ...OF_SCENE }),
  background: option({
    flag: '--background <color>',
    kind: color,
    help: 'a colour instead of the sky: tomato, #ff6347, or linear r,g,b',
    otherwise: 'a sky',
    ...OF_SCENE,
  }),
  environment: option({
    flag: '--environment <file>',
    kind: text(),
    help: 'a photographed environment (HDR or EXR) instead of sky and sun',
    ...OF_SCENE,
  }),
  environmentRotation: option({
    flag: '--environment-rotation <degrees>',
    kind: numeric,
    help: 'turns the environment around the vertical axis',
    otherwise: '0',
    ...OF_SCENE,
  }),
  environmentIntensity: option({
    flag: '--environment-intensity <factor>',
    kind: numeric,
    help: 'multiplies the environment’s light',
    otherwise: '1',
    ...OF_SCENE,
  }),
  sun: option({
    flag: '--sun <sun>',
    kind: sun,
    help: `direction of the sun, degrees: 0,30 is above +z, 90,30 above +x; or which suns: ${SUNS.join(', ')}`,
    more: 'file: only those of the scene; default: only that of daylight, -54,39.6',
    otherwise: 'those of the scene, or that of daylight if nothing else lights it',
    ...OF_SCENE,
  }),
  noSun: option({ flag: '--no-sun', kind: flag, help: 'the same as --sun none', ...OF_SCENE }),
  material: option({
    flag: '--material <name>',
    kind: read<SurfaceName>('string', () => undefined),
    help: `material of a mesh: ${SURFACES.join(', ')}`,
    otherwise: 'what its file says, or coated',
    ...OF_SCENE,
  }),
  color: option({
    flag: '--color <color>',
    kind: color,
    help: 'colour of a mesh: tomato, #ff6347, or linear r,g,b',
    otherwise: 'what its file says',
    ...OF_SCENE,
  }),
  animation: option({
    flag: '--animation <name>',
    kind: text(),
    help: 'animation of a glTF file: its name or number from 0, all at once, or none',
    otherwise: 'its first',
    ...OF_SCENE,
  }),
  variant: option({
    flag: '--variant <name>',
    kind: text(),
    help: 'variant of the materials of a glTF file: its name or number from 0',
    otherwise: 'those without',
    ...OF_SCENE,
  }),
})

/** The look that was asked for, not checked. @param up the axis of the mesh that points up */
export const lookOf = ({ noSun, ...given }: GivenOf<typeof look>, up: UpAxis | undefined): SceneLook => {
  const asked = Object.keys(look.options).filter(key => given[key as keyof typeof given] !== undefined)
  return {
    ...(noSun === undefined ? {} : { sun: 'none' }),
    ...(up === undefined ? {} : { up }),
    ...Object.fromEntries(asked.map(key => [key, given[key as keyof typeof given]])),
  }
}

/** What the command line calls a part of the look. */
export const lookFlag = (key: keyof SceneLook): string => (key === 'up' ? '--up' : longFlag(look.options[key]))
