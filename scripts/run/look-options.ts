/** How a scene shall look, from words to checked values. Pure. */
import { checkLook, type SceneLook, type SurfaceName } from '../../scenes/scene-look.ts'
import { UP_AXES, type UpAxis } from '../../scenes/up-axis.ts'
import { triple } from './option-values.ts'

/** As commander hands them over: text, or false for a `--no-…`. */
export interface RawLookOptions {
  /** An axis is the mesh's; a vector is that of a camera. */
  readonly up?: string
  readonly floor?: boolean
  readonly background?: string
  readonly sun?: string
  readonly material?: string
  readonly color?: string
}

const flagOf = (key: keyof SceneLook): string => (key === 'floor' ? '--no-floor' : `--${key}`)

/** Whether `--up` says which axis of the mesh is up. */
export const isUpAxis = (text: string | undefined): text is UpAxis => UP_AXES.some(axis => axis === text)

/** @throws OptionError */
export function resolveLook(scene: string, { up, floor, background, sun, material, color }: RawLookOptions): SceneLook {
  const look: SceneLook = {
    ...(isUpAxis(up) ? { up } : {}),
    // Commander says true where nothing was said.
    ...(floor === false ? { floor } : {}),
    ...(background === undefined ? {} : { background: triple(background) ?? background }),
    ...(sun === undefined ? {} : { sun: pair(sun) }),
    ...(material === undefined ? {} : { material: material as SurfaceName }),
    ...(color === undefined ? {} : { color: triple(color) ?? color }),
  }
  checkLook(look, scene, flagOf)
  return look
}

/** What is no pair of numbers is told apart when it is checked, in the words in which it was said. */
function pair(text: string): readonly [number, number] {
  const numbers = text.split(',').map(word => (word.trim() === '' ? Number.NaN : Number(word)))
  return (numbers.length === 2 && numbers.every(Number.isFinite) ? numbers : text) as [number, number]
}
