/** An exposure as it is asked for: a factor, stops from the scene's own, or auto. Pure. */
import { OptionError } from '../../../shared/errors.ts'
import { EXPOSURES } from '../../../shared/frame/frame-limits.ts'
import { exp2 } from '../../../shared/math/exponential.ts'
import { type Kind, number, said, type Wrong } from '../declare/kinds.ts'

/** Relative to the scene's own exposure: each doubles the light, or halves it. The sign says that it is relative. */
export type Stops = `${'+' | '-'}${number}stops`
export type Exposure = number | Stops

/** Either way: from one end of the range of factors to its middle. */
const MOST_STOPS = 20
const STOPS = /^([+-](?:\d+(?:\.\d+)?|\.\d+))stops?$/

const factor = number(EXPOSURES.least, EXPOSURES.most)
const EXPECTED = [
  `a number from ${EXPOSURES.least} to ${EXPOSURES.most}`,
  `stops from -${MOST_STOPS}stops to +${MOST_STOPS}stops, with a sign`,
]

/** @param other what it may be, too */
function exposureKind<T extends string>(other: readonly T[]): Kind<Exposure | T> {
  const all = [...EXPECTED, ...other]
  const expected = `${all.slice(0, -1).join(', ')}, or ${all.at(-1)}`
  const isOther = (value: unknown): value is T => other.some(each => each === value)
  return {
    type: 'number | Stops',
    range: factor.range!,
    read(word, wrong) {
      if (isOther(word) || stopsIn(word) !== undefined) return word as Stops | T
      return factor.read(word, (_, got) => wrong(expected, got))
    },
    check(value, wrong) {
      if (!isOther(value) && stopsIn(value) === undefined) factor.check(value, () => wrong(expected, said(value)))
    },
  }
}

export const EXPOSURE = exposureKind<never>([])
export const EXPOSURE_OR_AUTO = exposureKind(['auto'])

/** Undefined for anything else. */
function stopsIn(value: unknown): number | undefined {
  const [, digits] = (typeof value === 'string' && STOPS.exec(value)) || []
  const stops = Number(digits)
  return Math.abs(stops) <= MOST_STOPS ? stops : undefined
}

/**
 * The factor that light is multiplied by.
 * @param own of the scene
 * @throws what `wrong` makes, if stops lead out of the range of factors
 */
export function exposureFrom(asked: Exposure | undefined, own: number, wrong: Wrong = ofFlag): number {
  const stops = stopsIn(asked)
  if (stops === undefined) return (asked as number | undefined) ?? own
  const exposure = own * exp2(stops)
  if (exposure >= EXPOSURES.least && exposure <= EXPOSURES.most) return exposure
  throw wrong(`stops that lead from the scene’s exposure of ${own} to one of ${factor.range}`, `${asked}`)
}

const ofFlag: Wrong = (expected, got) => new OptionError('--exposure', expected, got)
