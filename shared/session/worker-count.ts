/** Workers and their areas: reports list areas, people count workers. */
export interface AreaOfWorker {
  readonly id: string
  /** The id of the worker's first area; absent: it is the only one. */
  readonly workerId?: string | undefined
}

/** How many workers these areas are of. */
export const workerCount = (areas: readonly AreaOfWorker[]): number =>
  new Set(areas.map(({ id, workerId = id }) => workerId)).size
