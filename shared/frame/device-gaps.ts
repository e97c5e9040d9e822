/** What the engine `webgpu` does not trace: said by name before anything is traced, never left out of a picture. */
import { UsageError } from '../errors.ts'

/** What to do instead. */
export const INSTEAD = 'use --engine wasm, or --accelerator webgpu for its rays'

/** A scene has what its engine does not trace: another run of the same would end in the same way. */
export class NotTracedError extends UsageError {
  readonly code = 'NOT_TRACED'
}
