/** Workers that returned wrong pixels may not join again until the master restarts: that a machine computes what it should is for a person to find out. */
import { SortfirstError } from '../../shared/errors.ts'

/** A worker's pixels differ from those on which two others agree. */
export class ExpelledError extends SortfirstError {
  readonly code = 'EXPELLED'
  constructor(name: string, what: string) {
    super(
      `worker ${name} is expelled: ${what}; expected the pixels of its release. ` +
        'Check the memory and the installation of its machine; it may join again when the master has been restarted, and another worker under another --name',
    )
  }
}
