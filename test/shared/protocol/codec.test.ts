import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ChannelName, newPlane } from '../../../shared/frame/channels.ts'
import { planeNames } from '../../../shared/frame/frame-planes.ts'
import {
  type BinaryMessage,
  decodeBinary,
  encodeBinary,
  HEADER_BYTES,
  type TileDone,
} from '../../../shared/protocol/codec.ts'
import { decodePixels, decodeTile, encodePixels, encodeTile } from '../../../shared/protocol/node/pixel-encoding.ts'
import { ProtocolError } from '../../../shared/protocol/protocol-error.ts'

const u32 = fc.nat(0xffffffff)
const ms = fc.double({ min: 0, max: 1e9, noNaN: true }).filter(value => value === 0 || value >= 2 ** -1022)
const anyTile: fc.Arbitrary<BinaryMessage> = fc
  .record({
    lease: u32,
    rawBytes: u32,
    rect: fc.record({
      x: fc.nat(8000),
      y: fc.nat(8000),
      w: fc.integer({ min: 1, max: 20 }),
      h: fc.integer({ min: 1, max: 20 }),
    }),
    encoding: fc.constantFrom('raw' as const, 'lz4' as const),
    times: fc.record(
      {
        waitMs: ms,
        wallMs: ms,
        cpuMs: ms,
        encodeMs: ms,
        work: ms,
        more: fc.constant(true as const),
      },
      { requiredKeys: ['waitMs', 'wallMs', 'cpuMs', 'encodeMs'] },
    ),
    body: fc.uint8Array({ minLength: 20, maxLength: 300 }),
    cells: fc.option(fc.uint8Array({ minLength: 1, maxLength: 20 })),
    channelBytes: fc.option(fc.array(fc.nat(10), { minLength: 1, maxLength: 2 })),
  })
  .map(({ cells, channelBytes, ...tile }) => ({
    kind: 'tile-done' as const,
    ...tile,
    ...(cells ? { cells } : {}),
    ...(channelBytes ? { channelBytes } : {}),
  }))
const anyChunk: fc.Arbitrary<BinaryMessage> = fc
  .record({ part: fc.constant('5e'.repeat(32)), index: u32, body: fc.uint8Array({ maxLength: 500 }) })
  .map(chunk => ({ kind: 'part-chunk' as const, ...chunk }))

const tile: TileDone = {
  kind: 'tile-done',
  lease: 9,
  rect: { x: 1, y: 2, w: 4, h: 2 },
  encoding: 'raw',
  rawBytes: 24,
  times: { waitMs: 0, wallMs: 1, cpuMs: 1, encodeMs: 0 },
  body: new Uint8Array(24),
}

const anyFrame: fc.Arbitrary<BinaryMessage> = fc
  .record({
    session: u32,
    frame: u32,
    encoding: fc.constantFrom('raw' as const, 'lz4' as const),
    rawBytes: u32,
    report: fc.record({ bytes: fc.uint8Array({ minLength: 1, maxLength: 100 }), deflated: fc.boolean() }),
    body: fc.uint8Array({ maxLength: 300 }),
  })
  .map(frame => ({ kind: 'frame-done' as const, ...frame }))

const anyPlane: fc.Arbitrary<BinaryMessage> = fc
  .record({
    session: u32,
    frame: u32,
    row: u32,
    rows: u32,
    rawBytes: u32,
    channel: fc.constantFrom(...planeNames),
    encoding: fc.constantFrom('raw' as const, 'lz4' as const),
    body: fc.uint8Array({ maxLength: 300 }),
  })
  .map(plane => ({ kind: 'frame-plane' as const, ...plane }))

describe('binary frames', () => {
  it('come back as they were, at any alignment', () => {
    fc.assert(
      fc.property(fc.oneof(anyTile, anyChunk, anyFrame, anyPlane), fc.nat(7), (message, shift) => {
        const bytes = encodeBinary(message)
        const moved = new Uint8Array(bytes.length + shift)
        moved.set(bytes, shift)
        const back = decodeBinary(moved.subarray(shift))
        expect(plain(back)).toEqual(plain(message))
      }),
    )
  })

  const broken: [string, (bytes: Uint8Array) => Uint8Array, RegExp][] = [
    ['shorter than a header', bytes => bytes.subarray(0, HEADER_BYTES - 1), /expected a header of 48 bytes, got 47/],
    ['with another magic', bytes => patch(bytes, 0, 1), /does not begin with/],
    ['of another layout', bytes => patch(bytes, 4, 7), /expected layout 2, got 7/],
    ['of an unknown kind', bytes => patch(bytes, 6, 9), /unknown kind/],
    ['with an unknown encoding', bytes => patch(bytes, 32, 200), /unknown kind or encoding/],
    ['cut short', bytes => bytes.subarray(0, bytes.length - 1), /declares/],
    ['with too much behind', bytes => Uint8Array.from([...bytes, 0]), /declares/],
    ['with a rectangle beyond any frame', bytes => patch(bytes, 19, 1), /outside any frame/],
    ['with no width', bytes => patch(bytes, 24, 0), /outside any frame/],
    ['with meta that is no JSON', bytes => patch(bytes, HEADER_BYTES, 0x7d), /not JSON/],
  ]
  it.each(broken)('are refused %s', (_, harm, message) => {
    const harmed = harm(encodeBinary(tile))
    expect(() => decodeBinary(harmed)).toThrow(ProtocolError)
    expect(() => decodeBinary(harmed)).toThrow(message)
  })

  it('may hold fewer pixels than their rectangle, and costs of cells behind them', () => {
    const some: TileDone = { ...tile, rawBytes: 6, body: new Uint8Array(6), cells: Uint8Array.of(1, 2, 3, 4) }
    expect(plain(decodeBinary(encodeBinary(some)))).toEqual(plain(some))
    const two = encodeBinary({ ...some, body: new Uint8Array(2) })
    const at = new TextDecoder('latin1').decode(two).indexOf('"cellBytes":4') + '"cellBytes":'.length
    two[at] = '9'.charCodeAt(0)
    expect(() => decodeBinary(two)).toThrow('9 bytes of cells in a body of 6')
  })

  it.each([1e308, 1.1e9, -1, 5e-324])('say no time of %d ms', ms => {
    const absurd: TileDone = { ...tile, times: { ...tile.times, cpuMs: ms } }
    expect(() => decodeBinary(encodeBinary(absurd))).toThrow(ProtocolError)
  })

  it('may not have a report that is longer than they are', () => {
    const report = { bytes: new Uint8Array(10), deflated: false }
    const frame = { kind: 'frame-done', session: 0, frame: 0, encoding: 'raw', rawBytes: 3, report, body: report.bytes }
    const text = new TextDecoder('latin1').decode(encodeBinary(frame as BinaryMessage)).replace(':10', ':99')
    expect(() => decodeBinary(Uint8Array.from(text, c => c.charCodeAt(0)))).toThrow(
      'a report of 99 bytes in a body of 20',
    )
  })

  it('never do worse than a protocol error, whatever comes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), fc.array(fc.tuple(fc.nat(80), fc.nat(255))), (noise, patches) => {
        const harmed = encodeBinary(tile)
        for (const [at, value] of patches) harmed[at] = value
        for (const bytes of [noise, harmed]) {
          try {
            decodeBinary(bytes)
          } catch (error) {
            expect(error).toBeInstanceOf(ProtocolError)
          }
        }
      }),
    )
  })

  const patch = (bytes: Uint8Array, at: number, value: number) => {
    const copy = Uint8Array.from(bytes)
    copy[at] = value
    return copy
  }
})

/** With arrays that compare whatever their buffers. */
const plain = (message: BinaryMessage) => ({
  ...message,
  body: [...message.body],
  ...(message.kind === 'frame-done' ? { report: { ...message.report, bytes: [...message.report.bytes] } } : {}),
})

describe('pixels on the wire', () => {
  it('come back as they were in every encoding', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 3000 }),
        fc.constantFrom('raw' as const, 'lz4' as const),
        (pixels, encoding) => {
          expect([...decodePixels(encoding, 'rgb', encodePixels(encoding, 'rgb', pixels), pixels.length)]).toEqual([
            ...pixels,
          ])
        },
      ),
    )
  })

  it('are refused when they are not as many as promised, before anything is allocated for them', () => {
    const packed = Uint8Array.from(encodePixels('lz4', 'rgb', new Uint8Array(100)))
    expect(() => decodePixels('raw', 'rgb', new Uint8Array(99), 100)).toThrow('expected 100 bytes, got 99')
    expect(() => decodePixels('lz4', 'rgb', packed, 99)).toThrow('LZ4 declares 100 bytes, expected 99')
    new DataView(packed.buffer).setUint32(0, 0xfffffff0, true)
    expect(() => decodePixels('lz4', 'rgb', packed, 100)).toThrow('LZ4 declares 4294967280 bytes')
    expect(() => decodePixels('lz4', 'rgb', Uint8Array.of(100, 0, 0, 0, 255, 255, 255), 100)).toThrow(ProtocolError)
    expect(() => decodePixels('lz4', 'rgb', new Uint8Array(2), 100)).toThrow(ProtocolError)
  })
})

describe('tiles of several channels', () => {
  const channels: ChannelName[] = ['light', 'normal', 'id', 'alpha', 'rgb']
  const pixels = 7
  const planes = channels.map((name, c) => {
    const plane = newPlane(name, pixels)
    for (const i of plane.keys()) plane[i] = (i * 13 + c) % 200
    return new Uint8Array(plane.buffer)
  })
  const tile = Uint8Array.from(planes.flatMap(plane => [...plane]))

  it.each(['raw', 'lz4'] as const)('come back as they were, %s', encoding => {
    const encoded = encodeTile(encoding, channels, pixels, tile)
    expect(encoded.channelBytes).toHaveLength(4)
    expect(Buffer.compare(decodeTile(encoding, channels, pixels, encoded), tile)).toBe(0)
  })

  it('are as they always were if there is one', () => {
    const rgb = new Uint8Array(21).fill(5)
    expect(encodeTile('raw', ['rgb'], pixels, rgb)).toEqual({ body: rgb })
  })

  it('are refused if lengths do not match', () => {
    const { body, channelBytes } = encodeTile('raw', channels, pixels, tile) as {
      body: Uint8Array
      channelBytes: number[]
    }
    const decode =
      (bytes: number[], from = body) =>
      () =>
        decodeTile('raw', channels, pixels, { body: from, channelBytes: bytes })
    expect(decode(channelBytes.slice(1))).toThrow('expected the lengths of 5 channels, got 4')
    expect(decode(channelBytes.map((n, i) => n + (i === 1 ? 1 : 0)))).toThrow(ProtocolError)
    expect(decode(channelBytes.map(() => 1e9))).toThrow(ProtocolError)
    expect(decode(channelBytes, body.subarray(0, -1))).toThrow(ProtocolError)
    expect(decode(channelBytes, Uint8Array.of(...body, 0))).toThrow(ProtocolError)
  })
})
