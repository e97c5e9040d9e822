/** A device in a process of its own, as a pool: requests and replies over its channel, and its end as an error. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { processProgram } from '../../shared/node/program-files.ts'
import { type Device, DeviceError } from '../accelerators/guarded-pool.ts'
import type { TracedTile } from '../tile-order.ts'
import type { TileProgress } from '../tile-progress.ts'
import type { DeviceReply, DeviceRequest, DeviceSettings } from './device-messages.ts'

type Done = Extract<DeviceReply, { readonly type: 'done' }>
type Unnumbered<T> = T extends unknown ? Omit<T, 'number'> : never

interface Waiting {
  resolve(reply: Done): void
  reject(error: DeviceError): void
  readonly progress?: TileProgress
}

/** How often a tile is looked at for rows that are not wanted any more, ms. */
const LOOK_MS = 10

export interface ProcessDevice extends Device {
  readonly processId: number | undefined
}

/** Starts the process. Rejects with DeviceError where it, or its engine, cannot be started. */
export async function startProcessDevice(settings: DeviceSettings): Promise<ProcessDevice> {
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
  const gone = (how: string) => {
    if (end) return
    end = new DeviceError(`its process ended (${how})`)
    for (const { reject } of waiting.values()) reject(end)
    waiting.clear()
    if (!isClosed) reportEnd(end)
  }
  child.on('exit', (code, signal) => gone(signal ?? `exit code ${code}`))
  child.on('error', error => {
    // One that runs, and cannot be written to, is about to end, and its exit says how.
    if (child.pid === undefined) gone(error.message)
  })
  child.on('message', (reply: DeviceReply) => {
    const found = waiting.get(reply.number)
    if (!found) return
    if (reply.type === 'sign') return found.progress?.advance(reply.begun)
    waiting.delete(reply.number)
    if (reply.type === 'done') found.resolve(reply)
    else found.reject(new DeviceError(reply.reason))
  })
  const send = (request: DeviceRequest) => {
    if (child.connected) child.send(request, () => {})
  }
  const ask = (
    request: Unnumbered<DeviceRequest>,
    progress?: TileProgress,
  ): { number: number; reply: Promise<Done> } => {
    const number = ++numbers
    const reply = new Promise<Done>((resolve, reject) => {
      if (end) return reject(end)
      waiting.set(number, { resolve, reject, ...(progress ? { progress } : {}) })
      send({ ...request, number } as DeviceRequest)
    })
    return { number, reply }
  }
  const close = async () => {
    isClosed = true
    if (end) return
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
  try {
    await ask({ type: 'start', settings }).reply
  } catch (error) {
    await close()
    throw error
  }
  return {
    processId: child.pid,
    broken,
    close,
    pool: {
      loadScene: async (name, scene) => {
        // A view on shared memory does not travel.
        const { buildMs = 0 } = await ask({ type: 'load', name, scene: scene.slice() }).reply
        return { buildMs }
      },
      // What was built is in another engine's form, or too large to be sent.
      restoreScene: async () => false,
      unloadScene: async name => void (await ask({ type: 'unload', name }).reply),
      trace: async (order, progress): Promise<TracedTile | undefined> => {
        const { number, reply } = ask({ type: 'trace', order }, progress)
        let wanted = progress.wanted
        const look = setInterval(() => {
          const now = progress.isVoid ? 0 : progress.leaving ? progress.begun : progress.wanted
          if (now < wanted) send({ type: 'trim', number, rows: now })
          wanted = Math.min(wanted, now)
        }, LOOK_MS)
        try {
          const { traced } = await reply
          if (traced) progress.advance(traced.rows)
          return progress.isVoid ? undefined : traced
        } finally {
          clearInterval(look)
        }
      },
    },
  }
}
