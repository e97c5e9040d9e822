/** The error of everyone who reads what a peer sent: in a file of its own, because tracing threads have no use for the schemas. */
import { SortfirstError } from '../errors.ts'

/** A peer sent something that is not a message of this protocol. The connection is closed; nothing of it is used. */
export class ProtocolError extends SortfirstError {
  readonly code = 'BAD_MESSAGE'
}
