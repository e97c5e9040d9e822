/** Workers that fail again and again: they are quarantined with a reason, come back after a growing pause, and no picture shows it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_RELIABILITY } from '../../master/cluster/reliability.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { areaId } from '../../shared/ids.ts'
import type { Log } from '../../shared/text/log.ts'
import { holding } from '../support/lease-holder.ts'
import { areaOf, MemoryCluster, type PaintPool, paintPool, sessionOf } from '../support/memory-cluster.ts'
import { run, settle } from '../support/memory-session.ts'
import { scene } from '../support/session.ts'

/** A cluster whose clock is moved by hand. */
class HandCluster extends MemoryCluster {
  readonly said: string[]
  readonly time: { now: number }
  readonly #alarms: { readonly at: number; readonly wake: () => void }[]

  constructor() {
    const said: string[] = []
    const time = { now: 0 }
    const alarms: { readonly at: number; readonly wake: () => void }[] = []
    const note = (text: string) => void said.push(text)
    const log: Log = { info: note, warn: note }
    const alarm = (wake: () => void, inMs: number) => void alarms.push({ at: time.now + inMs, wake })
    super(undefined, { now: () => time.now }, Math.random, { log, alarm })
    this.said = said
    this.time = time
    this.#alarms = alarms
  }

  pass(ms: number): void {
    this.time.now += ms
    for (const alarm of this.#alarms.splice(0))
      if (alarm.at <= this.time.now) alarm.wake()
      else this.#alarms.push(alarm)
  }

  /** Names of those who are given tiles. */
  get ready(): string[] {
    return this.cluster.readyWorkers('reference', scene.hash).map(({ name }) => name)
  }

  get quarantines(): (string | undefined)[] {
    return this.cluster.health().map(({ name, quarantine: of }) => of && `${name} ${of.forMs}: ${of.reason}`)
  }
}

/** It is asked for tiles, and throws. */
function throwingPool(): PaintPool & { asked: number } {
  const pool = { ...paintPool(), asked: 0 }
  pool.trace = () => {
    pool.asked++
    return Promise.reject(new Error('out of memory'))
  }
  return pool
}

const hashes = (reports: readonly FrameReport[]) => reports.map(({ sha256 }) => sha256)

async function film(memory: MemoryCluster, strategy: Parameters<typeof sessionOf>[1], frames: number) {
  const said: string[] = []
  const { done, reports } = run(memory, sessionOf(scene.hash, strategy, frames, 1), {
    status: text => void said.push(text),
  })
  await done
  return { hashes: hashes(reports), said }
}

async function truth(strategy: Parameters<typeof sessionOf>[1], frames: number) {
  const memory = new MemoryCluster()
  memory.join('n0', paintPool())
  return (await film(memory, strategy, frames)).hashes
}

describe.each(['predictive', 'pbt', 'demand-driven', 'static-blocks'] as const)(
  'a worker that throws, with %s',
  strategy => {
    it('gets a few tiles, is quarantined with its reason, comes back, and waits longer the next time', async () => {
      const memory = new HandCluster()
      const bad = throwingPool()
      for (const [name, pool] of [
        ['n0', paintPool()],
        ['n1', bad],
        ['n2', paintPool()],
      ] as const)
        memory.join(name, pool)
      memory.cluster.provide(scene)
      await settle()
      const expected = await truth(strategy, 6)
      const pauses: number[] = []
      for (let round = 0; round < 4; round++) {
        const asked = bad.asked
        const made = await film(memory, strategy, 6)
        expect(made.hashes).toEqual(expected)
        // A picture to warm up on, twice, three times each; then tiles of a frame or three.
        expect(bad.asked - asked).toBeLessThan(20)
        const [of] = memory.cluster
          .health()
          .flatMap(({ name, quarantine }) => (quarantine ? [{ name, ...quarantine }] : []))
        expect(of).toMatchObject({
          name: 'n1',
          reason: expect.stringMatching(/failed tiles that others traced, .* out of memory$/),
        })
        expect(memory.said).toContain(`worker n1 is quarantined for ${of!.forMs / 1000} s: ${of!.reason}`)
        expect(made.said).toContain(`worker n1 is quarantined for ${of!.forMs / 1000} s: ${of!.reason}`)
        const still = bad.asked
        expect((await film(memory, strategy, 3)).hashes).toEqual(expected.slice(0, 3))
        expect(bad.asked).toBe(still)
        pauses.push(of!.forMs)
        memory.pass(of!.forMs)
        expect(memory.quarantines).toEqual([undefined, undefined, undefined])
        expect(memory.said.at(-1)).toBe('worker n1 may have tiles again')
      }
      expect(pauses).toEqual([1000, 2000, 4000, 8000])
    })
  },
)

describe('a worker that is lost while it traces', () => {
  const tracing = async () => {
    const memory = new HandCluster()
    memory.join('n0', paintPool())
    memory.cluster.provide(scene)
    await settle()
    return memory
  }
  /** It joins, is given a tile, and `leave` says how that ends. */
  async function come(memory: HandCluster, leave: (line: ReturnType<MemoryCluster['join']>) => void, name = 'n1') {
    const pool = paintPool()
    pool.before = () => new Promise(() => {})
    const { line, stay } = memory.visit({ name, areas: [areaOf({})] }, pool)
    stay.catch(() => {})
    await settle()
    const { id } = memory.cluster.workers().find(worker => worker.name === name)!
    const { lease, work } = { lease: memory.ports.numbers(), work: memory.cluster.nextWork() }
    const [{ frame, camera }] = sessionOf(scene.hash, 'predictive', 1, 1).frames as [{ frame: number; camera: never }]
    const view = {
      frame,
      camera,
      size: [8, 8] as [number, number],
      quality: { samples: 1, ambientRays: 0, maxDepth: 0 },
      exposure: 1,
    }
    if (memory.ready.includes(name))
      memory.cluster.trace(
        areaId(id),
        { lease, work, scene: scene.hash, view, rect: { x: 0, y: 0, w: 8, h: 8 } },
        holding(),
      )
    await settle()
    leave(line)
    await settle()
  }

  it('three times within a minute is quarantined when it is back', async () => {
    const memory = await tracing()
    for (let i = 0; i < 3; i++) await come(memory, line => line.terminate('cut'))
    await come(memory, () => {})
    expect(memory.ready).toEqual(['n0'])
    expect(memory.quarantines[1]).toMatch(/^n1 1000: its connection ended while it traced, most recently: /)
    memory.pass(DEFAULT_RELIABILITY.pauses.failures.first)
    expect(memory.ready).toEqual(['n0', 'n1'])
  })

  it('is another one if its name is', async () => {
    const memory = await tracing()
    for (let i = 0; i < 3; i++) await come(memory, line => line.terminate('cut'))
    await come(memory, () => {}, 'n2')
    expect(memory.ready).toEqual(['n0', 'n2'])
  })

  it('is quarantined for nonsense, too', async () => {
    const memory = await tracing()
    for (let i = 0; i < 3; i++) await come(memory, line => line.send({ type: 'nonsense' } as never))
    await come(memory, () => {})
    expect(memory.quarantines[1]).toMatch(
      /^n1 1000: it sent what no worker may send, most recently: unexpected message/,
    )
  })

  it('is not if it says that it leaves', async () => {
    const memory = await tracing()
    for (let i = 0; i < 6; i++)
      await come(memory, line => line.send({ type: 'leaving', reason: 'stopped', keeps: [] } as never))
    await come(memory, () => {})
    expect(memory.ready).toEqual(['n0', 'n1'])
    expect(memory.said.filter(text => text.includes('n1 leaves'))).toHaveLength(6)
  })

  it('serves if nobody else is left', async () => {
    const memory = await tracing()
    for (let i = 0; i < 3; i++) await come(memory, line => line.terminate('cut'))
    memory.join('n1', paintPool())
    await settle()
    expect(memory.ready).toEqual(['n0'])
    memory.cluster.linksOf('n0')[0]!.channel.terminate('gone')
    await settle()
    expect(memory.ready).toEqual(['n1'])
    expect((await film(memory, 'predictive', 2)).hashes).toEqual(await truth('predictive', 2))
  })
})

it('is waited for by a session that needs two, as its pause is short', async () => {
  const memory = new HandCluster()
  for (const name of ['n0', 'n1']) memory.join(name, paintPool())
  memory.cluster.provide(scene)
  await settle()
  for (let i = 0; i < 3; i++) memory.cluster.blame(memory.cluster.identify(areaId('w2')).area, 'x')
  expect(memory.ready).toEqual(['n0'])
  const { done, reports } = run(memory, { ...sessionOf(scene.hash, 'predictive', 2, 2), waitMs: 0, verify: 1 })
  await settle()
  memory.tick()
  expect(reports).toEqual([])
  memory.pass(DEFAULT_RELIABILITY.pauses.failures.first)
  memory.tick()
  await done
  expect(hashes(reports)).toEqual(await truth('predictive', 2))
})

it('somebody always serves, as long as there is anybody who answers', async () => {
  const anyEvents = fc.array(
    fc.record({ who: fc.nat(3), what: fc.constantFrom('blame', 'quarantine', 'leave', 'join'), wait: fc.nat(5000) }),
    { maxLength: 60 },
  )
  await fc.assert(
    fc.asyncProperty(anyEvents, async events => {
      const memory = new HandCluster()
      memory.cluster.provide(scene)
      const blamed = new Set<string>()
      for (let i = 0; i < 4; i++) memory.join(`n${i}`, paintPool())
      await settle()
      for (const { who, what, wait } of events) {
        memory.pass(wait)
        const name = `n${who}`
        const [link] = memory.cluster.linksOf(name)
        if (what === 'join' && !link) memory.join(name, paintPool())
        if (what === 'leave') link?.channel.terminate('gone')
        if (link && what === 'blame') memory.cluster.blame(memory.cluster.identify(link.areas[0]!.id).area, 'x')
        if (link && what === 'quarantine') memory.cluster.quarantine(link.areas[0]!.id, 'x', 'failures')
        if (link && (what === 'blame' || what === 'quarantine')) blamed.add(name)
        await settle()
        const there = memory.cluster.names
        expect(memory.ready.length > 0).toBe(there.length > 0)
        for (const each of there) if (!blamed.has(each)) expect(memory.ready).toContain(each)
      }
    }),
    { numRuns: 40 },
  )
})
