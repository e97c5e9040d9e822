/**
 * How many files this process may have open at once. Where that is too few, everything fails in ways of its own: modules that cannot be
 * loaded, threads and workers that do not start. Imports nothing but Node.js, because even loading takes many.
 */
import { readFileSync } from 'node:fs'

/** Loading `render` takes 120. */
const LEAST = 128

/** What is wrong with the limit, in a sentence; undefined if it is high enough, or the system does not say. */
export function tooFewFiles(limits = systemLimits()): string | undefined {
  const most = Number(/^Max open files +(\d+) /m.exec(limits)?.[1] ?? LEAST)
  return most < LEAST ? sentence(`${most}`) : undefined
}

/** The system refused to open another file, or what a thread takes. */
export function isOutOfFiles(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code } = each as NodeJS.ErrnoException
    if (/^E[MN]FILE$/.test(`${code}`)) return true
    if (code === 'ERR_WORKER_INIT_FAILED' && /E[MN]FILE/.test(each.message)) return true
  }
  return false
}

export const outOfFiles = (): string => sentence('one that is used up')

const sentence = (got: string): string =>
  `open files: expected a limit of at least ${LEAST}, and of several more for each worker and connection, got ${got}; raise it: ulimit -n 1024`

function systemLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
