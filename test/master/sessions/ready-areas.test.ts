import { expect, it } from 'vitest'
import type { Refusal } from '../../../master/cluster/cluster.ts'
import type { OwnWorkers } from '../../../master/cluster/own-workers.ts'
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

interface Waiting {
  readonly ready: WorkerInfo[]
  readonly refusals: Refusal[]
  readonly own?: OwnWorkers
  readonly count?: number
  readonly least?: number
}

/** A cluster of a CPU and a card, of which a test says how far they are. */
function waiting({ ready, refusals, own, count = 2, least = 1 }: Waiting) {
  const state = { ready, refusals }
  let look = () => {}
  const said: string[] = []
  const ports: AreasPorts = {
    ready: () => state.ready,
    expectedWorkers: () => 2 - state.refusals.length,
    connected: () => [CPU, CARD],
    refusals: () => state.refusals,
    own: () => own,
    subscribe: () => () => {},
    clock: { now: () => 0 },
    ticker: tick => {
      look = tick
      return () => {}
    },
    alarm: () => () => {},
  }
  const say = (text: string) => said.push(text)
  const wanted = { count, least, engines: ['webgpu', 'wasm'], waitMs: 300_000, say } as const
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

const full: Refusal = { ...NOT_TRACED, isForRoom: true, code: 'SCENES_FULL' }
/** Both are its own. @param coming others */
const staffOf = (coming: number): OwnWorkers => ({ coming, here: new Set([CPU.name, CARD.name]) })

it('waits for a card that has no room now, and for a third worker', async () => {
  expect(await settled(waiting({ ready: [CPU], refusals: [full] }).areas)).toBe('waiting')
  expect(await settled(waiting({ ready: [CPU], refusals: [NOT_TRACED], count: 3 }).areas)).toBe('waiting')
})

it('of its own workers takes those that are ready beside one that has no room, and says so', async () => {
  const own = staffOf(0)
  const { areas, said } = waiting({ ready: [CPU], refusals: [full], own })
  expect(await settled(areas)).toEqual([CPU])
  expect(said).toEqual(['worker name of w2 cannot use the scene: expected at most 128 MiB'])
  const late = waiting({ ready: [], refusals: [full], own })
  expect(await settled(late.areas)).toBe('waiting')
  late.state.ready = [CPU]
  late.look()
  expect(await late.areas).toEqual([CPU])
})

it('does not take fewer of them than are of use, nor before those that are on their way', async () => {
  const two = waiting({ ready: [CPU], refusals: [full], own: staffOf(0), least: 2 })
  expect(await settled(two.areas)).toBe('waiting')
  const three = waiting({ ready: [CPU], refusals: [full], own: staffOf(1), count: 3 })
  expect(await settled(three.areas)).toBe('waiting')
})

it('waits for its own workers, whatever one from elsewhere, or one that is set aside, has no room for', async () => {
  // The second of its own loads the scene.
  const own = { coming: 0, here: new Set([CPU.name, 'name of w3']) }
  const { areas, state, look } = waiting({ ready: [CPU], refusals: [full], own })
  expect(await settled(areas)).toBe('waiting')
  state.ready = [CPU, { ...CARD, id: 'w3', name: 'name of w3' }]
  look()
  expect(await areas).toHaveLength(2)
})
