/** A master inside another program: the implementation of `sortfirst master`. */
import { ANY_KERNEL } from '../../master/cluster/kernel-check.ts'
import { startMaster as startPlainMaster } from '../../master/main.ts'
import type { MasterOptions as PlainMasterOptions } from '../../master/options.ts'
import type { WorkerInfo } from '../../shared/frame/frame-report.ts'
import { type Log, silentLog } from '../../shared/text/log.ts'
import { WEBGPU } from '../../worker/engine/engine.ts'
import { engineFingerprints } from '../../worker/node/engines.ts'
import type { LocalCluster } from './cluster.ts'
import { joinLinkOf, linkOf } from './shown-view.ts'

export interface MasterOptions
  extends Pick<
    PlainMasterOptions,
    'listen' | 'token' | 'tls' | 'insecure' | 'partBytes' | 'connections' | 'mostExpelledPerAddress' | 'targets'
  > {
  /** Accept workers with the kernel `wasm-fast` instead of `wasm`. @default false */
  readonly fastMath?: boolean
  readonly log?: Log
}

/** A running master. Both this program and remote clients can render with its workers. */
export interface Master extends LocalCluster {
  /** WebSocket address for workers and clients on this machine. */
  readonly url: string
  /** Connected workers, ready or not. */
  connected(): WorkerInfo[]
  /** A link by which a tab of a browser becomes a worker: it counts once, for ten minutes. */
  joinLink(): string
  /** A link to a page that shows what clients render from now on: for one browser, within a minute. */
  link(right: 'watch' | 'operate'): string
  /** Refuses newcomers and begins nothing more; resolves when the frames in progress are delivered. @param why for the log */
  finish(why: string): Promise<void>
}

/** Rejects with OptionError or ListenError. */
export async function startMaster({ fastMath, log = silentLog, ...options }: MasterOptions = {}): Promise<Master> {
  const kernels = { ...engineFingerprints([fastMath ? 'wasm-fast' : 'wasm', 'reference']), [WEBGPU]: ANY_KERNEL }
  const { url, run, finish, close, workers, offerFilms, workTicket } = await startPlainMaster(
    { ...options, kernels },
    log,
  )
  const offered = new Map<string, ReturnType<typeof offerFilms>>()
  const link: Master['link'] = right => {
    const films = offered.get(right) ?? offerFilms(right === 'operate' ? ['watch', 'operate'] : ['watch'])
    offered.set(right, films)
    return linkOf(url, films.ticket())
  }
  const joinLink = () => joinLinkOf(url, workTicket())
  return { url, run, finish, close, link, joinLink, workers: 1, embedded: true, connected: workers }
}
