/** What `--log json` writes on standard error, for programs: a JSON object a line. Fields are called as in `onProgress` and in reports of frames. */
import * as z from 'zod'
import { frameProgressSchema } from '../../shared/frame/frame-progress.ts'
import { ms, ratio, whole } from '../../shared/text/numbers.ts'

const common = {
  /** When it was written, ISO 8601, UTC. */
  time: z.iso.datetime(),
  level: z.enum(['info', 'warning', 'error']),
}

/** Of the film, from least to most: these differ where it depends on noise. Absent as long as nothing is known. */
const secondsToGo = z.object({ least: z.number().nonnegative(), most: z.number().nonnegative() }).exactOptional()

/** Of a run that compares several, or shares frames among workers. */
const strategy = z.string().exactOptional()

export const logLineSchema = z.discriminatedUnion('event', [
  /** What is done, has happened, or is to be known. */
  z.object({ ...common, event: z.literal('message'), text: z.string() }),
  /** A series of frames begins. */
  z.object({ ...common, event: z.literal('begin'), strategy, frames: whole }),
  /** How far a frame has come that takes long: twice a second. `percent` is `least`, rounded down. */
  z.object({
    ...common,
    event: z.literal('progress'),
    strategy,
    ...frameProgressSchema.shape,
    percent: z.int().min(0).max(100),
    secondsToGo,
  }),
  /** A frame is complete, `done` of `frames` of its series. ε is that of several workers, all of which have a CPU clock. */
  z.object({
    ...common,
    event: z.literal('frame'),
    strategy,
    frame: whole,
    done: whole,
    frames: whole,
    frameMs: ms,
    epsilonCpu: ratio.exactOptional(),
    endedBy: z.string().exactOptional(),
    secondsToGo,
  }),
  /** The program ends without a result: a sentence, the error's code if it has one, and the exit code. */
  z.object({
    ...common,
    event: z.literal('error'),
    text: z.string(),
    code: z.string().exactOptional(),
    exitCode: whole,
  }),
])

export type LogLine = z.infer<typeof logLineSchema>
