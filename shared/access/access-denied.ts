/** A master knows neither the token that a peer presented nor lets in peers without one, or the token does not grant what the peer wants. */
import { UsageError } from '../errors.ts'

export class AccessDeniedError extends UsageError {
  readonly code = 'ACCESS_DENIED'
}
