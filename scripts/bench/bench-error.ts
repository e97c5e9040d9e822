import { SortfirstError } from '../../shared/errors.ts'

/** A program that a bench measures or compares with failed, or is not there. */
export class BenchError extends SortfirstError {
  readonly code = 'BENCH_FAILED'
}
