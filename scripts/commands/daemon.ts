/** What the two programs of a cluster have in common when they are run by hand. */
import { Socket } from 'node:net'
import type { Log } from '../../shared/log.ts'

/** At once: nobody is left to say goodbye to, and neither program holds anything that is not held elsewhere. */
export function exitWithInput(): void {
  const exit = () => process.exit()
  process.stdin.once('end', exit).once('error', exit).resume()
  // To wait for that is no reason to stay: a worker that failed ends by itself.
  if (process.stdin instanceof Socket) process.stdin.unref()
}

const stamped = (text: string) => process.stderr.write(`${new Date().toISOString()} ${text}\n`)
export const stderrLog: Log = { info: stamped, warn: text => stamped(`warning: ${text}`) }
