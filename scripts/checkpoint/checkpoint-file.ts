/**
 * The format of `0000.checkpoint`: what there is of a frame that is not complete, and of which film it is.
 *
 *     "SFKEPT\n\0" | version u32 | length of the header u32 | header, JSON, and spaces | sections | SHA-256 of all before
 *
 * All numbers are little-endian. Header and sections begin at multiples of 8 bytes; their lengths are in the header. The sums are not
 * compressed: half of their bits are noise, and deflating 200 MB of them takes seconds where writing them takes tenths.
 */
import * as z from 'zod'
import type { FrameState } from '../../shared/frame/frame-state.ts'
import { headOf, sectionsOf, stateHeadSchema } from '../../shared/frame/state-head.ts'
import { whole } from '../../shared/text/numbers.ts'

/** Incremented when the format changes. */
export const CHECKPOINT_VERSION = 2
export const MAGIC = Buffer.from('SFKEPT\n\0', 'latin1')
export const HASH_BYTES = 32
/** Of magic, version and length. */
export const PREFIX_BYTES = 16
const MOST_HEADER_BYTES = 2 ** 20

/** What comes after the number in the names of checkpoints, and of the pictures beside them. */
export const CHECKPOINT_ENDING = 'checkpoint'
export const PARTIAL_ENDING = 'partial.png'

const headerSchema = stateHeadSchema.extend({
  /** What decides the pixels of its film, as `render.json` has it. */
  film: z.record(z.string(), z.unknown()),
  /** Fingerprint of the kernel that traced it. */
  kernel: z.string(),
  frame: whole,
})

export type CheckpointHeader = z.infer<typeof headerSchema>
/** Whose it is. */
export type Belonging = Pick<CheckpointHeader, 'film' | 'kernel' | 'frame'>

/** A file as its parts, one after the other, but for the hash. */
export interface CheckpointParts {
  readonly head: Uint8Array
  readonly sections: readonly Uint8Array[]
}

export function partsOf(state: FrameState, belonging: Belonging): CheckpointParts {
  const header: CheckpointHeader = { ...belonging, ...headOf(state) }
  const json = Buffer.from(JSON.stringify(header))
  const head = Buffer.alloc(PREFIX_BYTES + padded(json.length), ' ')
  MAGIC.copy(head)
  head.writeUInt32LE(CHECKPOINT_VERSION, 8)
  head.writeUInt32LE(head.length - PREFIX_BYTES, 12)
  json.copy(head, PREFIX_BYTES)
  return { head, sections: sectionsOf(state) }
}

/** Bytes that follow a section, so that the next begins at a multiple of 8. */
export const paddingOf = (length: number): number => padded(length) - length
const padded = (length: number): number => Math.ceil(length / 8) * 8

/** Why a file is no checkpoint that this release can read. */
export type Problem = 'foreign' | 'version' | 'damaged'

/** The length of the header. @param prefix of the file */
export function headerBytes(prefix: Uint8Array): number | Problem {
  const view = Buffer.from(prefix)
  if (prefix.length < PREFIX_BYTES || !view.subarray(0, MAGIC.length).equals(MAGIC)) return 'foreign'
  if (view.readUInt32LE(8) !== CHECKPOINT_VERSION) return 'version'
  const length = view.readUInt32LE(12)
  return length > MOST_HEADER_BYTES ? 'damaged' : length
}

export function headerOf(json: Uint8Array): CheckpointHeader | 'damaged' {
  try {
    return headerSchema.parse(JSON.parse(Buffer.from(json).toString()))
  } catch {
    return 'damaged'
  }
}
