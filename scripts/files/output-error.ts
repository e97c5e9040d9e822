/** Explains to users why a run cannot write. */
import { messageOf, SortfirstError } from '../../shared/errors.ts'

/** An output of the run cannot be created, written, or found again. */
export class OutputError extends SortfirstError {
  readonly code = 'CANNOT_WRITE'
  override readonly exitCode: 1 | 2
  /**
   * @param place option with its value, or the path that was written
   * @param when `before`: detected before expensive work began, and so a usage error
   */
  constructor(place: string, what: 'folder' | 'file' | 'reader', why: string, when: 'before' | 'midway' = 'before') {
    const expected = what === 'reader' ? 'a reader that reads all of it' : `a writable ${what}`
    super(`${place}: expected ${expected}, got ${why}`)
    this.exitCode = when === 'before' ? 2 : 1
  }
}

/**
 * Describes the error of a file operation, with advice.
 * @param when `midway`: what is missing was there before
 */
export function obstacleIn(error: unknown, when: 'before' | 'midway' = 'before'): string {
  const code = error instanceof Error && 'code' in error ? `${error.code}` : ''
  const met = code === 'ENOENT' && when === 'before' ? NOWHERE : OBSTACLES[code]
  return met === undefined ? `an error (${messageOf(error)})` : `${met[0]} (${code}); ${met[1]}`
}

const NOWHERE = ['a path at which the system makes nothing', 'use another one'] as const

/** By system error code. */
const OBSTACLES: Readonly<Record<string, readonly [met: string, advice: string]>> = {
  ENOSPC: ['a full disk', 'make room and run it again'],
  EDQUOT: ['an exhausted quota', 'make room and run it again'],
  EFBIG: ['a limit on file sizes', 'raise it (ulimit -f) and run it again'],
  EROFS: ['a read-only file system', 'mount it writable or use another folder'],
  ENOENT: ['a missing folder', 'do not move or remove it before the run ends'],
  EISDIR: ['a folder in its place', 'move it away or use another name'],
  ENOTDIR: ['a file in place of its folder', 'move it away or use another folder'],
  EACCES: ['no permission', 'allow it or use another folder'],
  EPERM: ['no permission', 'allow it or use another folder'],
  ENXIO: ['a pipe that nobody reads', 'start its reader first'],
  EPIPE: ['a reader that closed it', 'the program it is piped into must read to the end'],
}
