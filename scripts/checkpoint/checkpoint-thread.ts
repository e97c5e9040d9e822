/** The thread that writes and reads checkpoints, and makes pictures of them: hundreds of megabytes must not hold up the master. */
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { FrameState } from '../../shared/frame/frame-state.ts'
import { sectionBytes } from '../../shared/frame/state-head.ts'
import { partialPicture } from '../../shared/light/partial-picture.ts'
import type { Look } from '../../shared/light/tone-map.ts'
import {
  type CheckpointHeader,
  type CheckpointParts,
  HASH_BYTES,
  headerBytes,
  headerOf,
  PREFIX_BYTES,
  type Problem,
  paddingOf,
} from './checkpoint-file.ts'

export type CheckpointOrder =
  /** Creates a file. */
  | { readonly kind: 'write'; readonly path: string; readonly parts: CheckpointParts }
  | { readonly kind: 'picture'; readonly state: FrameState; readonly look: Look }
  /** @param head whether only that is wanted, and no hash is compared */
  | { readonly kind: 'read'; readonly path: string; readonly head: boolean }

export type CheckpointResult<O extends CheckpointOrder = CheckpointOrder> = O extends { kind: 'write' }
  ? undefined
  : O extends { kind: 'picture' }
    ? Uint8Array<ArrayBuffer>
    : ReadCheckpoint | Problem

export interface ReadCheckpoint {
  readonly header: CheckpointHeader
  /** Empty if only the head was wanted. */
  readonly sections: readonly Uint8Array[]
}

export interface CheckpointRequest {
  readonly number: number
  readonly order: CheckpointOrder
}
export type CheckpointAnswer = { readonly number: number } & (
  | { readonly result: CheckpointResult }
  /** The error of a system call has a code. */
  | { readonly failed: string; readonly code?: string | undefined }
)

parentPort?.on('message', ({ number, order }: CheckpointRequest) => {
  const say = (answer: CheckpointAnswer, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(answer, transfer)
  try {
    const result = done(order)
    say({ number, result }, result instanceof Uint8Array ? [result.buffer] : [])
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    say({ number, failed: message, code })
  }
})

function done(order: CheckpointOrder): CheckpointResult {
  switch (order.kind) {
    case 'write':
      write(order.path, order.parts)
      return undefined
    case 'picture':
      return partialPicture(order.state, order.look)
    case 'read':
      return read(order.path, order.head)
  }
}

/** Bytes that are hashed and written, or read, at a time. */
const STEP_BYTES = 2 ** 22

function write(path: string, { head, sections }: CheckpointParts): void {
  const hash = createHash('sha256')
  const file = openSync(path, 'wx')
  try {
    const put = (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, Math.min(STEP_BYTES, bytes.length - at))
    }
    const add = (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length; at += STEP_BYTES) {
        const step = bytes.subarray(at, at + STEP_BYTES)
        hash.update(step)
        put(step)
      }
    }
    add(head)
    for (const section of sections) {
      add(section)
      add(new Uint8Array(paddingOf(section.length)))
    }
    put(hash.digest())
  } finally {
    closeSync(file)
  }
}

function read(path: string, isHead: boolean): ReadCheckpoint | Problem {
  const file = openSync(path, 'r')
  try {
    const hash = createHash('sha256')
    const take = <B extends Uint8Array>(into: B): B | undefined => {
      for (let at = 0; at < into.length; ) {
        const got = readSync(file, into, at, Math.min(STEP_BYTES, into.length - at), null)
        if (got === 0) return undefined
        hash.update(into.subarray(at, at + got))
        at += got
      }
      return into
    }
    const prefix = take(new Uint8Array(PREFIX_BYTES))
    const length = headerBytes(prefix ?? new Uint8Array(0))
    if (typeof length === 'string') return length
    const json = take(new Uint8Array(length))
    const header = json ? headerOf(json) : 'damaged'
    if (header === 'damaged') return header
    const bytes = sectionBytes(header)
    const whole = PREFIX_BYTES + length + bytes.reduce((sum, each) => sum + each + paddingOf(each), 0) + HASH_BYTES
    // Before memory is taken for what it says.
    if (fstatSync(file).size !== whole) return 'damaged'
    if (isHead) return { header, sections: [] }
    const sections: Uint8Array[] = []
    for (const each of bytes) {
      const section = take(new Uint8Array(new SharedArrayBuffer(each)))
      if (!section || !take(new Uint8Array(paddingOf(each)))) return 'damaged'
      sections.push(section)
    }
    const digest = hash.digest()
    const said = Buffer.alloc(HASH_BYTES)
    if (readSync(file, said, 0, HASH_BYTES, null) !== HASH_BYTES || !digest.equals(said)) return 'damaged'
    return { header, sections }
  } finally {
    closeSync(file)
  }
}
