/**
 * Measures refitting: how long a structure takes to follow its vertices when all of them have moved. A mesh becomes half as large, then as large as
 * before, in turn; so boxes and corners must come out as exactly half of what they were.
 */
import type { BakedScene } from '../../../shared/scene/ambient-look.ts'
import { viewsOf } from '../../../shared/scene/packed-layout.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import { KernelMemory } from '../../../worker/engine/wasm/memory.ts'
import { header } from '../../../worker/engine/wasm/records/access.ts'
import type { WasmEngine } from '../../../worker/engine/wasm/wasm-engine.ts'
import type { WasmScene } from '../../../worker/engine/wasm/wasm-scene.ts'
import { BenchError } from '../bench-error.ts'
import { cpuMsOf } from '../cpu-time.ts'
import { median } from '../measure.ts'

/** Number of refits per measurement: even, so that the mesh has its size again. The first ones run in unoptimised code. */
export const REFITS = 10

/** How large a mesh is in a refit, of its size at first. */
const sizeIn = (refit: number): number => (refit % 2 === 0 ? 0.5 : 1)

/**
 * @param refit refits the structure to a mesh of this share of its size at first; returns the CPU time of the refit alone, ms
 * @returns the median, ms
 */
export function timedRefit(refit: (size: number) => number): number {
  return median(Array.from({ length: REFITS }, (_, i) => refit(sizeIn(i))))
}

/**
 * Refits a scene that the kernel has built on one thread, in new memories. Its vertices are baked beforehand, which is not measured.
 * @returns undefined for a scene whose meshes are instanced: it is built anew
 * @throws BenchError if something was not refitted
 */
export function refitKernel(
  engine: WasmEngine,
  { bytes }: Pick<BakedScene, 'bytes'>,
  built: WasmScene,
): number | undefined {
  if (header(new KernelMemory(built.memory), 'instanceCount') > 0) return undefined
  const half = halfAsLarge(bytes)
  let newest = built
  return timedRefit(size => {
    const building = engine.begin(size === 1 ? bytes : half, 1, { built: newest, refit: true })
    const ms = cpuMsOf(() => {
      engine.help(building)
      newest = engine.finish(building)
    })
    if (!newest.tree || !isScaled(built, newest, size))
      throw new BenchError('wasm: expected a refitted structure, got another')
    return ms
  })
}

function halfAsLarge(bytes: Uint8Array): Uint8Array {
  const scene = viewsOf(bytes)
  const instances = scene.instances.map(instance => ({ ...instance, transform: instance.transform.map(x => x / 2) }))
  return packScene({ ...scene, instances }).bytes
}

/** Floats of a node and of a triangle4, and which of them are lengths. */
const NODE = { floats: 64, isLength: (at: number) => (at & 15) < 12 }
const TRIANGLE4 = { floats: 40, isLength: (at: number) => at < 36 }

/** Whether all boxes and corners of a structure are those of another one, times `size`, which is a power of 2. */
function isScaled(a: WasmScene, b: WasmScene, size: number): boolean {
  const [from, to] = [new KernelMemory(a.memory), new KernelMemory(b.memory)]
  const [ours, theirs] = [from.floats, to.floats]
  let at = header(from, 'structure') >>> 2
  for (const [count, { floats, isLength }] of [
    [header(from, 'nodeCount'), NODE],
    [header(from, 'triangle4Count'), TRIANGLE4],
  ] as const)
    for (const end = at + count * floats; at < end; at += floats)
      for (let k = 0; k < floats; k++) if (isLength(k) && ours[at + k]! * size !== theirs[at + k]) return false
  return true
}
