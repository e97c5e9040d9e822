/** The trial of a device, with devices that are the kernel itself, but for one thing. */
import { expect, it } from 'vitest'
import { instantiate } from '../../../../worker/engine/wasm/kernel.ts'
import { KernelMemory } from '../../../../worker/engine/wasm/memory.ts'
import { wordsTo } from '../../../../worker/engine/wasm/records/access.ts'
import { RAY } from '../../../../worker/engine/wasm/records/rays.ts'
import { PROBE_RAYS, type Probe, probe, problemOf } from '../../../../worker/engine/webgpu/probe.ts'
import type { RayRequest } from '../../../../worker/engine/webgpu/ray-request.ts'
import { loadWasmEngine } from '../../../../worker/node/load-kernel.ts'
import { kernelModule } from '../wasm/builder-harness.ts'

const RAYS = 2048
const [HIT, T_MAX, STEPS, INSTANCE] = (['hit', 'tMax', 'steps', 'instance'] as const).map(name =>
  wordsTo(RAY, name),
) as [number, number, number, number]

/** Changes bits of a word. */
function flip(words: Uint32Array, at: number, bits: number): void {
  words[at] = words[at]! ^ bits
}

/** @param spoil changes the answer of a ray, whose words begin at a place */
async function tried(
  spoil: (words: Uint32Array, at: number, ray: number, shadow: boolean) => void,
  advanced = async () => {},
): Promise<Probe> {
  const scenes: KernelMemory[] = []
  const device = {
    addScene: async (shared: WebAssembly.Memory) => scenes.push(new KernelMemory(shared)) - 1,
    dropScene: () => {},
    trace: async ([request]: readonly RayRequest[]) => {
      const { scene, rays, count, shadow } = request!
      const memory = scenes[scene]!
      const kernel = instantiate(kernelModule, memory.memory)
      kernel.bindTrace(memory.extend(kernel.traceBytes() >>> 0))
      if (shadow) kernel.traceShadow(rays, count, true)
      else kernel.traceClosest(rays, count, true)
      for (let ray = 0; ray < count; ray++) spoil(memory.words, (rays + ray * RAY.bytes) >>> 2, ray, shadow)
    },
  }
  return probe(device, rule => loadWasmEngine('wasm', rule), { now: () => 0, advanced }, RAYS)
}

it('passes what answers as the kernel does, and tries a million rays of which many hit', async () => {
  const hits = { closest: 0, shadow: 0 }
  let batches = 0
  const right = await tried(
    (words, at, _, shadow) => {
      if (words[at + HIT] !== 0) hits[shadow ? 'shadow' : 'closest']++
    },
    async () => void batches++,
  )
  expect(batches).toBe(12)
  expect(right).toMatchObject({ rays: 12 * RAYS, different: 0, left: 0 })
  expect(problemOf(right)).toBeUndefined()
  for (const count of Object.values(hits)) {
    expect(count).toBeGreaterThan(RAYS)
    expect(count).toBeLessThan(5.9 * RAYS)
  }
  expect(PROBE_RAYS).toBeGreaterThanOrEqual(1e6)
})

it.each<[string, (words: Uint32Array, at: number) => void]>([
  ['meets another triangle', (words, at) => flip(words, at + HIT, 4)],
  ['has another instance', (words, at) => flip(words, at + INSTANCE, 32)],
  ['has a distance that is off by one bit', (words, at) => flip(words, at + T_MAX, 1)],
])('fails what once %s', async (_, change) => {
  const wrong = await tried((words, at, ray, shadow) => {
    if (ray === 5 && !shadow) change(words, at)
  })
  expect(wrong.different).toBe(6)
  expect(problemOf(wrong)).toMatch(/^6 of 24576 rays .* hit something else than in the kernel/)
})

it('fails what says that shadows are light', async () => {
  const wrong = await tried((words, at, _, shadow) => {
    if (shadow) words[at + HIT] = 0
  })
  expect(problemOf(wrong)).toMatch(/hit something else/)
})

it('lets few rays be left to the CPU, and fails what computes nothing', async () => {
  const few = await tried((words, at, ray) => {
    if (ray % 32 === 0) words[at + STEPS] = 0
  })
  expect(few).toMatchObject({ left: (12 * RAYS) / 32, different: 0 })
  expect(problemOf(few)).toBeUndefined()
  expect(problemOf(await tried((words, at) => words.fill(0, at + STEPS, at + STEPS + 1)))).toMatch(
    /^it is unsure of 24576 of 24576 rays/,
  )
})
