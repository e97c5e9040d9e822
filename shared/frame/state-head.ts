/**
 * What there is of a frame as bytes: a head, which is JSON, and sections, which are planes and then counts and marks. Checkpoints consist of
 * them, and so does what a master and its client tell each other of frames in the making. Numbers in sections are little-endian.
 */
import * as z from 'zod'
import { type Immutable, whole } from '../text/numbers.ts'
import { channelNames } from './channels.ts'
import type { FrameState, StatePlane } from './frame-state.ts'
import { frameSizeSchema } from './rect-schema.ts'
import { sampleRangeSchema } from './view.ts'

/** Each channel may have sums, and those of its newest range apart. */
const MAX_PLANES = 2 * channelNames.length

export const stateHeadSchema = z.object({
  size: frameSizeSchema,
  most: z.int().min(1),
  range: sampleRangeSchema,
  phase: z.enum(['tracing', 'judging', 'complete']),
  channels: z.array(z.enum(channelNames)).max(channelNames.length),
  left: z.object({ share: z.number(), most: z.number() }).exactOptional(),
  /** Planes in the order of their sections, bytes each. */
  planes: z.array(z.object({ channel: z.enum(channelNames), isNewest: z.boolean(), bytes: whole })).max(MAX_PLANES),
  /** Bytes of the sections after them; `open` and `next` are 0 for frames that are not adaptive, `next` also for those that are not complete. */
  taken: whole,
  open: whole,
  next: whole,
  arrived: whole,
})

export type StateHead = Immutable<z.infer<typeof stateHeadSchema>>

export function headOf(state: FrameState): z.infer<typeof stateHeadSchema> {
  const { size, most, range, phase, channels, left, planes, taken, open, next, arrived } = state
  return {
    size: [...size],
    most,
    range: { ...range },
    phase,
    channels: [...channels],
    ...(left ? { left: { ...left } } : {}),
    planes: planes.map(({ channel, isNewest, bytes }) => ({ channel, isNewest, bytes: bytes.length })),
    taken: taken.byteLength,
    open: open?.byteLength ?? 0,
    next: next?.byteLength ?? 0,
    arrived: arrived.byteLength,
  }
}

const NOTHING = new Uint8Array(0)

/** In the order of the head. */
export const sectionsOf = ({ planes, taken, open, next, arrived }: FrameState): Uint8Array[] => [
  ...planes.map(({ bytes }) => bytes),
  ...[taken, open ?? NOTHING, next ?? NOTHING, arrived].map(bytesOf),
]

const bytesOf = (array: Uint8Array | Uint32Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

/** Lengths of the sections. */
export const sectionBytes = ({ planes, taken, open, next, arrived }: StateHead): number[] => [
  ...planes.map(({ bytes }) => bytes),
  taken,
  open,
  next,
  arrived,
]

/** @param sections each at the beginning of memory of its own */
export function stateOf(head: StateHead, sections: readonly Uint8Array[]): FrameState {
  const { size, most, range, phase, channels, left } = head
  const planes = head.planes.map(({ channel, isNewest }, i): StatePlane => ({ channel, isNewest, bytes: sections[i]! }))
  const [taken, open, next, arrived] = sections.slice(planes.length) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array]
  const words = (bytes: Uint8Array) => new Uint32Array(bytes.buffer, 0, bytes.length / 4)
  return {
    size,
    most,
    range,
    phase,
    channels,
    planes,
    taken: words(taken),
    ...(open.length > 0 ? { open } : {}),
    ...(next.length > 0 ? { next } : {}),
    arrived: words(arrived),
    ...(left ? { left } : {}),
  }
}
