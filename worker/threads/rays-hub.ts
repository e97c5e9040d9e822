/**
 * What all threads of a process, or of a tab, ask of its one device, rays or pixels: what they ask for at about the same time is answered together. While the device
 * traces the rays of some threads, the others shade.
 */
import { messageOf } from '../../shared/errors.ts'
import type { WasmScene } from '../engine/wasm/wasm-scene.ts'
import type { RayRequest } from '../engine/webgpu/ray-request.ts'
import { MOST_RAYS } from '../engine/webgpu/rays-device.ts'
import { GATE, type LinePort, type RaysLine } from './rays-line.ts'

/** What answers, at most MOST_RAYS of what is counted at a time. */
export interface HubDevice<Request> {
  addScene(memory: WebAssembly.Memory): Promise<number>
  dropScene(number: number): void
  trace(requests: readonly Request[]): Promise<void>
}

interface Waiting<Request> {
  readonly request: Request
  readonly gate: Int32Array
}

export interface RaysHubEvents {
  /** Some rays have been answered. */
  answered(): void
  /** Once: why the device cannot be used any more. */
  failed(reason: string): void
}

export class RaysHub<Request extends { readonly scene: number; readonly count: number } = RayRequest> {
  readonly #device: HubDevice<Request>
  readonly #events: RaysHubEvents
  readonly #scenes = new Map<string, number>()
  /** Displaced while a batch is answered, which may have rays in them. */
  readonly #leaving: number[] = []
  /** Scenes that are gone: a thread that has been ended may have asked in them before. */
  readonly #gone = new Set<number>()
  #waiting: Waiting<Request>[] = []
  readonly #turn: () => Promise<unknown>
  #isServing = false
  #isBroken = false

  /** @param turn resolves once all messages that are there have been heard */
  constructor(device: HubDevice<Request>, events: RaysHubEvents, turn: () => Promise<unknown>) {
    this.#device = device
    this.#events = events
    this.#turn = turn
  }

  /** The line of a new thread. */
  line(): RaysLine {
    const { port1, port2 } = new MessageChannel() as unknown as { readonly port1: LinePort; readonly port2: LinePort }
    const gate = new SharedArrayBuffer(4)
    const word = new Int32Array(gate)
    port1.onmessage = ({ data }) => this.#ask({ request: data as Request, gate: word })
    port1.unref?.()
    return { port: port2, gate }
  }

  /** Puts a scene on the device, and says so in it. Rejects with RaysDeviceError. */
  async place(name: string, built: object): Promise<object> {
    const scene = built as WasmScene
    const onDevice = await this.#device.addScene(scene.memory)
    this.#scenes.set(name, onDevice)
    return { ...scene, onDevice }
  }

  displace(name: string): void {
    const number = this.#scenes.get(name)
    this.#scenes.delete(name)
    if (number !== undefined) this.#leaving.push(number)
    if (!this.#isServing) this.#dropLeaving()
  }

  /** Fails all that threads wait for, and will. */
  fail(reason: string): void {
    if (this.#isBroken) return
    this.#isBroken = true
    open(this.#waiting.splice(0), GATE.failed)
    this.#events.failed(reason)
  }

  #ask(waiting: Waiting<Request>): void {
    if (this.#isBroken) return open([waiting], GATE.failed)
    this.#waiting.push(waiting)
    if (!this.#isServing) void this.#serve()
  }

  async #serve(): Promise<void> {
    this.#isServing = true
    let batch: Waiting<Request>[] = []
    try {
      while (this.#waiting.length > 0) {
        // Others were woken with the one that asked first.
        await this.#turn()
        batch = this.#next()
        if (batch.length > 0) await this.#device.trace(batch.map(({ request }) => request))
        open(batch, GATE.answered)
        this.#dropLeaving()
        this.#events.answered()
      }
    } catch (error) {
      this.fail(messageOf(error))
      open(batch, GATE.failed)
    } finally {
      this.#isServing = false
    }
  }

  #dropLeaving(): void {
    for (const number of this.#leaving.splice(0)) {
      this.#gone.add(number)
      this.#device.dropScene(number)
    }
  }

  /** As many as are traced together. */
  #next(): Waiting<Request>[] {
    const isGone = ({ request }: Waiting<Request>) => this.#gone.has(request.scene)
    open(this.#waiting.filter(isGone), GATE.failed)
    this.#waiting = this.#waiting.filter(waiting => !isGone(waiting))
    let rays = 0
    const beyond = this.#waiting.findIndex(({ request: { count } }) => {
      rays += count
      return rays > MOST_RAYS
    })
    return this.#waiting.splice(0, beyond < 0 ? this.#waiting.length : Math.max(1, beyond))
  }
}

function open(these: readonly { readonly gate: Int32Array }[], state: number): void {
  for (const { gate } of these) {
    Atomics.store(gate, 0, state)
    Atomics.notify(gate, 0)
  }
}
