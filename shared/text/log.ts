/** Where a program logs what it does. Passed in, never global. */
export interface Log {
  info(text: string): void
  /** Something begins that may take long. @default as `info` */
  step?(text: string): void
  warn(text: string): void
}

export const silentLog: Log = { info: () => {}, warn: () => {} }

/** The log of a caller, which may throw or return a promise that rejects: what a program does does not depend on that. */
export function guardedLog(log: Log): Required<Log> {
  const guarded = (write: (text: string) => unknown) => (text: string) => {
    try {
      // An asynchronous function is a log, too.
      Promise.resolve(write(text)).catch(() => {})
    } catch {
      // There is nowhere else to say so.
    }
  }
  const step = (text: string) => (log.step ? log.step(text) : log.info(text))
  return { info: guarded(text => log.info(text)), step: guarded(step), warn: guarded(text => log.warn(text)) }
}
