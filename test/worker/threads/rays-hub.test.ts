/** Rays of several threads on one device: answered together, in the records that they are in, or failed together. */
import { expect, it } from 'vitest'
import type { RayRequest } from '../../../worker/engine/webgpu/ray-request.ts'
import { MOST_RAYS } from '../../../worker/engine/webgpu/rays-device.ts'
import { RaysHub } from '../../../worker/threads/rays-hub.ts'
import { GATE, type RaysLine } from '../../../worker/threads/rays-line.ts'

/** A device whose batches are answered by hand. */
function deviceByHand() {
  const batches: { readonly requests: readonly RayRequest[]; answer(): void; fail(reason: string): void }[] = []
  const dropped: number[] = []
  let heard = () => {}
  let scenes = 0
  return {
    batches,
    dropped,
    addScene: async () => ++scenes,
    dropScene: (scene: number) => void dropped.push(scene),
    trace: (requests: readonly RayRequest[]) =>
      new Promise<void>((resolve, reject) => {
        batches.push({ requests, answer: resolve, fail: reason => reject(new Error(reason)) })
        heard()
      }),
    /** Resolves when so many batches have arrived in all. */
    async has(count: number): Promise<void> {
      while (batches.length < count)
        await new Promise<void>(resolve => {
          heard = resolve
        })
    },
  }
}

function hubOver(device: ReturnType<typeof deviceByHand>) {
  const said: string[] = []
  const hub = new RaysHub(device, { answered: () => said.push('answered'), failed: reason => said.push(reason) }, turn)
  return { hub, said }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

/** Asks, and resolves with the state of the gate once it has been opened. */
async function ask({ port, gate }: RaysLine, request: Partial<RayRequest> = {}): Promise<number> {
  const word = new Int32Array(gate)
  Atomics.store(word, 0, GATE.waiting)
  port.postMessage({ scene: 1, rays: 0, count: 1000, shadow: false, ...request })
  while (Atomics.load(word, 0) === GATE.waiting) await turn()
  return Atomics.load(word, 0)
}

it('answers whatever threads ask, one batch at a time, of which none is more than the device takes', async () => {
  const device = deviceByHand()
  const { hub, said } = hubOver(device)
  const lines = Array.from({ length: 4 }, () => hub.line())
  const counts = [1000, 64, MOST_RAYS - 500, MOST_RAYS]
  let open = counts.length
  const states = lines.map((line, i) => ask(line, { count: counts[i]! }).finally(() => open--))
  for (let answered = 0; open > 0; await turn()) {
    expect(device.batches.length - answered).toBeLessThanOrEqual(1)
    if (device.batches.length > answered) device.batches[answered++]!.answer()
  }
  expect(await Promise.all(states)).toEqual(counts.map(() => GATE.answered))
  const sizes = device.batches.map(({ requests }) => requests.reduce((sum, { count }) => sum + count, 0))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST_RAYS)
  expect(device.batches.flatMap(({ requests }) => requests.map(({ count }) => count)).sort()).toEqual(
    [...counts].sort(),
  )
  expect(said).toEqual(device.batches.map(() => 'answered'))
  for (const { port } of lines) port.close()
})

it('fails what waits, and what is asked later, and says why once', async () => {
  const device = deviceByHand()
  const { hub, said } = hubOver(device)
  const [one, two] = [hub.line(), hub.line()]
  const waiting = ask(one)
  await device.has(1)
  device.batches[0]!.fail('the driver was reset')
  expect(await waiting).toBe(GATE.failed)
  expect(await ask(two)).toBe(GATE.failed)
  hub.fail('another reason')
  expect(said).toEqual(['the driver was reset'])
  for (const { port } of [one, two]) port.close()
})

it('gives each scene its number, and drops it once', async () => {
  const device = deviceByHand()
  const { hub } = hubOver(device)
  expect(await hub.place('a', { memory: {} })).toMatchObject({ onDevice: 1 })
  expect(await hub.place('b', { memory: {} })).toMatchObject({ onDevice: 2 })
  for (const name of ['b', 'b', 'c']) hub.displace(name)
  expect(device.dropped).toEqual([2])
})

it('drops a scene after the batch at hand, and fails only what was asked in it by then', async () => {
  const device = deviceByHand()
  const { hub, said } = hubOver(device)
  const [first, second] = [await hub.place('first', {}), await hub.place('second', {})] as { onDevice: number }[]
  const lines = Array.from({ length: 3 }, () => hub.line())
  const atHand = ask(lines[0]!, { scene: first!.onDevice })
  await device.has(1)
  hub.displace('first')
  const later = [ask(lines[1]!, { scene: first!.onDevice }), ask(lines[2]!, { scene: second!.onDevice })]
  expect(device.dropped).toEqual([])
  device.batches[0]!.answer()
  expect(await atHand).toBe(GATE.answered)
  expect(device.dropped).toEqual([first!.onDevice])
  await device.has(2)
  expect(device.batches[1]!.requests.map(({ scene }) => scene)).toEqual([second!.onDevice])
  device.batches[1]!.answer()
  expect(await Promise.all(later)).toEqual([GATE.failed, GATE.answered])
  hub.displace('second')
  expect([device.dropped, said]).toEqual([
    [first!.onDevice, second!.onDevice],
    ['answered', 'answered'],
  ])
})
