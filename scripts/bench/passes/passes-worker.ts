/**
 * A worker that draws light instead of tracing it, and says when it was given the first tile of a pass, and when the system had taken its
 * answers of one.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { bytesPerPixel } from '../../../shared/frame/channels.ts'
import { type PixelSet, pixelCount } from '../../../shared/frame/pixel-set.ts'
import { allSamples } from '../../../shared/frame/view.ts'
import { cellRange } from '../../../shared/protocol/cell-costs.ts'
import type { Channel, ChannelHandlers } from '../../../shared/protocol/channel.ts'
import type { BinaryMessage } from '../../../shared/protocol/codec.ts'
import { MasterLine } from '../../../shared/protocol/node/master-line.ts'
import { PartStore } from '../../../shared/scene/part-store.ts'
import { WorkerScenes } from '../../../worker/scenes.ts'
import type { TileOrder, TracedTile } from '../../../worker/tile-order.ts'
import type { TilePool } from '../../../worker/tile-pool.ts'
import type { TileProgress } from '../../../worker/tile-progress.ts'
import { poolKernel, servePool } from '../serve-pool.ts'
import { say } from '../wire/child.ts'
import { NoisyLight } from './noisy-light.ts'
import { PATIENT } from './passes-master.ts'

/** What it says of the pass whose samples begin with this one. */
export interface WorkerSaid {
  readonly what: 'ordered' | 'answered'
  readonly work: number
  readonly from: number
  /** One past its last sample. */
  readonly to: number
  /** ms since 1970, with fractions: comparable between processes of a machine. */
  readonly at: number
}

const STORE_BYTES = 2 ** 20
const DEPTH = 10

/** Ends with its standard input. @param pxPerMs what it pretends to trace of one sample of each pixel */
export async function runPassesWorker(master: string, name: string, pxPerMs: number): Promise<void> {
  process.stdin.resume().once('end', () => process.exit())
  const pool = lightPool(pxPerMs)
  const scenes = new WorkerScenes([pool], new PartStore(STORE_BYTES), STORE_BYTES)
  const line = new MasterLine(master, { heartbeat: PATIENT })
  await line.opened
  await servePool(name, line, { pool, scenes, channel: observed(line.channel), kernel: poolKernel() })
}

/** Tiles are drawn in their order, each when its time has passed. */
function lightPool(pxPerMs: number): TilePool {
  let newest: Promise<unknown> = Promise.resolve()
  /** By width: the first picture is a small one that warms it up. */
  const lights = new Map<number, NoisyLight>()
  return {
    loadScene: async () => ({ buildMs: 1 }),
    restoreScene: async () => true,
    unloadScene: async () => {},
    trace(order, progress) {
      const { view, tile } = order
      const light = lights.get(view.size[0]) ?? new NoisyLight(view.size, view.quality.samples)
      lights.set(view.size[0], light)
      const drawn = newest.then(async () => {
        await delay(pixelCount(tile) / pxPerMs)
        return drawTile(order, progress, light)
      })
      newest = drawn.catch(() => {})
      return drawn
    },
  }
}

/** What is wanted of a tile; undefined: nothing. */
function drawTile(
  { view, tile, cell, channels = ['rgb'], samples = allSamples(view) }: TileOrder,
  progress: TileProgress,
  light: NoisyLight,
): TracedTile | undefined {
  progress.take((from, end) => end - from)
  if (progress.isVoid) return undefined
  const rows = progress.begun
  const set: PixelSet = { ...tile, rect: { ...tile.rect, h: rows } }
  const pixels = pixelCount(set)
  const planes = channels.map(channel =>
    channel === 'light'
      ? new Uint8Array(light.draw(set, samples).buffer)
      : new Uint8Array(pixels * bytesPerPixel(channel)),
  )
  const bytes = planes.length === 1 ? planes[0]! : Uint8Array.from(Buffer.concat(planes))
  const traced = { rows, pixels: bytes, cpuMs: pixels * 1e-3, wallMs: 0 }
  if (cell === undefined) return traced
  const { columns, rows: cellRows } = cellRange(set.rect, cell)
  const count = columns * cellRows
  const cells = { cell, costs: new Float64Array(count).fill(1), depths: new Float32Array(count).fill(DEPTH) }
  return { ...traced, cells, work: count }
}

/** The same channel; what passes it is said. */
function observed(channel: Channel): Channel {
  const passes = new Map<number, { readonly work: number; readonly from: number; readonly to: number }>()
  const note = (what: WorkerSaid['what'], lease: number) => {
    const pass = passes.get(lease)
    if (pass) say({ what, ...pass, at: performance.timeOrigin + performance.now() } satisfies WorkerSaid)
  }
  const listen = (handlers: ChannelHandlers) =>
    channel.listen({
      ...handlers,
      control: message => {
        const order = message as Partial<PassOrder>
        if (order.type === 'trace-tile' && order.samples) {
          passes.set(order.lease!, { work: order.work!, ...order.samples })
          note('ordered', order.lease!)
        }
        handlers.control(message)
      },
    })
  const sendBinary = async (message: BinaryMessage) => {
    await channel.sendBinary(message)
    if (message.kind === 'tile-done') note('answered', message.lease)
  }
  return new Proxy(channel, {
    get: (of, name) => {
      if (name === 'listen') return listen
      if (name === 'sendBinary') return sendBinary
      const value: unknown = Reflect.get(of, name, of)
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
}

interface PassOrder {
  readonly type: string
  readonly lease: number
  readonly work: number
  readonly samples: { readonly from: number; readonly to: number }
}
