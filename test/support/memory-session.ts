/** Sessions on a cluster in memory, with what they deliver kept. */
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { type FramePreview, type FrameSource, film, type SessionSink } from '../../shared/session/session.ts'
import { MemoryCluster, type PaintPool } from './memory-cluster.ts'
import { scene, type TestSession } from './session.ts'

/** Whoever has something to do does it. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
}

/** What a session delivered. */
interface Album {
  readonly reports: FrameReport[]
  readonly frames: Map<number, Uint8Array>
  readonly previews: FramePreview[]
  readonly started: Promise<void>
}

export interface Run extends Album {
  readonly done: Promise<void>
  cancel(): void
}

/** Keeps what a session delivers. */
export function album(changes: Partial<SessionSink> = {}): Album & { readonly sink: SessionSink } {
  const [reports, frames, previews] = [[], new Map(), []] as [FrameReport[], Map<number, Uint8Array>, FramePreview[]]
  let begun = () => {}
  const started = new Promise<void>(resolve => {
    begun = resolve
  })
  const sink: SessionSink = {
    started: () => begun(),
    status: () => {},
    frame: (report, pixels) => {
      reports.push(report)
      frames.set(report.frame, pixels)
    },
    preview: preview => void previews.push(preview),
    ...changes,
  }
  return { reports, frames, previews, started, sink }
}

/** Begins a session; what it delivers is kept. */
export function run(
  memory: MemoryCluster,
  { frames: requests, ...order }: TestSession,
  changes: Partial<SessionSink> = {},
  source: FrameSource = film(requests),
  held = scene,
): Run {
  const { sink, ...kept } = album(changes)
  const abort = new AbortController()
  const done = memory.run(order, held, source, sink, abort.signal)
  done.catch(() => {})
  return { ...kept, done, cancel: () => abort.abort() }
}

/** A cluster of a worker for each pool, by the names n0, n1, … */
export const clusterOf = (...pools: PaintPool[]): MemoryCluster => joinedBy(new MemoryCluster(), pools)

/** The same for a cluster that is there. */
export const joinedBy = (memory: MemoryCluster, pools: readonly PaintPool[]): MemoryCluster => {
  for (const [i, pool] of pools.entries()) memory.join(`n${i}`, pool)
  return memory
}

/** The camera turns round at frame 1: what was measured before says nothing about it, and it is probed. */
export const withCut = (session: TestSession): TestSession => ({
  ...session,
  frames: session.frames.map(({ frame, camera }) => ({
    frame,
    camera: frame === 1 ? { ...camera, right: [-1, 0, 0], back: [0, 0, -1] } : camera,
  })),
})
