/** The codec, and what unpacks the bodies of its messages: pixels, light, cells, reports. Also bodies that lie about their size. */
import { constants, deflateRawSync } from 'node:zlib'
import { bytesPerPixelOf, type ChannelName, channelNames, inOrder } from '../../../shared/frame/channels.ts'
import { type BinaryMessage, decodeBinary, encodeBinary } from '../../../shared/protocol/codec.ts'
import { unpackCells } from '../../../shared/protocol/node/cell-packing.ts'
import { decodePixels, decodeTile, encodePixels } from '../../../shared/protocol/node/pixel-encoding.ts'
import { MAX_REPORT_BYTES, unpackReport } from '../../../shared/protocol/node/report-packing.ts'
import type { Dice } from './dice.ts'
import { harmedWire } from './harm.ts'
import { harmedBytes, joined } from './mutations.ts'
import { ALL, CELL_BYTES, isBinary } from './scripts.ts'
import { expectPeersFault, Fault } from './tape.ts'
import type { Target } from './target.ts'

const BINARY = ALL.filter(isBinary)

export const codecTarget: Target = {
  name: 'codec',
  share: 30,
  async play(dice) {
    try {
      if (dice.chance(0.25)) unpack(bomb(dice), dice)
      else {
        const wire = harmedWire(dice.pick(BINARY), dice)
        const message = decodeBinary(typeof wire === 'string' ? new TextEncoder().encode(wire) : wire)
        // What was understood can be said again.
        decodeBinary(encodeBinary(message))
        unpack(message, dice)
      }
      return 'taken'
    } catch (error) {
      if (error instanceof Fault) throw error
      expectPeersFault(error)
      return (error as { code: string }).code
    }
  },
}

/** @throws ProtocolError, Fault if more comes out than was asked for */
function unpack(message: BinaryMessage, dice: Dice): void {
  if (message.kind === 'part-chunk') return
  if (message.kind === 'frame-done') unpackReport(message.report)
  if (message.kind !== 'tile-done') {
    const asked = dice.chance(0.5) ? 24 * 16 * 3 : message.body.length
    expectLength(decodePixels(message.encoding, 'rgb', message.body, asked), asked)
    return
  }
  const { rect, body, channelBytes, cells, encoding } = message
  const channels: ChannelName[] = channelBytes ? inOrder(['light', dice.pick(channelNames)]) : ['rgb']
  // The master asks for as many pixels as it ordered, whatever the message says.
  const pixels = dice.chance(0.5) ? 24 * 8 : Math.min(rect.w * rect.h, 2 ** 16)
  const wanted = { ...rect, w: 24, h: 8 }
  if (cells && unpackCells(cells, wanted, 8, 1).costs.length > 16) throw new Fault('more cells than were asked for')
  const tile = decodeTile(encoding, channels, pixels, { body, ...(channelBytes ? { channelBytes } : {}) })
  expectLength(tile, pixels * bytesPerPixelOf(channels))
}

function expectLength({ length }: Uint8Array, asked: number): void {
  if (length !== asked) throw new Fault(`${asked} bytes were asked for, and ${length} were unpacked`)
}

const TIMES = { waitMs: 0, wallMs: 1, cpuMs: 1, encodeMs: 0 }

/** A message whose body is compressed, and says more or less than it holds, or holds far more than it seems to. */
function bomb(dice: Dice): BinaryMessage {
  const rect = { x: 0, y: 0, w: 24, h: 8 }
  const tile = { kind: 'tile-done', lease: 0, rect, encoding: 'lz4', rawBytes: 576, times: TIMES } as const
  switch (dice.below(4)) {
    case 0: {
      const body = Uint8Array.from(encodePixels('lz4', 'rgb', new Uint8Array(2 ** dice.below(16)).fill(7)))
      new DataView(body.buffer).setUint32(0, dice.pick([0, 1, 575, 576, 577, 2 ** 31 - 1, 2 ** 32 - 1]), true)
      return { ...tile, body }
    }
    case 1: {
      const body = Uint8Array.from(encodePixels('lz4', 'light', new Uint8Array(24 * 8 * 24)))
      return { ...tile, body: harmedBytes(body, dice), channelBytes: [dice.below(body.length + 2)] }
    }
    case 2: {
      const much = dice.chance(0.5) ? new Uint8Array(2 ** dice.below(22)) : joined(CELL_BYTES, dice.bytes(9))
      return { ...tile, encoding: 'raw', body: new Uint8Array(576), cells: harmedOrNot(deflated(much), dice) }
    }
    default: {
      // Rarely as much as may be unpacked, and more: that takes a tenth of a second.
      const length = dice.chance(1e-4) ? MAX_REPORT_BYTES + dice.below(3) - 1 : 2 ** dice.below(20)
      const report = {
        bytes: harmedOrNot(deflated(new Uint8Array(length).fill(dice.pick([0, 0x20, 0x2c, 0x30, 0x5b, 0x7b]))), dice),
        deflated: true,
      }
      return { kind: 'frame-done', session: 0, frame: 0, encoding: 'raw', rawBytes: 0, report, body: new Uint8Array(0) }
    }
  }
}

const deflated = (bytes: Uint8Array): Uint8Array => deflateRawSync(bytes, { level: constants.Z_BEST_SPEED })

const harmedOrNot = (bytes: Uint8Array, dice: Dice): Uint8Array =>
  dice.chance(0.5) ? bytes : joined(harmedBytes(bytes, dice), Uint8Array.of(0))
