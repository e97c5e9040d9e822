/**
 * A cluster in one process: the real roster, greeting and sessions, the workers' side of them, too, over channels in memory, with
 * pools that paint instead of tracing. Tests decide when a pool may paint, and who dies when.
 */
import { challenge } from '../../master/cluster/challenge.ts'
import { Cluster, type ClusterPorts } from '../../master/cluster/cluster.ts'
import { handshake } from '../../master/cluster/handshake.ts'
import type { ExpectedKernels } from '../../master/cluster/kernel-check.ts'
import { leaseNumbers } from '../../master/scheduling/lease-numbers.ts'
import { DEFAULT_LIMITS } from '../../master/scheduling/limits.ts'
import { methodsOf } from '../../master/sessions/methods.ts'
import { Rehearsals } from '../../master/sessions/rehearsals.ts'
import { runSession } from '../../master/sessions/session.ts'
import type { SessionPorts } from '../../master/sessions/session-ports.ts'
import { Thumbnails } from '../../master/sessions/thumbnails.ts'
import { Turns } from '../../master/sessions/turns.ts'
import { bytesPerPixel } from '../../shared/frame/channels.ts'
import { forEachRun, type PixelSet, pixelCount } from '../../shared/frame/pixel-set.ts'
import type { Rect } from '../../shared/frame/rect.ts'
import { allSamples, type View } from '../../shared/frame/view.ts'
import { alarmsBy } from '../../shared/node/alarm.ts'
import { type AreaOffer, parseHello } from '../../shared/protocol/messages.ts'
import { PROTOCOL_VERSION } from '../../shared/protocol/version.ts'
import { PartStore } from '../../shared/scene/part-store.ts'
import type { SessionRunner } from '../../shared/session/session.ts'
import { silentLog } from '../../shared/text/log.ts'
import type { Clock } from '../../shared/time/clock.ts'
import { AreaStates } from '../../worker/accelerators/area-states.ts'
import { nodePlatform } from '../../worker/node/platform.ts'
import { WorkerScenes } from '../../worker/scenes.ts'
import { serve, type WorkerIdentity } from '../../worker/session.ts'
import { CellSums, readCells, shareCells } from '../../worker/threads/cell-sums.ts'
import type { TileOrder, TracedTile } from '../../worker/tile-order.ts'
import type { TilePool } from '../../worker/tile-pool.ts'
import type { TileProgress } from '../../worker/tile-progress.ts'
import { channelPair, type MemoryChannel } from './memory-channel.ts'
import { smallSession, type TestSession } from './session.ts'
import { smallCamera } from './small-scene.ts'

/** A pixel as these pools paint it: a function of frame and place alone. */
const paintAt = (frame: number, x: number, y: number, channel: number): number =>
  (x * 7 + y * 13 + frame * 29 + channel * 101) % 256

/** The painted pixels of a set, packed row by row. */
export function paint({ frame }: Pick<View, 'frame'>, set: PixelSet): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pixelCount(set) * 3)
  let at = 0
  forEachRun(set, (left, y, length) => {
    for (let x = left; x < left + length; x++)
      for (let channel = 0; channel < 3; channel++) bytes[at++] = paintAt(frame, x, y, channel)
  })
  return bytes
}

/** Unfinished light of what is painted as so much. */
export const lightOf = (painted: number): number => painted / 256 + 2 ** -24

/** CPU time that a painted pixel is said to take, ms. */
const PIXEL_MS = 1e-3
/** Camera depth of everything that is painted. */
const PAINTED_DEPTH = 10

export interface PaintPool extends TilePool {
  /** Called before each tile, or part of one, in their order; paints what is wanted by then when it resolves. */
  before: (view: View, rect: Rect) => Promise<void>
}

export function paintPool(): PaintPool {
  let newest: Promise<unknown> = Promise.resolve()
  return {
    before: async () => {},
    loadScene: async () => ({ buildMs: 1 }),
    restoreScene: async () => true,
    unloadScene: async () => {},
    trace(order, progress) {
      const painted = newest.then(async () => {
        if (progress.stopped) return undefined
        await this.before(order.view, order.tile.rect)
        return paintTile(order, progress)
      })
      newest = painted.catch(() => {})
      return painted
    },
  }
}

/** Paints a tile, or what is wanted of it; undefined: nothing. */
export function paintTile(
  { view, tile, cell, channels = ['rgb'], samples = allSamples(view) }: TileOrder,
  progress: TileProgress,
): TracedTile | undefined {
  progress.take((from, end) => end - from)
  if (progress.isVoid) return undefined
  const { rows } = progress
  const set = { ...tile, rect: { ...tile.rect, h: rows } }
  const painted = paint(view, set)
  const share = (samples.to - samples.from) / view.quality.samples
  const light = () => {
    // Large frames have millions of values: by `Float64Array.from` it would take ten times as long.
    const values = new Float64Array(painted.length)
    for (let i = 0; i < values.length; i++) values[i] = lightOf(painted[i]!) * share
    return new Uint8Array(values.buffer)
  }
  const planes = channels.map(channel =>
    channel === 'rgb'
      ? painted
      : channel === 'light'
        ? light()
        : new Uint8Array((painted.length / 3) * bytesPerPixel(channel)),
  )
  const pixels = planes.length === 1 ? planes[0]! : new Uint8Array(Buffer.concat(planes))
  const count = painted.length / 3
  const traced = { rows, pixels, cpuMs: count * PIXEL_MS, wallMs: 0 }
  if (cell === undefined) return traced
  const cells = shareCells(set.rect, cell, view.quality)
  new CellSums(cells, set.rect).add(set, new Uint32Array(count), new Float32Array(count).fill(PAINTED_DEPTH))
  return { ...traced, ...readCells(cells, set.rect) }
}

export const areaOf = (changes: Partial<AreaOffer>): AreaOffer => ({
  engine: 'reference',
  kernel: 'reference-1',
  threads: 1,
  speed: 1,
  clock: 'cpu',
  grain: { rows: 1 },
  ...changes,
})

export class MemoryCluster implements Pick<SessionRunner, 'run'> {
  readonly cluster: Cluster
  readonly #ticks = new Set<() => void>()
  readonly ports: SessionPorts

  /** @param random says which rows are checked */
  constructor(
    kernels?: ExpectedKernels,
    clock: Clock = performance,
    random: () => number = Math.random,
    { planes, ...ports }: Partial<ClusterPorts> & Pick<SessionPorts, 'planes'> = {},
  ) {
    this.cluster = new Cluster({ log: silentLog, clock, kernels, ...ports })
    this.ports = {
      cluster: this.cluster,
      clock: performance,
      limits: DEFAULT_LIMITS,
      numbers: leaseNumbers(),
      turns: new Turns(() => performance.now()),
      thumbnails: new Thumbnails(),
      rehearsals: new Rehearsals(),
      random,
      planes,
      alarm: alarmsBy(performance),
      ticker: tick => {
        this.#ticks.add(tick)
        return () => this.#ticks.delete(tick)
      },
    }
  }

  run(...[order, scene, source, sink, signal]: Parameters<SessionRunner['run']>): Promise<void> {
    return runSession(order, methodsOf(order), scene, this.ports, source, sink, signal)
  }

  /** What a timer would do. */
  tick(): void {
    for (const tick of [...this.#ticks]) tick()
  }

  /** Resolves when a worker, any, holds the scene. */
  nextReady(): Promise<void> {
    return new Promise(resolve => {
      const stop = this.cluster.subscribe({
        ready: () => {
          stop()
          resolve()
        },
      })
    })
  }

  /** Connects a worker; the answer is its end of the connection. */
  join(name: string, pool: TilePool): MemoryChannel {
    return this.visit({ name, areas: [areaOf({})] }, pool).line
  }

  /** Connects a worker that may be sent away: `stay` rejects then. */
  visit(
    identity: WorkerIdentity,
    pool: TilePool,
    scenes = new WorkerScenes([pool], new PartStore(2 ** 20), 2 ** 20),
    states = new AreaStates(),
    leaving?: AbortSignal,
    address = '',
  ): { line: MemoryChannel; stay: Promise<void> } {
    const [masterEnd, line] = channelPair()
    handshake(masterEnd, {
      parse: message => parseHello(message, PROTOCOL_VERSION),
      challenge: hello => challenge(masterEnd, hello),
      admit: hello => {
        if (hello.role !== 'worker') throw new TypeError('only workers here')
        const link = this.cluster.admit(masterEnd, hello, 'raw', address)
        return {
          control: m => link.control(m),
          binary: m => link.binary(m),
          closed: (reason, isRefused) => link.closed(reason, isRefused),
        }
      },
      closed: () => {},
      refused: () => {},
    })
    const pools = identity.areas.map(() => pool)
    const stay = serve(identity, {
      channel: line,
      platform: nodePlatform,
      pools,
      scenes,
      states,
      clock: performance,
      every: () => () => {},
      joined: () => {},
      ...(leaving ? { leaving } : {}),
    })
    stay.catch(() => {})
    return { line, stay }
  }
}

export const sessionOf = (scene: string, strategy: string, frames: number, minWorkers: number): TestSession =>
  smallSession({
    scene,
    size: [96, 64],
    quality: { samples: 1, ambientRays: 1, maxDepth: 2 },
    frames: Array.from({ length: frames }, (_, frame) => ({ frame, camera: smallCamera(frame) })),
    strategy,
    engine: 'reference',
    minWorkers,
  })
