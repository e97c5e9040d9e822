import { SortfirstError } from '../errors.ts'

/** The bytes are not a packed scene, or are inconsistent. */
export class PackedSceneError extends SortfirstError {
  readonly code = 'BAD_PACKED_SCENE'
  constructor(problem: string) {
    super(`packed scene: ${problem}`)
  }
}
