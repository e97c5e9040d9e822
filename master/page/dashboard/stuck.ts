/** What does not go on by itself, and what to do about it: a dashboard shows it first. Pure. */
import type { DashboardRun, DashboardWorker, Stuck } from '../../../shared/dashboard/dashboard-messages.ts'

/** A run as it stands. */
export interface StandingRun {
  readonly said: DashboardRun
  /** Since something last happened, ms. */
  readonly stillMs: number
  /** What its frames usually take, ms. */
  readonly usualMs: number | undefined
}

/** A frame that takes so many times what others took does not come; never before so long, ms. */
const FAR_LONGER = 10
const LEAST_MS = 15_000

/** States in which a worker is given nothing. */
const IDLE: ReadonlySet<string> = new Set(['joining', 'quarantined', 'withdrawn', 'leaving'])

export function stuckOf(runs: readonly StandingRun[], workers: readonly DashboardWorker[]): Stuck[] {
  const serving = workers.filter(({ state }) => !IDLE.has(state))
  const films = runs.filter(({ said }) => said.state === 'running' && said.kind === 'film')
  const found: Stuck[] = []
  if (workers.length === 0)
    found.push({
      what: 'No worker is connected.',
      todo: 'Start one: sortfirst worker, with the address of this master.',
    })
  else if (serving.length === 0)
    found.push({ what: 'No worker can be given anything.', todo: 'Release one from quarantine, or start another one.' })
  for (const { said, stillMs, usualMs } of films) {
    const most = Math.max(LEAST_MS, FAR_LONGER * (usualMs ?? 0))
    if (serving.length === 0 || stillMs <= most) continue
    found.push({
      what: `${said.name} has made no progress for ${Math.round(stillMs / 1000)} s.`,
      todo: 'Have its frame traced again; or look for a worker that does not answer, and drain it.',
      ...{ act: 'retry', on: `${said.run}` },
    })
  }
  for (const { said } of runs)
    if (said.state === 'paused')
      found.push({
        what: `${said.name} is paused.`,
        todo: 'It goes on when it is resumed.',
        act: 'resume',
        on: `${said.run}`,
      })
  for (const { name, state, reason = '', forMs } of workers) {
    if (state === 'quarantined')
      found.push({
        what: `${name} is quarantined${forMs === undefined ? '' : ` for ${saidTime(forMs)} more`}: ${reason}.`,
        todo: 'It comes back by itself; release it if its fault is mended.',
        ...{ act: 'release', on: name },
      })
    if (state === 'withdrawn')
      found.push({ what: `${name} has withdrawn: ${reason}.`, todo: 'Mend its device, and start the worker again.' })
  }
  return found
}

const saidTime = (ms: number): string => (ms < 120_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} min`)
