/** A device in a process of its own, as a pool: requests and replies over its channel, and its end as an error. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../shared/errors.ts'
import { processProgram } from '../../shared/node/program-files.ts'
import { piecesOf } from '../../shared/time/steps.ts'
import { type Device, DeviceError } from '../accelerators/guarded-pool.ts'
import { isWebgpu } from '../engine/engine.ts'
import type { AdapterReport } from '../engine/webgpu/adapters.ts'
import type { TracedTile } from '../tile-order.ts'
import type { TileProgress } from '../tile-progress.ts'
import type { DeviceReply, DeviceRequest, DeviceSettings } from './device-messages.ts'

type Done = Extract<DeviceReply, { readonly type: 'done' }>
type Unnumbered<T> = T extends unknown ? Omit<T, 'number'> : never

interface Waiting {
  resolve(reply: Done): void
  reject(error: DeviceError | DeviceUsageError): void
  readonly progress?: TileProgress
}

/** A device's process was asked for what there is not. `code` is that of its error. */
export class DeviceUsageError extends UsageError {
  readonly code: string
  constructor(code: string, reason: string) {
    super(reason)
    this.code = code
  }
}

/** Of a scene so much is sent at a time: all at once would hold up heartbeats. */
const PIECE_BYTES = 4 << 20
/** How often a tile is looked at for rows that are not wanted any more, ms. */
const LOOK_MS = 10

/** A device that was asked for something and of which nothing is heard for so long hangs, ms: it says something every half second. */
export const SILENT_MS = 30_000
/**
 * The same of one that is all that its worker has: nothing traces for it meanwhile, and a driver may compute within the call that sends it work, for
 * long if it is software and the machine is busy.
 */
const ALONE_SILENT_MS = 120_000
/**
 * The same of one that starts, or compiles: a driver that is new to the machine may take minutes, but one that hangs would be waited for without end.
 * A trial has a dozen parts, each of which is a sign; that its process is there is none.
 */
export const START_MS = 300_000
const TICK_MS = 1000

export interface ProcessDevice extends Device {
  readonly processId: number | undefined
  /** Of WebGPU, where that is used: the one that traces, or those that were tried. */
  readonly adapters: readonly AdapterReport[]
}

/** Calls `tick` every so many ms until the answer is called. */
type Every = (ms: number, tick: () => void) => () => void

const byTimer: Every = (ms, tick) => {
  const timer = setInterval(tick, ms).unref()
  return () => clearInterval(timer)
}

/** Starts the process. Rejects with DeviceError where it, or its engine, cannot be started, and with DeviceUsageError for an adapter that is not here. */
export async function startProcessDevice(settings: DeviceSettings, every = byTimer): Promise<ProcessDevice> {
  const child = fork(fileURLToPath(processProgram('worker/node/device-process.js')), [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const waiting = new Map<number, Waiting>()
  let numbers = 0
  let end: DeviceError | undefined
  let isClosed = false
  let reportEnd = (_: DeviceError) => {}
  const broken = new Promise<never>((_, reject) => {
    reportEnd = reject
  })
  broken.catch(() => {})
  let stopWatching = () => {}
  const gone = (reason: string) => {
    if (end) return
    end = new DeviceError(reason)
    stopWatching()
    for (const { reject } of waiting.values()) reject(end)
    waiting.clear()
    if (!isClosed) reportEnd(end)
  }
  child.on('exit', (code, signal) => gone(`its process ended (${signal ?? `exit code ${code}`})`))
  child.on('error', error => {
    // One that runs, and cannot be written to, is about to end, and its exit says how.
    if (child.pid === undefined) gone(`its process did not start (${error.message})`)
  })
  const silentMs = isWebgpu(settings.engine) ? ALONE_SILENT_MS : SILENT_MS
  let startingMs: number | undefined = 0
  let quietMs = 0
  /** Shaders that are being compiled. */
  let compiling = 0
  child.on('message', (reply: DeviceReply) => {
    quietMs = 0
    if (startingMs !== undefined && reply.type !== 'sign') startingMs = 0
    if (reply.type === 'advanced') return
    if (reply.type === 'compiling') {
      compiling += reply.isCompiling ? 1 : -1
      return
    }
    if (reply.type === 'lost') {
      gone(reply.reason)
      child.kill('SIGKILL')
      return
    }
    const found = waiting.get(reply.number)
    if (!found) return
    if (reply.type === 'sign') return reply.sign && found.progress?.follow(reply.sign)
    waiting.delete(reply.number)
    if (reply.type === 'done') found.resolve(reply)
    else {
      const { usage, reason } = reply
      found.reject(usage === undefined ? new DeviceError(reason) : new DeviceUsageError(usage, reason))
    }
  })
  /** Resolves when it is on its way, or never will be. */
  const send = (request: DeviceRequest) =>
    new Promise<void>(resolve => {
      if (child.connected) child.send(request, () => resolve())
      else resolve()
    })
  const ask = (
    request: Unnumbered<DeviceRequest>,
    progress?: TileProgress,
  ): { number: number; reply: Promise<Done> } => {
    const number = ++numbers
    const reply = new Promise<Done>((resolve, reject) => {
      if (end) return reject(end)
      waiting.set(number, { resolve, reject, ...(progress ? { progress } : {}) })
      void send({ ...request, number } as DeviceRequest)
    })
    return { number, reply }
  }
  const close = async () => {
    isClosed = true
    stopWatching()
    if (end) return
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
  let adapters: readonly AdapterReport[] = []
  // Ticks are counted: a worker that is held up itself hears nothing, either.
  stopWatching = every(TICK_MS, () => {
    if (startingMs !== undefined) {
      startingMs += TICK_MS
      if (startingMs < START_MS) return
      gone(`its start did not advance for ${START_MS / 1000} s`)
    } else {
      quietMs = waiting.size > 0 ? quietMs + TICK_MS : 0
      const most = compiling > 0 ? START_MS : silentMs
      if (quietMs < most) return
      gone(`its process gave no sign for ${most / 1000} s`)
    }
    child.kill('SIGKILL')
  })
  try {
    ;({ adapters = [] } = await ask({ type: 'start', settings }).reply)
    startingMs = undefined
    quietMs = 0
  } catch (error) {
    await close()
    throw error
  }
  return {
    processId: child.pid,
    adapters,
    broken,
    close,
    pool: {
      loadScene: async (name, scene) => {
        const { number, reply } = ask({ type: 'load', name, bytes: scene.length })
        reply.catch(() => {})
        for (const [from, to] of piecesOf(scene.length, PIECE_BYTES)) {
          if (end) break
          // A view on shared memory does not travel.
          await send({ type: 'piece', number, piece: scene.slice(from, to) })
        }
        const { buildMs = 0 } = await reply
        return { buildMs }
      },
      // What was built is in another engine's form, or too large to be sent.
      restoreScene: async () => false,
      unloadScene: async name => void (await ask({ type: 'unload', name }).reply),
      trace: async (order, progress): Promise<TracedTile | undefined> => {
        const { number, reply } = ask({ type: 'trace', order }, progress)
        let wanted = progress.wanted
        let wasLeaving = false
        const look = setInterval(() => {
          const { leaving } = progress
          const now = progress.isVoid ? 0 : progress.wanted
          if (now < wanted || leaving !== wasLeaving) void send({ type: 'trim', number, rows: now, leaving })
          wanted = now
          wasLeaving = leaving
        }, LOOK_MS)
        try {
          const { traced } = await reply
          if (traced) progress.follow({ begun: traced.rows, soon: traced.rows, portions: progress.portions + 1 })
          // In the message they lie anywhere; their numbers are read at multiples of 8.
          return progress.isVoid || !traced ? undefined : { ...traced, pixels: traced.pixels.slice() }
        } finally {
          clearInterval(look)
        }
      },
    },
  }
}

/** Adapters of WebGPU on this machine, tried or only found. Rejects with DeviceError where none can be looked for. */
export async function adaptersHere(how: 'tried' | 'found'): Promise<readonly AdapterReport[]> {
  const device = await startProcessDevice({ engine: 'wasm', threads: 1, cores: 1, webgpu: { list: how } })
  await device.close()
  return device.adapters
}
