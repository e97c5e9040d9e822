/** Tells from the messages between a worker and its master which phase of which frame the worker is in. */
import type { Size } from '../../../shared/frame/rect.ts'
import type { Way } from './fault-line.ts'
import type { Phase } from './scenario.ts'
import type { Passing } from './socket-messages.ts'

export interface Progress {
  readonly phase: Phase
  readonly frame: number
}

/** Places in the header of binary messages (`shared/protocol/codec.ts`). */
export const AT = { kind: 6, lease: 12, y: 20, metaBytes: 36, bodyBytes: 40, header: 48 } as const
const TILE_DONE = 0
const PART_CHUNK = 1

interface Order {
  readonly type: string
  readonly lease: number
  readonly work: number
  readonly view?: { readonly view: { readonly frame: number; readonly size: Size } }
  readonly pattern?: { readonly kind: string }
  readonly parts?: readonly string[]
}

export const isChunk = ({ kind, payload }: Passing): boolean =>
  kind === 'binary' && payload.readUInt16LE(AT.kind) === PART_CHUNK

export const isTileDone = ({ kind, payload }: Passing): boolean =>
  kind === 'binary' && payload.readUInt16LE(AT.kind) === TILE_DONE

export class WorkerProgress {
  readonly #size: Size
  readonly #works = new Map<number, { readonly frame: number; readonly isThumbnail: boolean }>()
  /** Orders that it has not answered, with their frames. */
  readonly open = new Map<number, number>()
  #chunksToCome = 0
  #chunks = 0

  /** @param size of frames; smaller ones are thumbnails */
  constructor(size: Size) {
    this.#size = size
  }

  /** What a message that is about to pass means; undefined: nothing new. */
  see(way: Way, message: Passing): Progress | undefined {
    if (message.kind === 'binary') return way === 'to-master' ? this.#answer(message) : this.#chunk(message)
    if (message.kind !== 'text') return undefined
    const said = JSON.parse(message.payload.toString()) as Order
    switch (said.type) {
      case 'hello':
        this.#works.clear()
        this.open.clear()
        return { phase: 'hello', frame: 0 }
      case 'parts-wanted':
        this.#chunksToCome = said.parts?.length ?? 0
        this.#chunks = 0
        return this.#chunksToCome > 0 ? { phase: 'transfer', frame: 0 } : undefined
      case 'trace-tile':
        return this.#order(said)
      case 'tile-failed':
      case 'cancel-tile':
        this.open.delete(said.lease)
        return undefined
      case 'scene-ready':
        return { phase: 'build', frame: 0 }
      case 'cancel-work': {
        const frame = this.#works.get(said.work)?.frame
        for (const [lease, of] of [...this.open]) if (of === frame) this.open.delete(lease)
        return undefined
      }
      default:
        return undefined
    }
  }

  #order({ work, view, lease, pattern }: Order): Progress | undefined {
    if (view) {
      const { frame, size } = view.view
      this.#works.set(work, { frame, isThumbnail: size[0] < this.#size[0] })
    }
    const known = this.#works.get(work)
    if (!known) return undefined
    const { frame, isThumbnail } = known
    if (!isThumbnail) this.open.set(lease, frame)
    return { phase: isThumbnail ? 'warm-up' : pattern?.kind === 'lattice' ? 'probe' : 'trace', frame }
  }

  #answer(message: Passing): Progress | undefined {
    if (!isTileDone(message)) return undefined
    const { payload } = message
    const lease = payload.readUInt32LE(AT.lease)
    const frame = this.open.get(lease)
    if (frame === undefined) return undefined
    const meta = payload.subarray(AT.header, AT.header + payload.readUInt32LE(AT.metaBytes))
    if (!meta.includes('"more":true')) this.open.delete(lease)
    return { phase: 'answer', frame }
  }

  /** The last part of a scene is followed by its building. */
  #chunk(message: Passing): Progress | undefined {
    if (!isChunk(message)) return undefined
    return ++this.#chunks === this.#chunksToCome ? { phase: 'build', frame: 0 } : undefined
  }
}
