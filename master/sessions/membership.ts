/** Says which workers join and leave while a session's frames are made. */
import type { WorkerInfo } from '../../shared/frame/frame-report.ts'
import { type Engines, isAmong } from '../../shared/session/engines.ts'
import type { SessionSink } from '../../shared/session/session.ts'
import { MAX_QUOTED, shortened } from '../../shared/text/printable.ts'
import type { ClusterListener } from '../cluster/cluster.ts'

const quoted = (reason = ''): string => shortened(reason, MAX_QUOTED)

export interface Members {
  workers(): WorkerInfo[]
  subscribe(listener: ClusterListener): () => void
}

/** Tells the sink until the returned function is called. `present`: the areas that it knows of already. */
export function reportMembership(
  cluster: Members,
  engines: Engines,
  scene: string,
  present: readonly WorkerInfo[],
  sink: Pick<SessionSink, 'status'>,
): () => void {
  /** Those that have had the scene. */
  const members = new Set<string>(present.map(({ id }) => id))
  const say = (text: string) => sink.status(text, true)
  return cluster.subscribe({
    ready: (id, ready) => {
      if (ready !== scene || members.has(id)) return
      const area = cluster.workers().find(worker => worker.id === id)
      if (!area || !isAmong(area.engine, engines)) return
      members.add(id)
      say(`worker ${area.name} joined`)
    },
    refused: (name, refused, reason) => {
      if (refused === scene) say(`worker ${name} cannot use the scene: ${quoted(reason)}`)
    },
    moved: ({ area: { id, info }, from, to, pause, reason }) => {
      if (to === 'gone' && members.delete(id))
        say(`worker ${info.name} is gone (${quoted(reason)}); its tile was reassigned`)
      if (!members.has(id)) return
      if (to === 'quarantined' && pause)
        say(`worker ${info.name} is quarantined for ${pause.ms / 1000} s: ${quoted(pause.reason)}`)
      else if (from === 'quarantined' && to === 'serving') say(`worker ${info.name} may have tiles again`)
    },
  })
}
