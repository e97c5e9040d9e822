/** Typed arrays with the same bytes are equal: known at once, where comparing their elements one by one takes seconds. */
import { expect } from 'vitest'

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => Buffer.from(buffer, byteOffset, byteLength)

expect.addEqualityTesters([
  function sameBytes(a: unknown, b: unknown): true | undefined {
    if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.constructor !== b.constructor) return undefined
    // What differs is left to the usual comparison, which knows how to say it.
    return bytesOf(a).equals(bytesOf(b)) ? true : undefined
  },
])
