/** Parses and validates the options for a scene's look. Pure. */

import type { SurfaceName } from '../../scenes/look/look-words.ts'
import { UP_AXES, type UpAxis } from '../../scenes/look/look-words.ts'
import { checkLook, type SceneLook } from '../../scenes/look/scene-look.ts'
import { triple } from './option-values.ts'

/** Raw options from commander: text, or false for a `--no-…`. */
export interface RawLookOptions {
  /** An axis refers to the mesh; a vector to a camera. */
  readonly up?: string
  readonly floor?: boolean
  readonly background?: string
  readonly environment?: string
  readonly environmentRotation?: string
  readonly environmentIntensity?: string
  readonly sun?: string
  readonly material?: string
  readonly color?: string
  readonly animation?: string
  readonly variant?: string
}

const flagOf = (key: keyof SceneLook): string =>
  key === 'floor' ? '--no-floor' : `--${key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

/** Whether `--up` names the axis of the mesh that points up. */
export const isUpAxis = (text: string | undefined): text is UpAxis => UP_AXES.some(axis => axis === text)

/** @throws OptionError */
export function resolveLook(scene: string, raw: RawLookOptions): SceneLook {
  const { up, floor, background, environment, environmentRotation, environmentIntensity, sun, material, color } = raw
  const { animation, variant } = raw
  const look: SceneLook = {
    ...(isUpAxis(up) ? { up } : {}),
    // Commander passes true if the option is absent.
    ...(floor === false ? { floor } : {}),
    ...(background === undefined ? {} : { background: triple(background) ?? background }),
    ...(environment === undefined ? {} : { environment }),
    ...(environmentRotation === undefined ? {} : { environmentRotation: numberIn(environmentRotation) }),
    ...(environmentIntensity === undefined ? {} : { environmentIntensity: numberIn(environmentIntensity) }),
    ...(sun === undefined ? {} : { sun: pair(sun) }),
    ...(material === undefined ? {} : { material: material as SurfaceName }),
    ...(color === undefined ? {} : { color: triple(color) ?? color }),
    ...(animation === undefined ? {} : { animation }),
    ...(variant === undefined ? {} : { variant }),
  }
  checkLook(look, scene, flagOf)
  return look
}

/** Text that is not a number is returned unchanged, so that validation can quote it. */
const numberIn = (text: string): number =>
  text.trim() === '' || Number.isNaN(Number(text)) ? (text as unknown as number) : Number(text)

/** Text that is not a pair of numbers is returned unchanged, so that validation can quote it. */
function pair(text: string): readonly [number, number] {
  const numbers = text.split(',').map(word => (word.trim() === '' ? Number.NaN : Number(word)))
  return (numbers.length === 2 && numbers.every(Number.isFinite) ? numbers : text) as [number, number]
}
