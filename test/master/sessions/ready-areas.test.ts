import { expect, it } from 'vitest'
import type { Refusal } from '../../../master/cluster/cluster.ts'
import { type AreasPorts, areasReady } from '../../../master/sessions/ready-areas.ts'
import type { WorkerInfo } from '../../../shared/frame/frame-report.ts'

const area = (id: string, engine: WorkerInfo['engine']): WorkerInfo => ({
  ...{ id, name: `name of ${id}`, engine, threads: 1, speed: 1 },
})
const CPU = area('w1', 'wasm')
const CARD = area('w2', 'webgpu')
const NOT_TRACED: Refusal = {
  name: CARD.name,
  reason: 'expected at most 128 MiB',
  isForRoom: false,
  code: 'NOT_TRACED',
}

/** A cluster of a CPU and a card, of which a test says how far they are. */
function waiting({ ready, refusals, count = 2 }: { ready: WorkerInfo[]; refusals: Refusal[]; count?: number }) {
  const state = { ready, refusals }
  let look = () => {}
  const said: string[] = []
  const ports: AreasPorts = {
    ready: () => state.ready,
    expectedWorkers: () => 2 - state.refusals.length,
    connected: () => [CPU, CARD],
    refusals: () => state.refusals,
    subscribe: () => () => {},
    clock: { now: () => 0 },
    ticker: tick => {
      look = tick
      return () => {}
    },
    alarm: () => () => {},
  }
  const say = (text: string) => said.push(text)
  const wanted = { count, engines: ['webgpu', 'wasm'], waitMs: 300_000, say } as const
  const areas = areasReady(wanted, ports, new AbortController().signal)
  return { areas, said, state, look: () => look() }
}

const settled = (areas: Promise<WorkerInfo[]>) => Promise.race([areas, Promise.resolve('waiting')])

it('takes the CPU alone where a scene is beyond the card beside it, and says why', async () => {
  const { areas, said } = waiting({ ready: [CPU], refusals: [NOT_TRACED] })
  expect(await settled(areas)).toEqual([CPU])
  expect(said).toEqual(['worker name of w2 cannot use the scene: expected at most 128 MiB'])
})

it('waits for that CPU', async () => {
  const { areas, state, look } = waiting({ ready: [], refusals: [NOT_TRACED] })
  expect(await settled(areas)).toBe('waiting')
  state.ready = [CPU]
  look()
  expect(await areas).toEqual([CPU])
})

it('waits for a card that has no room now, and for a third worker', async () => {
  const full: Refusal = { ...NOT_TRACED, isForRoom: true, code: 'SCENES_FULL' }
  expect(await settled(waiting({ ready: [CPU], refusals: [full] }).areas)).toBe('waiting')
  expect(await settled(waiting({ ready: [CPU], refusals: [NOT_TRACED], count: 3 }).areas)).toBe('waiting')
})
