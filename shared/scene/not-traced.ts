/** Scenes beyond what an engine traces. */
import { UsageError } from '../errors.ts'

/** A scene has something, or so much, that the engine does not trace it: another run of the same would end in the same way. */
export class NotTracedError extends UsageError {
  readonly code = 'NOT_TRACED'
}
