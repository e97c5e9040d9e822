/** The channels of a frame that a master is sending, before the frame itself comes. */
import { type FramePlanes, finishedBytes, finishedPlane, type PlaneName } from '../../shared/frame/frame-planes.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { FramePlane } from '../../shared/protocol/codec.ts'
import { decodeBytes } from '../../shared/protocol/node/pixel-encoding.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'

interface Arriving {
  readonly bytes: Uint8Array
  /** Rows so far. */
  rows: number
}

/** One frame at a time: a master sends all planes of a frame, then the frame. */
export class ArrivingPlanes {
  readonly #size: Size
  readonly #expected: readonly PlaneName[]
  readonly #planes = new Map<PlaneName, Arriving>()
  #frame: number | undefined

  /** @param expected the channels that the session asked for */
  constructor(size: Size, expected: readonly PlaneName[]) {
    this.#size = size
    this.#expected = expected
  }

  /** @throws ProtocolError for rows that were not asked for, or that do not follow those before */
  take({ frame, channel, row, rows, encoding, rawBytes, body }: FramePlane): void {
    const [w, h] = this.#size
    const name = this.#expected.find(each => each === channel)
    if (!name) throw new ProtocolError(`a frame came with channel ${channel}, which was not requested`)
    if (this.#frame !== undefined && this.#frame !== frame)
      throw new ProtocolError(`frame ${frame}: its channels came before frame ${this.#frame} was complete`)
    this.#frame = frame
    const rowBytes = w * finishedBytes(name)
    const plane = this.#planes.get(name) ?? { bytes: new Uint8Array(h * rowBytes), rows: 0 }
    if (row !== plane.rows || rows < 1 || row + rows > h || rawBytes !== rows * rowBytes)
      throw new ProtocolError(`frame ${frame}: ${channel} came with ${rawBytes} bytes for rows ${row} to ${row + rows}`)
    plane.bytes.set(decodeBytes(encoding, body, rawBytes), row * rowBytes)
    plane.rows += rows
    this.#planes.set(name, plane)
  }

  /** The planes of a frame that is complete now. @throws ProtocolError if any is missing */
  finish(frame: number): FramePlanes {
    const planes = this.#expected.map(name => {
      const plane = this.#planes.get(name)
      if (this.#frame !== frame || plane?.rows !== this.#size[1])
        throw new ProtocolError(`frame ${frame} came without its channel ${name}`)
      return [name, finishedPlane(name, plane.bytes)]
    })
    this.#planes.clear()
    this.#frame = undefined
    return Object.fromEntries(planes)
  }
}
