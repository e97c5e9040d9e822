/** Shared by the master and worker commands. */
import { Socket } from 'node:net'
import { messageOf } from '../../shared/errors.ts'
import type { Log } from '../../shared/text/log.ts'
import { InterruptedError } from '../terminal/interrupt.ts'

/** Exits as soon as `done` resolves: no process is left to notify, and neither program holds other state that is not held elsewhere. */
export function exitWithInput(program: string, done: () => Promise<void> = async () => {}): void {
  const exit = () => {
    stderrLog.info(`${program} closed: its standard input ended`)
    void done().finally(() => process.exit())
  }
  if (process.stdin.readableEnded) return exit()
  process.stdin.once('end', exit).once('error', exit).resume()
  // This must not keep the process alive: a worker that failed exits by itself.
  if (process.stdin instanceof Socket) process.stdin.unref()
}

/** A signal is the normal way to end such a program, not a failure; only the exit code reports it, as usual. */
export function endedBySignal(program: string, { reason }: AbortSignal): void {
  stderrLog.info(`${program} closed: ${messageOf(reason)}`)
  if (reason instanceof InterruptedError) process.exitCode = reason.exitCode
}

const stamped = (text: string) => process.stderr.write(`${new Date().toISOString()} ${text}\n`)
export const stderrLog: Log = { info: stamped, warn: text => stamped(`warning: ${text}`) }
