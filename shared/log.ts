/** Where a program logs what it does. Passed in, never global. */
export interface Log {
  info(text: string): void
  warn(text: string): void
}

export const silentLog: Log = { info: () => {}, warn: () => {} }
