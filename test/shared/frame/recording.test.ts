import { describe, expect, it } from 'vitest'
import {
  anyRecordingSchema,
  recordedFrameSchema,
  recordingEndSchema,
  recordingHeaderSchema,
} from '../../../shared/frame/recording.ts'
import { recordedLine, recordingFacts } from '../../support/recordings.ts'

const header = { format: 'sortfirst-recording', version: 2, ...recordingFacts([2, 1]) }

describe('lines of a recording', () => {
  it('are what was written', () => {
    expect(recordingHeaderSchema.parse(JSON.parse(JSON.stringify(header)))).toEqual(header)
    const line = recordedLine([2, 1], 3, 'pbt')
    expect(recordedFrameSchema.parse(JSON.parse(JSON.stringify(line)))).toEqual(line)
    expect(recordingEndSchema.parse({ end: true, frames: 4 })).toEqual({ end: true, frames: 4 })
  })

  it('say their version before anything else is looked at', () => {
    expect(anyRecordingSchema.parse({ format: 'sortfirst-recording', version: 7 }).version).toBe(7)
    expect(recordingHeaderSchema.safeParse({ ...header, version: 7 }).success).toBe(false)
    expect(anyRecordingSchema.safeParse({ version: 1 }).success).toBe(false)
  })
})
