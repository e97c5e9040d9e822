/** Lets workers leave on request: each finishes the rows that it has begun, and nothing waits for a deadline. */
import type { AreaId } from '../../shared/ids.ts'
import type { Drained } from '../../shared/protocol/client-messages.ts'
import { MAX_QUOTED, shortened } from '../../shared/text/printable.ts'
import type { Cluster } from './cluster.ts'
import type { WorkerLink } from './worker-link.ts'

/** Calls `wake` after `inMs` unless the returned function is called first. */
type Alarm = (wake: () => void, inMs: number) => () => void

/** A worker that is asked to leave needs less than a second; after so long it is dropped, ms. */
const PATIENCE_MS = 3000

/** Resolves when all workers of a name have left; at once if there are none. */
export async function drain(cluster: Cluster, name: string, now: () => number, alarm: Alarm): Promise<Drained> {
  const left = await Promise.all(cluster.linksOf(name).map(link => leftBy(link, cluster, now, alarm)))
  return { left, remaining: cluster.names }
}

function leftBy(link: WorkerLink, cluster: Cluster, now: () => number, alarm: Alarm): Promise<Drained['left'][number]> {
  const since = now()
  const own: AreaId = link.areas[0]!.id
  return new Promise(resolve => {
    const disarm = alarm(() => link.channel.terminate('it was asked to leave, and stayed'), PATIENCE_MS)
    const stop = cluster.subscribe({
      moved: ({ area, to, reason = 'it left' }) => {
        if (area.id !== own || to !== 'gone') return
        disarm()
        stop()
        // What it said when it began to leave, which may have been before it was asked here.
        const { finishes: finished } = link
        resolve({ id: own, reason: shortened(reason, MAX_QUOTED), finished, ms: Math.max(0, now() - since) })
      },
    })
    link.dismiss('an operator asked for it')
  })
}
