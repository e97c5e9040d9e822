/**
 * Large frames of several passes: how long workers wait between them, how late timers of the master are meanwhile, and whether previews
 * come. The master and its workers, which draw instead of tracing, are processes; the client is this one.
 */

import { FIRST_SAMPLES } from '../../../shared/frame/frame-limits.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import type { Encoding } from '../../../shared/protocol/messages.ts'
import type { SessionOrder } from '../../../shared/protocol/session-order.ts'
import { film, type SessionSink } from '../../../shared/session/session.ts'
import { connectToCluster } from '../../library/remote-cluster.ts'
import { BenchError } from '../bench-error.ts'
import { CAMERA, ORDER, QUALITY, SCENE } from '../fuzz/ground.ts'
import { median } from '../measure.ts'
import { type AddChild, withChildren } from '../wire/children.ts'
import { type Lateness, type MasterSaid, PATIENT } from './passes-master.ts'
import type { WorkerSaid } from './passes-worker.ts'

export interface PassesOptions {
  readonly size: Size
  readonly passes: number
  /** Whether a preview of each pass but the last is asked for. */
  readonly progressive: boolean
  /** Whether passes double the samples, and take those of noisy cells alone: half of the picture. */
  readonly adaptive: boolean
  readonly frames: number
  readonly workers: number
  readonly strategy: string
  readonly encoding: Encoding
  /** What a worker pretends to trace per ms, beside drawing and packing it. */
  readonly pxPerMs: number
  /** Whether the master says what its event loop was busy with. */
  readonly profile: boolean
}

export interface PassesBench extends PassesOptions {
  /** From the last answer of a pass, when the worker's system had taken it, to the first order of the next pass that a worker saw, ms. */
  readonly betweenMs: { readonly median: number; readonly max: number; readonly all: readonly number[] }
  /** From the last answer of the last pass to the complete frame at the client, ms. */
  readonly finishMs: readonly number[]
  /** From the request to the complete frame, ms. */
  readonly frameMs: readonly number[]
  readonly previews: number
  /** From the last answer of a pass to its preview at the client, ms. */
  readonly previewMs: readonly number[]
  readonly lateMs: Lateness
  readonly shares?: Readonly<Record<string, number>>
  /** Of the frames: equal on any cluster, and of any release. */
  readonly sha256: readonly string[]
}

/** @param progress called now and then with a line */
export const benchPasses = (
  options: PassesOptions,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<PassesBench> => withChildren(signal, add => bench(options, add, signal, progress))

async function bench(
  options: PassesOptions,
  add: AddChild,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<PassesBench> {
  const { workers, frames, encoding, pxPerMs, profile } = options
  const master = add<MasterSaid>('the master', ['passes-master', encoding])
  const { what } = await master.until(({ what }) => what.startsWith('listens'))
  const url = what.replace('listens ', '')
  const crew = Array.from({ length: workers }, (_, i) =>
    add<WorkerSaid>(`worker ${i + 1}`, ['passes-worker', url, `passes-${i + 1}`, pxPerMs]),
  )
  await master.until(({ what }) => what.endsWith(`, ${workers} in the cluster`))
  const client = await connectToCluster(url, { heartbeat: PATIENT }, signal)
  const lost = master
    .until(({ what }) => / left \(/.test(what))
    .then(({ what }) => {
      throw new BenchError(`${what}: expected all to stay; the machine is too busy for so many, lower --workers`)
    })
  // At the end all leave.
  lost.catch(() => {})
  try {
    const previews: { readonly frame: number; readonly samples: number; readonly at: number }[] = []
    const complete: { readonly at: number; readonly sha256: string }[] = []
    const now = () => performance.timeOrigin + performance.now()
    const sink: SessionSink = {
      started: () => {},
      status: () => {},
      preview: ({ frame, samples }) => void previews.push({ frame, samples, at: now() }),
      frame: ({ frame, sha256 }) => {
        complete.push({ at: now(), sha256 })
        progress(`frame ${frame} is complete`)
      },
    }
    const wanted = Array.from({ length: frames }, (_, frame) => ({ frame, camera: CAMERA }))
    if (profile) master.tell('profile')
    master.tell('begin')
    const beganAt = now()
    await Promise.race([client.run(orderOf(options), SCENE, film(wanted), sink, signal), lost])
    master.tell('end')
    const { lateness, shares } = await master.until(({ what }) => what === 'end')
    const said = crew.flatMap(({ said }) => said)
    const passes = passesOf(said)
    const all = passes.flatMap(frame => frame.slice(1).map(({ orderedAt }, i) => orderedAt - frame[i]!.answeredAt))
    const ends = passes.map(frame => frame.at(-1)!.answeredAt)
    return {
      ...options,
      betweenMs: { median: round(median(all)), max: round(Math.max(...all)), all: all.map(round) },
      finishMs: complete.map(({ at }, i) => round(at - ends[i]!)),
      frameMs: complete.map(({ at }, i) => round(at - (complete[i - 1]?.at ?? beganAt))),
      previews: previews.length,
      previewMs: previews.map(({ frame, samples, at }) => {
        const { answeredAt } = passes[frame]!.find(({ to }) => to === samples)!
        return round(Math.max(0, at - answeredAt))
      }),
      lateMs: lateness!,
      ...(shares ? { shares } : {}),
      sha256: complete.map(({ sha256 }) => sha256),
    }
  } finally {
    await client.close()
  }
}

interface SeenPass {
  /** Its samples. */
  readonly from: number
  readonly to: number
  /** When the first order of it came to a worker, and when the last answer had left one. */
  readonly orderedAt: number
  readonly answeredAt: number
}

/** The passes of each frame, in order. @throws BenchError if a frame had only one */
function passesOf(said: readonly WorkerSaid[]): SeenPass[][] {
  const works = [...new Set(said.map(({ work }) => work))].sort((a, b) => a - b)
  return works.map(work => {
    const its = said.filter(each => each.work === work)
    const starts = [...new Set(its.map(({ from }) => from))].sort((a, b) => a - b)
    if (starts.length < 2) throw new BenchError('a frame was made in one pass, expected several')
    const of = (what: WorkerSaid['what'], from: number) =>
      its.filter(each => each.from === from && each.what === what).map(({ at }) => at)
    return starts.map((from, i) => {
      const { to } = its.find(each => each.from === from)!
      const next = Math.min(...of('ordered', starts[i + 1] ?? Number.POSITIVE_INFINITY))
      // Others come when the pass is complete without them.
      const answered = of('answered', from).filter(at => at < next)
      return { from, to, orderedAt: Math.min(...of('ordered', from)), answeredAt: Math.max(...answered) }
    })
  })
}

function orderOf({ size, passes, progressive, adaptive, strategy, workers }: PassesOptions): SessionOrder {
  const { channels: _, ...order } = ORDER
  const how = { sceneName: 'passes', engine: 'wasm', progressive, inFlight: 1, minWorkers: workers, size, strategy }
  const samples = adaptive ? FIRST_SAMPLES * 2 ** (passes - 1) : 4 * passes
  const quality = { ...QUALITY, samples, bounces: 4 }
  return adaptive ? { ...order, ...how, quality, noise: 0.01 } : { ...order, ...how, quality, passes }
}

const round = (value: number): number => Math.round(10 * value) / 10

/** @throws BenchError if a preview that was asked for did not come */
export function expectPreviews({ progressive, previews }: PassesBench): void {
  if (progressive && previews === 0) throw new BenchError('no preview came, expected one of some pass at least')
}
