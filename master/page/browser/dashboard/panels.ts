/** What is stuck, the runs, and the workers: lists with what can be done about each. */
import type { WholeFrame } from '../../../../shared/dashboard/compact-frame.ts'
import type {
  DashboardAct,
  DashboardRun,
  DashboardWorker,
  Stuck,
} from '../../../../shared/dashboard/dashboard-messages.ts'
import { duration, html, ms } from './elements.ts'
import type { GanttPorts } from './gantt.ts'

/** What can be done; what is to be asked for twice, and was once. */
export interface Acts {
  do(act: DashboardAct, on: string): void
  readonly asked: Set<string>
}

const SAID: Readonly<Record<DashboardAct, string>> = {
  ...{
    drain: 'Drain',
    quarantine: 'Quarantine',
    release: 'Release',
    pause: 'Pause',
    resume: 'Resume',
    retry: 'Retry frame',
    cancel: 'Cancel',
  },
}
/** What cannot be taken back is asked for twice. */
const FINAL: ReadonlySet<DashboardAct> = new Set(['drain', 'retry', 'cancel'])

function button(act: DashboardAct, on: string, what: string, { do: go, asked }: Acts): HTMLButtonElement {
  const key = `${act} ${on}`
  const name = (isAsked: boolean) => (isAsked ? `${SAID[act]}?` : SAID[act])
  const attributes = { type: 'button', 'data-key': key, 'aria-label': `${name(asked.has(key))} ${what}` }
  const made = html('button', attributes, name(asked.has(key)))
  made.addEventListener('click', () => {
    if (!FINAL.has(act) || asked.delete(key)) return go(act, on)
    asked.clear()
    asked.add(key)
    made.textContent = name(true)
  })
  return made
}

export const stuckList = (stuck: readonly Stuck[], go: Acts | undefined): HTMLElement[] =>
  stuck.map(({ what, todo, act, on }) =>
    html(
      'p',
      {},
      html('strong', {}, what),
      ` ${todo} `,
      ...(go && act && on !== undefined ? [button(act, on, what, go)] : []),
    ),
  )

export function runRows(
  runs: readonly DashboardRun[],
  chosen: number,
  choose: (run: number) => void,
  isLive: boolean,
  go: Acts | undefined,
): HTMLElement[] {
  return runs.toReversed().map(said => {
    const { run, name, kind, state, made, frameCount, eta, problem } = said
    const pick = html(
      'button',
      { type: 'button', class: 'pick', 'aria-pressed': `${run === chosen}`, 'data-key': `run ${run}` },
      name,
    )
    pick.addEventListener('click', () => choose(run))
    const count =
      frameCount === undefined ? `${made} ${made === 1 ? 'frame' : 'frames'}` : `${made} of ${frameCount} frames`
    if (!isLive) return html('div', { class: 'run' }, pick)
    const text = [kind === 'film' ? 'film' : 'view', count, state === 'running' ? etaText(eta) : state, problem].filter(
      Boolean,
    )
    const acts: DashboardAct[] =
      state === 'ended' ? [] : state === 'paused' ? ['resume', 'retry', 'cancel'] : ['pause', 'retry', 'cancel']
    const bar = html('progress', {
      max: 1,
      value: frameCount ? Math.min(1, made / frameCount) : 0,
      'aria-label': `${name}: ${count}`,
    })
    return html(
      'div',
      { class: 'run' },
      pick,
      html('span', { class: 'run-text' }, text.join(', ')),
      ...(frameCount ? [bar] : []),
      ...(go && kind === 'film' ? acts.map(act => button(act, `${run}`, name, go)) : []),
    )
  })
}

function etaText(eta: DashboardRun['eta']): string {
  if (!eta) return ''
  return `done in about ${duration(eta.ms)} (${duration(eta.leastMs)} to ${duration(eta.mostMs)})`
}

export interface FrameOfWorkers {
  readonly frame: WholeFrame
  readonly names: readonly string[]
  /** Who ended last. */
  readonly last: number | undefined
}

/** Areas of the frame, and workers that are not among them. @param workers as they are now; undefined: nobody asks any more */
export function workerRows(
  workers: readonly DashboardWorker[] | undefined,
  shown: FrameOfWorkers | undefined,
  { nameOf, colorOf }: Pick<GanttPorts, 'nameOf' | 'colorOf'>,
  go: Acts | undefined,
): HTMLElement[] {
  const states = new Map((workers ?? []).map(each => [each.name, each]))
  const areas = shown && shown.frame.areas.length <= MOST_LINES ? shown.frame.areas : []
  const told = new Set<string>()
  const lines = areas.map(({ area, ledger, cpuMs, expectedMs, tileCount }) => {
    const name = nameOf(area)
    const worker = states.get(name)
    told.add(name)
    const mark = html('i', {})
    mark.style.background = colorOf(area)
    const isLast = area === shown!.last && areas.length > 1
    return line(
      area,
      [
        html('span', {}, mark, name, ...(isLast ? [html('em', {}, 'last')] : [])),
        `${tileCount}`,
        ms(ledger.render),
        expectedMs === undefined ? '–' : `${signed(cpuMs - expectedMs)}`,
        ms(ledger.idle),
        ...(workers ? [stateOf(worker)] : []),
      ],
      worker,
      go,
    )
  })
  const others = (workers ?? [])
    .filter(({ name }) => !told.has(name))
    .slice(0, MOST_LINES)
    .map(worker =>
      line(
        undefined,
        [html('span', {}, html('i', { class: 'none' }), worker.name), '', '', '', '', stateOf(worker)],
        worker,
        go,
      ),
    )
  if (lines.length + others.length === 0) return []
  const heads = [
    'worker',
    'tiles',
    'traced',
    'vs. predicted',
    'idle',
    ...(workers ? ['now'] : []),
    ...(go ? ['act'] : []),
  ]
  const column = (each: string) => html('th', { scope: 'col', ...(each === 'act' ? { class: 'acts' } : {}) }, each)
  const head = html('tr', {}, ...heads.map(column))
  return [html('table', {}, html('thead', {}, head), html('tbody', {}, ...lines, ...others))]
}

const MOST_LINES = 64

function line(
  area: number | undefined,
  cells: readonly (HTMLElement | string)[],
  worker: DashboardWorker | undefined,
  go: Acts | undefined,
): HTMLElement {
  const [first, ...rest] = cells
  const row = html(
    'tr',
    area === undefined ? {} : { 'data-area': area },
    html('th', { scope: 'row' }, first!),
    ...rest.map(cell => html('td', {}, cell)),
  )
  if (worker?.reason) row.title = worker.reason
  if (go) {
    const acts: DashboardAct[] = !worker
      ? []
      : worker.state === 'quarantined'
        ? ['release', 'drain']
        : ['quarantine', 'drain']
    row.append(html('td', { class: 'acts' }, ...acts.map(act => button(act, worker!.name, worker!.name, go))))
  }
  return row
}

const stateOf = (worker: DashboardWorker | undefined): string => worker?.state ?? 'gone'

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${ms(Math.abs(value))}`
