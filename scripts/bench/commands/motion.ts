/** `bench motion`. */

import { print } from '../../files/standard-output.ts'
import { parseSize } from '../../options/groups/film.ts'
import { wholeNumber } from '../../options/option-values.ts'
import { describeHost } from '../../run/host.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { benchMoments } from '../motion/bench-moments.ts'
import { benchMotion } from '../motion/bench-motion.ts'
import { momentsText, motionText } from '../motion/tables.ts'

export interface RawMotionOptions {
  readonly size: string
  readonly frames: string
  readonly workers: string
  readonly json?: boolean
}

/** @param files none: the built-in films, simulated */
export async function motion(files: readonly string[], raw: RawMotionOptions): Promise<void> {
  const options = {
    size: parseSize(raw.size),
    frames: wholeNumber('--frames', raw.frames, 3, 1000),
    workers: wholeNumber('--workers', raw.workers, 2, 64),
  }
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  const log = { info: say, warn: say }
  const printJson = (result: object) => print(`${JSON.stringify({ host: describeHost(), ...result }, null, 2)}\n`)
  if (files.length > 0) {
    const moments = await interruptible(signal => benchMoments(files, options, signal, log))
    return raw.json ? printJson({ ...options, moments }) : print(momentsText(moments, options))
  }
  const result = await interruptible(signal => benchMotion(options, signal, log))
  return raw.json ? printJson(result) : print(motionText(result))
}
