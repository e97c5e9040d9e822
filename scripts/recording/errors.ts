/** Errors in a recording, or in a file that should be one. */
import { UsageError } from '../../shared/errors.ts'

export class RecordingError extends UsageError {
  readonly code = 'BAD_RECORDING'
  constructor(path: string, problem: string) {
    super(`recording ${path}: ${problem}`)
  }
}
