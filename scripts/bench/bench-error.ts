import { SortfirstError } from '../../shared/errors.ts'

/** A program or device that a bench measures or compares with failed, did nothing, or is not there. */
export class BenchError extends SortfirstError {
  readonly code = 'BENCH_FAILED'
}
