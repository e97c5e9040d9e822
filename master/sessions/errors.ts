/** Errors that end a session without its frames. */
import { SortfirstError } from '../../shared/errors.ts'

/** Too few workers joined or stayed. */
export class NoWorkersError extends SortfirstError {
  readonly code = 'NO_WORKERS'
  /** @param others number of connected workers whose engine is not the session's */
  constructor(wanted: number, ready: number, connected: number, waitMs: number, others = 0) {
    const strangers = others > 0 ? `, ${others} of them with another engine` : ''
    super(
      `workers: expected ${wanted} ready within ${(waitMs / 1000).toFixed(0)} s, got ${ready} (${connected} connected${strangers}); ` +
        "start more with 'sortfirst worker <master url>', or ask for fewer with --workers",
    )
  }
}

/** The master ends: it begins no session and no frame, and lets nobody in. */
export class MasterClosingError extends SortfirstError {
  readonly code = 'MASTER_CLOSING'
  /** Whether a session had begun. */
  readonly hadBegun: boolean
  /** @param left of a session that had begun: what it has, and what it lacks */
  constructor(left?: string) {
    super(
      left === undefined
        ? 'the master is closing: expected one that stays; use another, or try again when it is back'
        : `the master was closed with ${left}`,
    )
    this.hadBegun = left !== undefined
  }
}

/** The same pixels failed on several workers: the scene or the engine is at fault, not a machine. */
export class FrameFailedError extends SortfirstError {
  readonly code = 'FRAME_FAILED'
  /** @param rerun the command line that traces the tile alone */
  constructor(frame: number, reason: string, rerun?: string) {
    super(`frame ${frame}: ${reason}${rerun === undefined ? '' : `; to trace it alone: ${rerun}`}`)
  }
}
