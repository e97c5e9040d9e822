/** Shared by the master and worker commands. */
import { Socket } from 'node:net'
import { messageOf } from '../../shared/errors.ts'
import type { Log } from '../../shared/text/log.ts'
import { InterruptedError } from '../terminal/interrupt.ts'
import { jsonLog, type LogForm } from '../terminal/json-log.ts'

/** Exits as soon as `done` resolves: no process is left to notify, and neither program holds other state that is not held elsewhere. */
export function exitWithInput(program: string, log: Log, done: () => Promise<void> = async () => {}): void {
  const exit = () => {
    log.info(`${program} closed: its standard input ended`)
    void done().finally(() => process.exit())
  }
  if (process.stdin.readableEnded) return exit()
  process.stdin.once('end', exit).once('error', exit).resume()
  // This must not keep the process alive: a worker that failed exits by itself.
  if (process.stdin instanceof Socket) process.stdin.unref()
}

/** A signal is the normal way to end such a program, not a failure; only the exit code reports it, as usual. */
export function endedBySignal(program: string, log: Log, { reason }: AbortSignal): void {
  log.info(`${program} closed: ${messageOf(reason)}`)
  if (reason instanceof InterruptedError) process.exitCode = reason.exitCode
}

const stamped = (text: string) => process.stderr.write(`${new Date().toISOString()} ${text}\n`)
const STAMPED: Log = { info: stamped, warn: text => stamped(`warning: ${text}`) }

/** Lines on standard error. */
export const stderrLog = (form: LogForm): Log =>
  form === 'json' ? jsonLog(text => process.stderr.write(`${text}\n`)) : STAMPED
