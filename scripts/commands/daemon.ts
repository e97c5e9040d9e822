/** What the two programs of a cluster have in common when they are run by hand. */
import { Socket } from 'node:net'
import { messageOf } from '../../shared/errors.ts'
import type { Log } from '../../shared/log.ts'
import { InterruptedError } from '../run/interrupt.ts'

/** At once: nobody is left to say goodbye to, and neither program holds anything that is not held elsewhere. */
export function exitWithInput(program: string): void {
  const exit = () => {
    stderrLog.info(`${program} closed: its standard input ended`)
    process.exit()
  }
  process.stdin.once('end', exit).once('error', exit).resume()
  // To wait for that is no reason to stay: a worker that failed ends by itself.
  if (process.stdin instanceof Socket) process.stdin.unref()
}

/** A signal is how such a program ends, and no failure; only the exit code tells that it was one, as every program's does. */
export function endedBySignal(program: string, { reason }: AbortSignal): void {
  stderrLog.info(`${program} closed: ${messageOf(reason)}`)
  if (reason instanceof InterruptedError) process.exitCode = reason.exitCode
}

const stamped = (text: string) => process.stderr.write(`${new Date().toISOString()} ${text}\n`)
export const stderrLog: Log = { info: stamped, warn: text => stamped(`warning: ${text}`) }
