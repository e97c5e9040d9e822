import type { DashboardRun } from './dashboard-messages.ts'

/** The run that a dashboard shows until another one is chosen: the newest of those that are not over, or else the newest. */
export const shownFirst = <R extends Pick<DashboardRun, 'state'>>(runs: readonly R[]): R | undefined =>
  runs.findLast(({ state }) => state !== 'ended') ?? runs.at(-1)
