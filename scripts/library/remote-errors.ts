/** How a running master, or the way to it, can fail its clients. */

import { SortfirstError } from '../../shared/errors.ts'
import type { NotTracedError } from '../../shared/scene/not-traced.ts'

/** The master could not be reached, or its connection was lost. */
export class MasterConnectionError extends SortfirstError {
  readonly code = 'MASTER_UNREACHABLE'
  readonly why: string
  /** Whether it is there, and has too many connections. */
  readonly isBusy: boolean
  constructor(url: string, why: string, isBusy = false) {
    super(`master ${url}: ${why}; check that 'sortfirst master' runs there`)
    this.why = why
    this.isBusy = isBusy
  }
}

/** Of a scene with what no engine there traces: wrong usage, as it is here. */
const NOT_TRACED: NotTracedError['code'] = 'NOT_TRACED'

/** The master failed a session, or refused the connection. `code` is the master's. */
export class RemoteError extends SortfirstError {
  readonly code: string
  override readonly exitCode: 1 | 2
  constructor(code: string, reason: string) {
    super(reason)
    this.code = code
    this.exitCode = code === NOT_TRACED ? 2 : 1
  }
}
