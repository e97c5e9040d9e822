/** The dashboard in a report: what a master would send, the page has inside. */
import type { DashboardEvent, DashboardRun } from '../../../shared/dashboard/dashboard-messages.ts'
import {
  REPORT_DASHBOARD,
  REPORT_FRAMES,
  type ReportFrames,
  type RunFrames,
} from '../../../shared/dashboard/report-frames.ts'
import { Dashboard } from './dashboard/dashboard.ts'
import { html } from './dashboard/elements.ts'

const place = document.getElementById(REPORT_DASHBOARD)!
const { runs, workers, pictures } = JSON.parse(document.getElementById(REPORT_FRAMES)!.textContent!) as ReportFrames

const uris = new Map(pictures.map(({ frame, uri }) => [frame, uri]))
const picture = html('img', { alt: '', draggable: 'false' })
const stage = html('div', { class: 'stage' }, picture)

const dashboard = new Dashboard({
  want: (run, at) => dashboard.hear({ is: 'frame', run, place: at, frame: runs[run]!.frames[at]! }),
  shown({ frame, size: [width, height], shape }) {
    stage.style.aspectRatio = `${width} / ${height}`
    const uri = uris.get(frame)
    picture.hidden = uri === undefined
    // Of very many workers there are no tiles either.
    stage.hidden = uri === undefined && shape !== 'rows'
    if (uri !== undefined && picture.src !== uri) picture.src = uri
  },
})
stage.append(dashboard.map.root)
dashboard.root.classList.add('is-adaptive')
place.append(html('div', { class: 'beside' }, stage, dashboard.root))
place.hidden = false
// A single run is not compared with others: its frames are here.
document.body.classList.toggle('has-dashboard-only', runs.length === 1)

stage.addEventListener('pointermove', ({ clientX, clientY }) => {
  const { left, top, width, height } = stage.getBoundingClientRect()
  dashboard.pointAt([(clientX - left) / width, (clientY - top) / height])
})
stage.addEventListener('pointerleave', () => dashboard.pointAt(undefined))

for (const [run, { rosters, frames }] of runs.entries()) {
  for (const [roster, { ids, names }] of rosters.entries()) {
    const places = ids.map((id, area) => (workers.includes(id) ? workers.indexOf(id) : area))
    dashboard.hear({ is: 'roster', run, roster, names, places })
  }
  const points = frames.map(({ figures, shareMs }) => [figures.frameMs, shareMs] as const)
  dashboard.hear({ is: 'line', run, from: 0, points })
  dashboard.hear({ is: 'events', run, events: eventsOf(runs[run]!) })
}
const said = runs.map(
  ({ name, frames, frameCount }, run): DashboardRun => ({
    ...{ run, name, kind: 'film', strategy: name, made: frameCount, from: 0, to: frames.length, state: 'ended' },
    numbers: frames.map(({ frame }) => frame),
  }),
)
// The newest stand first, and the first of the report is to.
dashboard.hear({
  is: 'state',
  state: { workers: [], runs: said.toReversed(), stuck: [], mayAct: false, maySteer: false },
})
dashboard.show(0, medianPlace(runs[0]!))

/** The one that the report draws. */
function medianPlace({ frames }: RunFrames): number {
  const places = [...frames.keys()].sort((a, b) => frames[a]!.figures.frameMs - frames[b]!.figures.frameMs || a - b)
  return places[(places.length - 1) >> 1]!
}

/** Without events, such as of a simulated run: who was not yet, or no more, there for a frame. */
function eventsOf({ frames, rosters, events }: RunFrames): readonly DashboardEvent[] {
  if (events.length > 0) return events
  return frames.flatMap(({ roster, at }, before) => {
    const [old, now] = [rosters[frames[before - 1]?.roster ?? roster]!, rosters[roster]!]
    if (old === now) return []
    const told = (kind: 'joined' | 'left', of: typeof old, others: typeof old) =>
      of.ids.flatMap((id, area) =>
        others.ids.includes(id) ? [] : [{ before, at, kind, text: `${of.names[area]} ${kind}` }],
      )
    return [...told('joined', now, old), ...told('left', old, now)]
  })
}
