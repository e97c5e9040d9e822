/** A built scene, copied to its final memory by all threads: half of that time a thread waits for pages that are touched for the first time. */
import type { CopyStage } from './wasm-scene.ts'

/** Bytes that a thread takes at a time. */
const PART = 1 << 22

/** Copies until nothing is left to take; alone, if nothing is shared. */
export function copyParts({
  memory,
  to,
  structure,
  base,
  end,
  shared,
}: Omit<CopyStage, 'stage' | 'shared'> & Partial<CopyStage>): void {
  const next = shared ? new Int32Array(shared) : new Int32Array(1)
  const source = new Uint8Array(memory.buffer)
  const target = new Uint8Array(to.buffer)
  for (;;) {
    const from = Atomics.add(next, 0, 1) * PART
    if (from >= end) return
    const until = Math.min(from + PART, end)
    // The scene as it lies, and its structure, which lies elsewhere.
    if (from < base) target.set(source.subarray(from, Math.min(until, base)), from)
    const first = Math.max(from, base)
    if (first < until) target.set(source.subarray(structure + first - base, structure + until - base), first)
  }
}
