/** The error for invalid data from a peer, in a separate file because tracing threads do not load the schemas. */
import { SortfirstError } from '../errors.ts'

/** A peer sent something that is not a message of this protocol. The connection is closed and the message discarded. */
export class ProtocolError extends SortfirstError {
  readonly code = 'BAD_MESSAGE'
}
