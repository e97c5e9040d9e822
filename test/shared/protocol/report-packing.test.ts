import { isDeepStrictEqual } from 'node:util'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import { decodeBinary, encodeBinary } from '../../../shared/protocol/codec.ts'
import { MAX_REPORT_BYTES, packReport, unpackReport } from '../../../shared/protocol/node/report-packing.ts'
import { ProtocolError } from '../../../shared/protocol/protocol-error.ts'
import { manyWorkers, strategyRun } from '../../scripts/report/synthetic-run.ts'

const [small] = strategyRun('static-blocks', 'equal', manyWorkers(2), 1).reports as [FrameReport]

/** 1920 × 1080 in tiles of 8 × 8 px, with all of their spans. */
function largeReport(): FrameReport {
  const rects = Array.from({ length: 32_400 }, (_, i) => ({ x: (i % 240) * 8, y: Math.floor(i / 240) * 8, w: 8, h: 8 }))
  const tiles = rects.map((rect, i) => ({ rect, worker: 'id-0', cpuMs: 1 + Math.sin(i), wallMs: 2 + Math.sin(i) }))
  const spans = rects.flatMap((tile, i) =>
    (['transmit', 'render', 'transmit', 'stitch'] as const).map((kind, j) => {
      const start = Math.sqrt(i + j)
      return { kind, frame: 0, worker: 'id-0', tile, start, end: start + Math.PI }
    }),
  )
  return { ...small, tiles, spans }
}

describe('a frame report', () => {
  it('comes back as it was, also one of more than 16 MiB', () => {
    expect(packReport(small).deflated).toBe(false)
    expect(unpackReport(packReport(small))).toEqual(small)
    const large = largeReport()
    expect(JSON.stringify(large).length).toBeGreaterThan(16 * 2 ** 20)
    const message = { kind: 'frame-done', session: 1, frame: 0, encoding: 'raw', rawBytes: 3 } as const
    const sent = encodeBinary({ ...message, report: packReport(large), body: new Uint8Array(3) })
    expect(sent.length).toBeLessThan(8 * 2 ** 20)
    const back = decodeBinary(sent)
    // Of 160,000 objects, vitest's own comparison takes ten seconds.
    expect(back.kind === 'frame-done' && isDeepStrictEqual(unpackReport(back.report), large)).toBe(true)
  })

  it('is refused when it is none, or far longer than it looks', () => {
    const bytes = (text: string) => new TextEncoder().encode(text)
    const refused = (packed: Uint8Array, deflated: boolean) =>
      expect(() => unpackReport({ bytes: packed, deflated })).toThrow(ProtocolError)
    refused(bytes('{}'), false)
    refused(bytes('{'), false)
    refused(bytes('{}'), true)
    refused(bytes(JSON.stringify({ ...small, frameMs: -1 })), false)
    refused(deflateRawSync(Buffer.alloc(MAX_REPORT_BYTES + 1, 0x20)), true)
  })
})
