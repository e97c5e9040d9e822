/**
 * The program of a device in a process of its own: an engine that the worker's threads could not hold, or that may take its process
 * down with it. It hears requests over the channel of its parent, and ends with it.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { messageOf, UsageError } from '../../shared/errors.ts'
import { pixelsOf } from '../accelerators/self-test.ts'
import { isWebgpu } from '../engine/engine.ts'
import type { AdapterReport, OpenedDevice } from '../engine/webgpu/adapters.ts'
import { type HubDevice, RaysHub } from '../threads/rays-hub.ts'
import type { ThreadPool, ThreadPoolOptions } from '../threads/thread-pool.ts'
import { TileProgress } from '../tile-progress.ts'
import type { DeviceReply, DeviceRequest } from './device-messages.ts'
import { startDevicePool, startThreadPool } from './thread-pool.ts'
import { listAdapters, openAdapter, openPixels } from './webgpu-adapters.ts'

/** How often it says that it is at work, and how far the tiles at hand are, ms. */
const SIGN_MS = 500

let pool: ThreadPool | undefined
let threads = 1
/** Requests that are not answered yet, with the tiles among them. */
const open = new Map<number, TileProgress | undefined>()
/** Scenes that are arriving, by the numbers of their requests. */
const arriving = new Map<
  number,
  { readonly scene: Uint8Array<SharedArrayBuffer>; at: number; readonly whole: () => void }
>()

const say = (reply: DeviceReply): void => void process.send?.(reply)
/** Says so before the driver is called: nothing is said during that. */
const sayBefore = (reply: DeviceReply): Promise<void> => new Promise(resolve => process.send?.(reply, () => resolve()))
const compiling = (isCompiling: boolean) => sayBefore({ type: 'compiling', isCompiling })
const SIGNS = { compiling, advanced: () => sayBefore({ type: 'advanced' }) }

async function obey(request: DeviceRequest): Promise<Partial<Extract<DeviceReply, { type: 'done' }>>> {
  switch (request.type) {
    case 'start': {
      const { engine, cores, webgpu } = request.settings
      if (webgpu?.list) return { adapters: await listAdapters(webgpu.list, SIGNS) }
      threads = request.settings.threads
      const options = { threads, engine, coreShare: cores }
      let report: AdapterReport | undefined
      if (!webgpu) pool = await startThreadPool(options)
      else if (isWebgpu(engine)) {
        const opened = await poolOf(await openPixels(webgpu.adapter, compiling), options)
        pool = opened[0]
        report = opened[1]
        // Its driver compiles now, while that may take minutes: it hears nothing meanwhile.
        await pixelsOf(opened[0], 'start')
      } else [pool, report] = await poolOf(await openAdapter(webgpu.adapter, SIGNS), options)
      // Without its threads it is of no use; its parent hears that it has ended.
      pool.broken.catch(() => process.exit(1))
      return report ? { adapters: [report] } : {}
    }
    case 'load': {
      const scene = new Uint8Array(new SharedArrayBuffer(request.bytes))
      if (scene.length > 0) await new Promise<void>(whole => arriving.set(request.number, { scene, at: 0, whole }))
      const { buildMs } = await pool!.loadScene(request.name, scene)
      return { buildMs }
    }
    case 'piece': {
      const { number, piece } = request
      const arrival = arriving.get(number)!
      arrival.scene.set(piece, arrival.at)
      arrival.at += piece.length
      if (arrival.at < arrival.scene.length) return {}
      arriving.delete(number)
      arrival.whole()
      return {}
    }
    case 'unload':
      await pool!.unloadScene(request.name)
      return {}
    case 'trace': {
      const progress = TileProgress.of(request.order.tile.rect.h, threads)
      open.set(request.number, progress)
      return { traced: await pool!.trace(request.order, progress) }
    }
    case 'trim': {
      const { number, rows, leaving } = request
      const progress = open.get(number)
      if (rows === 0) progress?.stop()
      else progress?.trim(rows)
      // Which rows are worth finishing has been decided.
      if (leaving) progress?.leave(Number.POSITIVE_INFINITY)
      return {}
    }
  }
}

async function poolOf<Request extends { readonly scene: number; readonly count: number }>(
  { report, device, lost }: OpenedDevice<HubDevice<Request>>,
  options: ThreadPoolOptions,
): Promise<[ThreadPool, AdapterReport]> {
  const events = {
    // Their threads wait meanwhile, and a slow device takes seconds between two portions of a tile.
    answered: () => {
      for (const tile of open.values()) tile?.advance()
    },
    failed: (reason: string) => say({ type: 'lost', reason }),
  }
  const hub = new RaysHub<Request>(device, events, turn)
  void lost.then(reason => hub.fail(reason))
  return [await startDevicePool(options, hub), report]
}

process.on('message', async (request: DeviceRequest) => {
  const { number } = request
  if (request.type === 'trim' || request.type === 'piece') return void obey(request)
  open.set(number, undefined)
  const reply = await obey(request).then(
    (answer): DeviceReply => ({ type: 'done', number, ...answer }),
    (error): DeviceReply => ({
      ...{ type: 'failed', number, reason: messageOf(error) },
      ...(error instanceof UsageError ? { usage: error.code } : {}),
    }),
  )
  open.delete(number)
  say(reply)
})
setInterval(() => {
  for (const [number, tile] of open) say({ type: 'sign', number, ...(tile ? { sign: tile.sign() } : {}) })
}, SIGN_MS).unref()
process.on('disconnect', () => process.exit(0))
