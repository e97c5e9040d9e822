/** A view in words: what a command line, a file of cameras, a program with three.js and the page's own address say of it. Without a parser: the page loads it. */
import { EXPOSURES, FARTHEST, FOV_DEGREES } from '../frame/frame-limits.ts'
import type { FullViewpoint } from '../frame/viewpoint.ts'
import type { Hand } from './hand.ts'
import type { ViewLight } from './page-messages.ts'

/** What of a hand's settings a command line may have words for. */
export const HAND_WORDS = ['exposure', 'toneMapping', 'sun', 'environmentRotation', 'environmentIntensity'] as const

/** Numbers as they are, so that pixels are the same. A value with a sign would be taken for an option. */
export const cameraWords = ({ eye, target, up, fov }: FullViewpoint): string =>
  `--eye=${eye} --target=${target} --up=${up} --fov ${fov}`

/** What is set by hand; the frame of a scene that moves is the only one that is rendered. */
export function handWords(hand: Hand): string[] {
  const { frame, exposure, toneMapping, sun, environmentRotation, environmentIntensity } = hand
  return [
    ...(exposure === undefined ? [] : [`--exposure ${exposure}`]),
    ...(toneMapping === undefined ? [] : [`--tone-mapping ${toneMapping}`]),
    ...(sun === undefined ? [] : [`--sun=${sun}`]),
    ...(environmentRotation === undefined ? [] : [`--environment-rotation=${environmentRotation}`]),
    ...(environmentIntensity === undefined ? [] : [`--environment-intensity ${environmentIntensity}`]),
    ...(frame === undefined ? [] : [`--frames ${frame}..${frame}`]),
  ]
}

/** For `render --camera`. */
export const cameraJson = ({ eye, target, up, fov }: FullViewpoint): string => JSON.stringify({ eye, target, up, fov })

/** A film of several, for the same. */
export const camerasJson = (views: readonly FullViewpoint[]): string =>
  `{ "frames": [\n${views.map(view => `  ${cameraJson(view)}`).join(',\n')}\n] }\n`

/** Makes the same camera. @param size px */
export const threeCode = ({ eye, target, up, fov }: FullViewpoint, [w, h]: readonly [number, number]): string =>
  [
    `const camera = new THREE.PerspectiveCamera(${fov}, ${w} / ${h})`,
    `camera.position.set(${eye.join(', ')})`,
    `camera.up.set(${up.join(', ')})`,
    `camera.lookAt(${target.join(', ')})`,
  ].join('\n')

/** A view with what is set by hand. */
export interface AddressedView {
  readonly viewpoint: FullViewpoint
  readonly hand: Hand
}

/** What is behind # in the page's address. */
export function toAddress({ viewpoint: { eye, target, up, fov }, hand }: AddressedView): string {
  const { frame, exposure, toneMapping, sun, environmentRotation, environmentIntensity } = hand
  const said = { frame, exposure, tone: toneMapping, sun, turn: environmentRotation, light: environmentIntensity }
  const words = Object.entries(said).flatMap(([key, value]) => (value === undefined ? [] : [`&${key}=${value}`]))
  return `view=${[...eye, ...target, ...up, fov].join(',')}${words.join('')}`
}

/** The view that an address has; undefined if it has none. What the master would not take is left out, or it would drop the page each time. */
export function fromAddress(hash: string): AddressedView | undefined {
  const words = new Map<string, string | undefined>(
    hash
      .replace(/^#/, '')
      .split('&')
      .map(word => {
        const [key = '', value] = word.split('=')
        return [key, value]
      }),
  )
  const numbers = numbersOf(words.get('view'))
  if (numbers?.length !== 10) return undefined
  const vector = (at: number) => numbers.slice(at, at + 3) as [number, number, number]
  const viewpoint = { eye: vector(0), target: vector(3), up: vector(6), fov: numbers[9]! }
  return isView(viewpoint) ? { viewpoint, hand: handFrom(words) } : undefined
}

/** What of a hand's settings a scene has: an address may be that of another one, and what nothing on the page shows could not be taken back. */
export function fittedHand(
  hand: Hand,
  { sun, environment, film }: Pick<ViewLight, 'sun' | 'environment' | 'film'>,
): Hand {
  const { frame, sun: wanted, environmentRotation, environmentIntensity, ...light } = hand
  const last = film?.frames === undefined ? Number.POSITIVE_INFINITY : film.frames - 1
  return {
    ...light,
    ...(frame === undefined || !film ? {} : { frame: Math.min(frame, last) }),
    ...(wanted === undefined || sun === undefined ? {} : { sun: wanted }),
    ...(environmentRotation === undefined || !environment ? {} : { environmentRotation }),
    ...(environmentIntensity === undefined || !environment ? {} : { environmentIntensity }),
  }
}

const isView = ({ eye, target, up, fov }: FullViewpoint): boolean => {
  const back = eye.map((at, axis) => at - target[axis]!)
  const across = [0, 1, 2].map(k => up[(k + 1) % 3]! * back[(k + 2) % 3]! - up[(k + 2) % 3]! * back[(k + 1) % 3]!)
  return (
    [...eye, ...target, ...up].every(at => Math.abs(at) <= FARTHEST) &&
    fov >= FOV_DEGREES.least &&
    fov <= FOV_DEGREES.most &&
    Math.hypot(...across) > 1e-5 * Math.hypot(...back) * Math.hypot(...up)
  )
}

function handFrom(words: ReadonlyMap<string, string | undefined>): Hand {
  const within = (key: string, least: number, most: number): number | undefined => {
    const [value, ...others] = numbersOf(words.get(key)) ?? []
    return value !== undefined && others.length === 0 && value >= least && value <= most ? value : undefined
  }
  const [frame, exposure] = [within('frame', 0, 999_999), within('exposure', EXPOSURES.least, EXPOSURES.most)]
  const [turn, light] = [within('turn', -360, 360), within('light', 0, 1e6)]
  const tone = words.get('tone')
  const sun = words.get('sun') === 'none' ? 'none' : numbersOf(words.get('sun'))
  const isSun = sun === 'none' || (sun?.length === 2 && Math.abs(sun[0]!) <= 360 && Math.abs(sun[1]!) <= 90)
  return {
    ...(frame === undefined || !Number.isInteger(frame) ? {} : { frame }),
    ...(exposure === undefined ? {} : { exposure }),
    ...(TONES.some(name => name === tone) ? { toneMapping: tone as (typeof TONES)[number] } : {}),
    ...(isSun ? { sun: sun as NonNullable<Hand['sun']> } : {}),
    ...(turn === undefined ? {} : { environmentRotation: turn }),
    ...(light === undefined ? {} : { environmentIntensity: light }),
  }
}

/** What a page offers: `none` ignores the exposure. */
export const TONES = ['aces', 'agx', 'neutral', 'cineon', 'reinhard', 'linear'] as const

function numbersOf(words: string | undefined): number[] | undefined {
  if (words === undefined || words === '') return undefined
  const numbers = words.split(',').map(word => (word.trim() === '' ? Number.NaN : Number(word)))
  return numbers.every(Number.isFinite) ? numbers : undefined
}
