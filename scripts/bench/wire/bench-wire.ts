/**
 * What a scene and large frames cost on the wire and in the master: a real master as a process, processes that take a scene as workers
 * do and cut tiles out of a picture, and a client in this process.
 */

import type { Size } from '../../../shared/frame/rect.ts'
import type { Encoding } from '../../../shared/protocol/messages.ts'
import type { SessionOrder } from '../../../shared/protocol/session-order.ts'
import type { HeldScene } from '../../../shared/scene/held-scene.ts'
import { manifestBytes } from '../../../shared/scene/manifest.ts'
import { film, type SessionSink } from '../../../shared/session/session.ts'
import { BenchError } from '../bench-error.ts'
import { CAMERA, ORDER, SCENE } from '../fuzz/ground.ts'
import { median } from '../measure.ts'
import type { Child } from './child.ts'
import { withChildren } from './children.ts'
import type { SenderSaid } from './floor.ts'
import { heavyScene } from './heavy-scene.ts'
import { connectObserved } from './observed-client.ts'
import { type Moment, type Phase, phaseOf } from './usage.ts'
import type { MasterSaid } from './wire-master.ts'
import type { WorkerSaid } from './wire-worker.ts'

export interface WireOptions {
  readonly workers: number
  /** Of the scene, a million bytes each. */
  readonly megabytes: number
  readonly size: Size
  /** How many frames are counted, after one that is not. */
  readonly frames: number
  readonly strategy: string
  /** What a worker pretends to trace per ms. */
  readonly pxPerMs: number
}

/** CPU time of the process that sends or receives, ms. */
export interface Transfer extends Phase {
  /** For each 100 MB of the scene, and for each 100 MB of all copies of it. */
  readonly cpuMsPer100MB: number
  readonly cpuMsPer100MBMoved: number
}

export interface FrameCosts {
  /** Of the master, per frame. */
  readonly userMs: number
  readonly systemMs: number
  readonly framesPerSecond: number
  readonly lateMs: number
  readonly heldMs: number
  /** What the master's time is spent on, in a film of its own. */
  readonly shares: Readonly<Record<string, number>>
}

export interface WireBench extends Omit<WireOptions, 'megabytes'> {
  /** Of all parts. */
  readonly sceneMB: number
  readonly parts: number
  readonly largestPartMB: number
  /** The same bytes from a bare socket to processes that hash them: what the machine allows. */
  readonly floor: Transfer
  /** From the client's offer until the master has all parts, and has compared their hashes. */
  readonly toMaster: Transfer
  /** From then until it has validated what is in them, and begins to send them. */
  readonly checked: Phase
  /** From then until the last worker has all parts, and has compared their hashes. */
  readonly toWorkers: Transfer
  /** CPU time of a worker for all parts, ms: the median. */
  readonly workerCpuMs: number
  readonly framesOf: Readonly<Record<Encoding, FrameCosts>>
}

/** @param progress called now and then with a line */
export async function benchWire(
  options: WireOptions,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<WireBench> {
  const scene = heavyScene(options.megabytes)
  const bytes = manifestBytes(scene.manifest)
  const sizes = scene.manifest.parts.map(part => part.bytes)
  progress(`a scene of ${(bytes / 1e6).toFixed(1)} MB in ${sizes.length} parts`)
  const floor = await benchFloor(options.workers, bytes, signal)
  progress(`bare sockets: ${floor.ms} ms`)
  const raw = await benchCluster(options, 'raw', scene, signal, progress)
  const lz4 = await benchCluster(options, 'lz4', SCENE, signal, progress)
  const { megabytes: _, ...rest } = options
  return {
    ...rest,
    sceneMB: bytes / 1e6,
    parts: sizes.length,
    largestPartMB: Math.max(...sizes) / 1e6,
    floor,
    ...raw.scene,
    framesOf: { raw: raw.frames, lz4: lz4.frames },
  }
}

const benchFloor = (receivers: number, bytes: number, signal: AbortSignal): Promise<Transfer> =>
  withChildren(signal, async add => {
    const sender = add<SenderSaid>('the bare sender', ['wire-floor', 'sender', receivers, bytes])
    const { port } = await sender.until(({ what }) => what === 'listens')
    for (let i = 0; i < receivers; i++) add(`bare receiver ${i + 1}`, ['wire-floor', 'receiver', port!, bytes])
    const begins = await sender.until(({ what }) => what === 'begins')
    return transferOf([begins, await sender.until(({ what }) => what === 'done')], bytes, receivers)
  })

interface ClusterCosts {
  readonly scene: Pick<WireBench, 'toMaster' | 'checked' | 'toWorkers' | 'workerCpuMs'>
  readonly frames: FrameCosts
}

const benchCluster = (
  options: WireOptions,
  encoding: Encoding,
  scene: HeldScene,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<ClusterCosts> =>
  withChildren(signal, async add => {
    const { workers, size, frames, pxPerMs } = options
    const master = add<MasterSaid>('the master', ['wire-master', encoding])
    const { what } = await master.until(({ what }) => what.startsWith('listens'))
    const url = what.replace('listens ', '')
    const takers = Array.from({ length: workers }, (_, i) =>
      add<WorkerSaid>(`worker ${i + 1}`, ['wire-worker', url, `wire-${i + 1}`, size.join('x'), pxPerMs]),
    )
    await master.until(({ what }) => what.endsWith(`, ${workers} in the cluster`))
    const client = await connectObserved(url, () => {
      master.tell('held')
      return master.until(({ what }) => what === 'held')
    })
    const lost = master
      .until(({ what }) => / left \(/.test(what))
      .then(({ what }) => {
        throw new BenchError(`${what}: expected all to stay; the machine is too busy for so many, lower --workers`)
      })
    // At the end all leave.
    lost.catch(() => {})
    try {
      const order = orderOf(options, scene)
      master.tell('offer')
      const run = async (names: readonly [string, string]) => {
        let made = 0
        const frame: SessionSink['frame'] = () => {
          made++
          if (made === 1) master.tell(names[0])
        }
        const wanted = Array.from({ length: frames + 1 }, (_, frame) => ({ frame, camera: CAMERA }))
        const sink = { started: () => {}, status: () => {}, frame }
        await Promise.race([client.run(order, scene, film(wanted), sink, signal), lost])
        master.tell(names[1])
        return master.until(({ what }) => what === names[1])
      }
      await run(['first', 'last'])
      progress(`${frames} frames of ${size.join('x')} as ${encoding}`)
      const { shares = {} } = await run(['profile', 'profiled'])
      const { said } = master
      return {
        scene: sceneCosts(said, takers, scene),
        frames: { ...frameCosts(between(said, 'first', 'last'), frames), shares },
      }
    } finally {
      await client.close()
    }
  })

function sceneCosts(
  said: readonly MasterSaid[],
  workers: readonly Child<WorkerSaid>[],
  { hash, manifest }: HeldScene,
): ClusterCosts['scene'] {
  const bytes = manifestBytes(manifest)
  const began = said.findIndex(({ what }) => what.startsWith('session started'))
  // Once more with every later session.
  const had = said.flatMap(({ what }, i) => (what.includes('holds the scene') ? [i] : []))[workers.length - 1]!
  const held = said.findIndex(({ what }) => what === 'held')
  const cpu = workers.map(worker => {
    const { userMs, systemMs } = phaseOf(worker.said.filter(({ scene }) => scene === hash))
    return userMs + systemMs
  })
  return {
    toMaster: transferOf(between(said, 'offer', 'held'), bytes, 1),
    checked: phaseOf(said.slice(held, began + 1)),
    toWorkers: transferOf(said.slice(began, had + 1), bytes, workers.length),
    workerCpuMs: Math.round(median(cpu)),
  }
}

function frameCosts(moments: readonly Moment[], frames: number): Omit<FrameCosts, 'shares'> {
  const { ms, userMs, systemMs, ...late } = phaseOf(moments)
  const each = (value: number) => Math.round((10 * value) / frames) / 10
  return {
    userMs: each(userMs),
    systemMs: each(systemMs),
    ...late,
    framesPerSecond: Math.round((10_000 * frames) / ms) / 10,
  }
}

function transferOf(moments: readonly Moment[], bytes: number, copies: number): Transfer {
  const phase = phaseOf(moments)
  const per = (moved: number) => Math.round((phase.userMs + phase.systemMs) / (moved / 1e8))
  return { ...phase, cpuMsPer100MB: per(bytes), cpuMsPer100MBMoved: per(bytes * copies) }
}

/** What was said from one line to another, both included. */
function between(said: readonly MasterSaid[], from: string, to: string): readonly MasterSaid[] {
  const start = said.findIndex(({ what }) => what === from)
  return said.slice(start, said.findIndex(({ what }) => what === to) + 1)
}

const orderOf = ({ size, strategy, workers }: WireOptions, { hash }: HeldScene): SessionOrder => {
  const { channels: _, ...order } = ORDER
  const how = { scene: hash, sceneName: 'wire', engine: 'wasm', progressive: false, inFlight: 2 } as const
  return { ...order, ...how, size, strategy, minWorkers: workers }
}
