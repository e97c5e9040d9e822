/** Says which workers join and leave while a session's frames are made. */
import type { WorkerInfo } from '../../shared/frame-report.ts'
import type { SessionSink } from '../../shared/session.ts'
import type { ClusterObserver } from '../cluster/cluster.ts'

export interface Members {
  workers(): WorkerInfo[]
  observe(observer: ClusterObserver): () => void
}

/** Tells the sink until the returned function is called. `present`: the workers that it knows of already. */
export function reportMembership(
  cluster: Members,
  scene: string,
  present: readonly WorkerInfo[],
  sink: Pick<SessionSink, 'status'>,
): () => void {
  const names = new Map(present.map(({ id, name }) => [id, name]))
  return cluster.observe({
    ready: (id, ready) => {
      if (ready !== scene) return
      for (const worker of cluster.workers()) names.set(worker.id, worker.name)
      sink.status(`worker ${names.get(id) ?? id} joined and is used from the next frame on`)
    },
    lost: (id, reason) => sink.status(`worker ${names.get(id) ?? id} is gone (${reason}); its tile was reassigned`),
    aside: (id, pause) => {
      const name = names.get(id) ?? id
      if (pause) sink.status(`worker ${name} is set aside for ${pause.ms / 1000} s: ${pause.reason}`)
      else sink.status(`worker ${name} may have tiles again`)
    },
    tileDone: () => {},
    tileFailed: (id, _, reason) =>
      sink.status(`worker ${names.get(id) ?? id} failed a tile (${reason}); the tile is traced again`),
  })
}
