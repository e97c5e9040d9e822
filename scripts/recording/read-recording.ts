/** Reads a recording; nothing is trusted until it has been validated. */
import { createInterface } from 'node:readline'
import type * as z from 'zod'
import type { CostMap } from '../../master/costs/cost-map.ts'
import { bodiesOf, costMapOf } from '../../master/costs/recorded-costs.ts'
import { messageOf } from '../../shared/errors.ts'
import {
  anyRecordingSchema,
  type LiveFrame,
  RECORDING_VERSION,
  type RecordingHeader,
  recordedFrameSchema,
  recordingEndSchema,
  recordingHeaderSchema,
} from '../../shared/frame/recording.ts'
import type { Camera } from '../../shared/frame/view.ts'
import { openRegular } from '../../shared/node/regular-file.ts'
import type { Bodies } from '../../shared/scene/bodies.ts'
import { schemaProblem } from '../../shared/text/schema-problem.ts'
import type { HostLoad } from '../../shared/time/host-load.ts'
import { plural } from '../report/figures/numbers.ts'
import { RecordingError } from './errors.ts'

/** A frame of a recording, with unpacked costs. */
export interface CostedFrame {
  readonly frame: number
  readonly camera: Camera
  /** Where things were; absent if nothing moves. */
  readonly bodies?: Bodies
  /** ms on a worker of speed 1. */
  readonly costs: CostMap
  /** Results of the live frame; absent without a cluster. */
  readonly live?: LiveFrame
}

export interface Recording {
  readonly header: RecordingHeader
  /** The frames of each strategy, both in file order. */
  readonly runs: ReadonlyMap<string, readonly CostedFrame[]>
  /** Other load on the host during a strategy's frames, if known. */
  readonly loads: ReadonlyMap<string, HostLoad>
}

/** @throws RecordingError */
export async function readRecording(path: string): Promise<Recording> {
  const runs = new Map<string, CostedFrame[]>()
  const loads = new Map<string, HostLoad>()
  let header: RecordingHeader | undefined
  let frames = 0
  let ended = false
  let number = 0
  try {
    const input = (await openRegular(path)).createReadStream({ encoding: 'utf8' })
    // Without a listener, a failure would crash the program; the loop below reports it as well.
    input.on('error', () => {})
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number++
      if (ended) throw new RecordingError(path, `line ${number}: expected nothing after its last line; record it again`)
      const value = parseLine(path, number, line)
      if (!header) {
        header = readHeader(path, value)
      } else if (isEnd(value)) {
        const { frames: promised, loads: told = [] } = check(path, number, recordingEndSchema, value)
        if (promised !== frames)
          throw new RecordingError(path, `expected ${plural(promised, 'frame')}, got ${frames}; record it again`)
        for (const { strategy, ...load } of told) loads.set(strategy, load)
        ended = true
      } else {
        const { strategy, ...frame } = readFrame(path, number, header, value)
        const run = runs.get(strategy)
        if (run) run.push(frame)
        else runs.set(strategy, [frame])
        frames++
      }
    }
  } catch (error) {
    if (error instanceof RecordingError) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new RecordingError(path, 'no such file')
    throw new RecordingError(path, `expected a readable file, got an error (${messageOf(error)})`)
  }
  if (!header) throw new RecordingError(path, 'expected a recording, got an empty file')
  if (!ended)
    throw new RecordingError(
      path,
      `expected a last line after ${plural(frames, 'frame')}, got the end of the file; it was cut off: record it again`,
    )
  return { header, runs, loads }
}

/**
 * The frames for the simulation: those of the requested strategy, or of the first one.
 * @throws RecordingError
 */
export function framesFrom(path: string, { runs }: Recording, strategy?: string): readonly CostedFrame[] {
  const [first] = runs.keys()
  const frames = runs.get(strategy ?? first ?? '')
  if (frames) return frames
  const known = [...runs.keys()].join(', ')
  throw new RecordingError(path, `expected frames of one of ${known}, got --from ${strategy}`)
}

function readHeader(path: string, value: unknown): RecordingHeader {
  const any = anyRecordingSchema.safeParse(value)
  if (!any.success)
    throw new RecordingError(path, 'expected a recording of sortfirst, got another file; make one with --record')
  if (any.data.version !== RECORDING_VERSION)
    throw new RecordingError(
      path,
      `expected version ${RECORDING_VERSION}, got ${any.data.version}; record it again with this release`,
    )
  return check(path, 1, recordingHeaderSchema, value)
}

function readFrame(
  path: string,
  line: number,
  { size }: RecordingHeader,
  value: unknown,
): CostedFrame & { readonly strategy: string } {
  const { costs, ...frame } = check(path, line, recordedFrameSchema, value)
  const map = costMapOf(size, costs)
  if (!map)
    throw new RecordingError(path, `line ${line}: its costs are not those of ${size.join('x')} px; record it again`)
  const bodies = bodiesOf(costs)
  return { ...frame, ...(bodies ? { bodies } : {}), costs: map }
}

const isEnd = (value: unknown): boolean => typeof value === 'object' && value !== null && 'end' in value

function parseLine(path: string, number: number, line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new RecordingError(
      path,
      `line ${number}: expected JSON, got something else; it was cut off or is not a recording`,
    )
  }
}

function check<T>(path: string, line: number, schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new RecordingError(path, `line ${line}: ${schemaProblem(result.error)}`)
}
