/** Errors that end a session without its frames. */
import { SortfirstError } from '../../shared/errors.ts'
import { MAX_QUOTED, shortened } from '../../shared/text/printable.ts'

/** The most characters of why a frame failed: most of the sentence is for the command line that traces it alone. */
const MAX_FAILURE = 300

/** What to do, where workers were started with their master, and where they come from elsewhere. */
const ADVICE = {
  refused: {
    ofStaff: 'give it what it lacks',
    ofOthers: "give it what it lacks, or start others with 'sortfirst worker <master url>'",
  },
  few: {
    ofStaff: 'run it again, with more --workers if one may end',
    ofOthers: "start more with 'sortfirst worker <master url>', or ask for fewer with --workers",
  },
}

/** How many workers there are when there are too few. */
export interface WorkerCounts {
  readonly ready: number
  readonly connected: number
  /** Connected workers whose engine is not the session's. @default 0 */
  readonly others?: number
  /** Whether they were started with their master, and nobody else can join. @default false */
  readonly isStaff?: boolean
  /** Why workers cannot use the scene, each with its name. @default none */
  readonly refusals?: readonly { readonly name: string; readonly reason: string }[]
}

/** Too few workers joined or stayed, or could use the scene. */
export class NoWorkersError extends SortfirstError {
  readonly code = 'NO_WORKERS'
  /** @param waitMs how long they were waited for; undefined: waiting would not help */
  constructor(
    wanted: number,
    { ready, connected, others = 0, isStaff = false, refusals = [] }: WorkerCounts,
    waitMs: number | undefined,
  ) {
    const strangers = others > 0 ? `, ${others} of them with another engine` : ''
    const [first] = refusals
    const why = first ? `: worker ${first.name} cannot use the scene: ${shortened(first.reason, MAX_QUOTED)}` : ''
    const more = refusals.length > 1 ? `, and ${refusals.length - 1} more likewise` : ''
    const advice = first ? ADVICE.refused : ADVICE.few
    const way = isStaff ? advice.ofStaff : advice.ofOthers
    const within = waitMs !== undefined ? ` within ${(waitMs / 1000).toFixed(0)} s` : ''
    super(
      `workers: expected ${wanted} ready${within}, got ${ready} (${connected} connected${strangers})${why}${more}; ${way}`,
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
    super(
      `frame ${frame}: ${shortened(reason, MAX_FAILURE)}${rerun === undefined ? '' : `; to trace it alone: ${rerun}`}`,
    )
  }
}
