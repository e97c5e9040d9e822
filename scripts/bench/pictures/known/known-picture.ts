/** A scene whose picture is known: every pixel has the same answer. */

import type { Vec3, View } from '../../../../shared/frame/view.ts'
import type { Environment } from '../../../../shared/scene/environment.ts'
import { atMost, type Check } from '../checks/check.ts'
import type { PlainScene } from '../model/plain-scene.ts'
import type { Tracer } from '../model/tracer.ts'

export interface KnownPicture {
  readonly name: string
  readonly scene: PlainScene
  readonly view: View
  readonly expected: Vec3
  /** Share of it that may be missing, where only a bound is known. */
  readonly loss?: number
}

/** Standard errors by which a mean may be off. */
const MOST_ERRORS = 4
/** Relative error that counts as none: that of float arithmetic and of tables. */
const TOLERANCE = 1e-3

/**
 * Checks the mean of all pixels, in the worst of the channels. Value and limit are relative to the answer; absolute if that is 0.
 * Pixels are alike, and at
 * most cancel each other's errors out, so that their spread bounds the noise.
 */
export async function checkKnown(
  { name, scene, view, expected, loss = 0 }: KnownPicture,
  tracer: Tracer,
): Promise<Check> {
  const picture = await tracer.trace(scene, view)
  const checks = expected.map((right, channel) => {
    const values = picture.filter((_, i) => i % 3 === channel)
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
    const error = Math.sqrt(squares / (values.length - 1) / values.length)
    const scale = right === 0 ? 1 : right
    const beyond = Math.max(mean - right, right * (1 - loss) - mean)
    return atMost(name, Math.max(0, beyond) / scale, (MOST_ERRORS * error) / scale + TOLERANCE)
  })
  return checks.reduce((worst, check) => (check.value - check.limit > worst.value - worst.limit ? check : worst))
}

/** Nothing shines from outside. */
export const NIGHT: Environment = { kind: 'sky', zenith: [0, 0, 0], horizon: [0, 0, 0], ground: [0, 0, 0] }

export const grey = (level: number): Vec3 => [level, level, level]

/** The same answer for three values of a parameter. */
export const each = (parameters: Vec3, answer: (parameter: number, channel: 0 | 1 | 2) => number): Vec3 => [
  answer(parameters[0], 0),
  answer(parameters[1], 1),
  answer(parameters[2], 2),
]
