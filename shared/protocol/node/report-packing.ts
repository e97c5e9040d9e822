/**
 * Frame reports for the wire: JSON, deflated if it is long. A frame of tens of thousands of tiles has a report of several MiB, in
 * which every tile resembles its neighbours.
 */
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import { messageOf } from '../../errors.ts'
import { type FrameReport, frameReportSchema } from '../../frame/frame-report.ts'
import { parseJsonBytes } from '../../text/bounded-json.ts'
import { schemaProblem } from '../../text/schema-problem.ts'
import type { PackedReport } from '../codec.ts'
import { ProtocolError } from '../protocol-error.ts'

/** Reports up to this size are sent uncompressed, bytes. */
const MAX_PLAIN_BYTES = 16 * 1024
/** Largest report that is unpacked, bytes: 130,000 tiles with all of their spans. */
export const MAX_REPORT_BYTES = 128 * 1024 * 1024

export function packReport(report: FrameReport): PackedReport {
  const json = new TextEncoder().encode(JSON.stringify(report))
  if (json.length <= MAX_PLAIN_BYTES) return { bytes: json, deflated: false }
  return { bytes: deflateRawSync(json, { level: constants.Z_BEST_SPEED }), deflated: true }
}

/** @throws ProtocolError if the bytes are not a report, or too long for one */
export function unpackReport({ bytes, deflated }: PackedReport): FrameReport {
  const result = frameReportSchema.safeParse(jsonOf(bytes, deflated))
  if (result.success) return result.data
  throw new ProtocolError(`frame report: ${schemaProblem(result.error).slice(0, 1000)}`)
}

function jsonOf(bytes: Uint8Array, deflated: boolean): unknown {
  try {
    const json = deflated ? inflateRawSync(bytes, { maxOutputLength: MAX_REPORT_BYTES }) : bytes
    return parseJsonBytes(json)
  } catch (error) {
    throw new ProtocolError(`frame report: expected at most ${MAX_REPORT_BYTES} bytes of JSON, got ${messageOf(error)}`)
  }
}
