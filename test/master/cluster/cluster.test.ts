/** The cluster: areas of workers, their scenes and leases, and what listeners hear. */
import { describe, expect, it, vi } from 'vitest'
import { Cluster } from '../../../master/cluster/cluster.ts'
import type { ArrivedTile } from '../../../master/cluster/open-leases.ts'
import { DEFAULT_RELIABILITY } from '../../../master/cluster/reliability.ts'
import type { View } from '../../../shared/frame/view.ts'
import { areaId, leaseId } from '../../../shared/ids.ts'
import { sha256 } from '../../../shared/node/sha256.ts'
import { parseHello, type WorkerHello } from '../../../shared/protocol/messages.ts'
import { ProtocolError } from '../../../shared/protocol/protocol-error.ts'
import { PROTOCOL_VERSION } from '../../../shared/protocol/version.ts'
import { type HeldScene, holdScene } from '../../../shared/scene/held-scene.ts'
import { packScene, readPackedScene } from '../../../shared/scene/packed-scene.ts'
import { PartStore } from '../../../shared/scene/part-store.ts'
import { silentLog } from '../../../shared/text/log.ts'
import { AreaStates } from '../../../worker/accelerators/area-states.ts'
import { WorkerScenes } from '../../../worker/scenes.ts'
import { withSun } from '../../support/described.ts'
import { holding } from '../../support/lease-holder.ts'
import { channelPair } from '../../support/memory-channel.ts'
import { areaOf, lightOf, MemoryCluster, type PaintPool, paint, paintPool } from '../../support/memory-cluster.ts'
import { sceneUnder } from '../../support/moving-scene.ts'
import { smallCamera, smallScene } from '../../support/small-scene.ts'

const scene = smallScene()
const view: View = {
  frame: 2,
  size: [64, 48],
  camera: smallCamera(0),
  quality: { samples: 1, ambientRays: 1, maxDepth: 1 },
  exposure: 1,
}
const rect = { x: 0, y: 0, w: 8, h: 4 }
const request = (memory: MemoryCluster, lease: number) => ({
  lease: leaseId(lease),
  work: memory.cluster.nextWork(),
  scene: scene.hash,
  view,
  rect,
})

describe('a worker of two areas', () => {
  const twoAreas = async () => {
    const memory = new MemoryCluster()
    const cpu = areaOf({ threads: 4, cores: 2, grain: { rows: 8 } })
    const device = areaOf({ engine: 'device', speed: 8, clock: 'wall', grain: { rows: 64 } })
    const { line } = memory.visit({ name: 'anna', areas: [cpu, device] }, paintPool())
    memory.cluster.provide(scene)
    await memory.nextReady()
    return { memory, line }
  }

  it('stands in the roster with either, under names of their own', async () => {
    const { memory } = await twoAreas()
    expect(memory.cluster.workers()).toEqual([
      {
        id: 'w1',
        name: 'anna',
        engine: 'reference',
        threads: 4,
        speed: 4,
        cores: 2,
        grain: { rows: 8 },
        workerId: 'w1',
      },
      {
        ...{ id: 'w1.2', name: 'anna.2', engine: 'device', threads: 1, speed: 8 },
        ...{ grain: { rows: 64 }, clock: 'wall', workerId: 'w1' },
      },
    ])
    expect(memory.cluster.readyWorkers('device', scene.hash).map(({ id }) => id)).toEqual(['w1.2'])
  })

  it('answers for the area that was asked, and is lost with both', async () => {
    const { memory, line } = await twoAreas()
    const arrived: [string, ArrivedTile][] = []
    const lost: string[] = []
    const done = new Promise<void>(resolve => {
      memory.cluster.subscribe({ moved: ({ area, to }) => to === 'gone' && lost.push(area.id) === 2 && resolve() })
    })
    const tileDone = (id: string, tile: ArrivedTile) => {
      arrived.push([id, tile])
      line.terminate()
    }
    memory.cluster.trace(areaId('w1.2'), request(memory, 9), holding({ tileDone }))
    await done
    expect(lost).toEqual(['w1', 'w1.2'])
    const [[id, tile]] = arrived as [[string, ArrivedTile]]
    expect([id, tile.lease, tile.channels]).toEqual(['w1.2', 9, ['rgb']])
    expect(Buffer.compare(tile.pixels, paint(view, { rect }))).toBe(0)
  })
})

describe('the roster', () => {
  const turn = () => new Promise(resolve => setImmediate(resolve))

  it('is by name, whoever joins and leaves', async () => {
    const memory = new MemoryCluster()
    const names = () => memory.cluster.workers().map(({ name }) => name)
    for (const name of ['n10', 'n2']) memory.join(name, paintPool())
    await turn()
    expect(names()).toEqual(['n2', 'n10'])
    const line = memory.join('n9', paintPool())
    await turn()
    expect(names()).toEqual(['n2', 'n9', 'n10'])
    line.terminate()
    await turn()
    expect(names()).toEqual(['n2', 'n10'])
  })

  it('is sorted only when it has changed: with many sessions and workers there is no time for more', async () => {
    const memory = new MemoryCluster()
    for (const name of ['n10', 'n2', 'n9']) memory.join(name, paintPool())
    await turn()
    memory.cluster.workers()
    const sorting = vi.spyOn(Array.prototype, 'sort')
    for (let i = 0; i < 100; i++) memory.cluster.readyWorkers('reference', scene.hash)
    memory.cluster.expectedWorkers('reference', scene.hash)
    const times = sorting.mock.calls.length
    sorting.mockRestore()
    expect(times).toBe(0)
  })
})

describe('a worker that is expelled', () => {
  it('loses all its connections, also those that it has begun since it lied, and everybody hears of it before', async () => {
    const { cluster, join } = joining()
    const first = join('liar', 'p1')
    join('other', 'p2')
    await expect.poll(() => cluster.names).toEqual(['liar', 'other'])
    const liar = cluster.tracerOf(areaId('w1'))!
    first.terminate()
    await expect.poll(() => cluster.names).toEqual(['other'])
    join('liar', 'p1')
    join('liar', 'p1')
    await expect.poll(() => cluster.workers().map(({ id }) => id)).toEqual(['w3', 'w4', 'w2'])
    const heard: string[] = []
    cluster.subscribe({
      moved: ({ area, to }) => heard.push(`${area.id} ${to}`),
      expelled: key => heard.push(key === liar.key && cluster.isExpelled(key) ? 'expelled' : key),
    })
    cluster.expel(liar, 'it lied')
    expect(heard).toEqual(['expelled', 'w3 gone', 'w4 gone'])
    expect(cluster.names).toEqual(['other'])
  })

  it('is heard of if it is not connected any more', async () => {
    const { cluster, join } = joining()
    const line = join('liar', 'p1')
    await expect.poll(() => cluster.names).toEqual(['liar'])
    const liar = cluster.tracerOf(areaId('w1'))!
    line.terminate()
    await expect.poll(() => cluster.names).toEqual([])
    const heard: string[] = []
    cluster.subscribe({ expelled: key => heard.push(key) })
    cluster.expel(liar, 'it lied')
    expect(heard).toEqual([liar.key])
  })

  const joining = () => {
    const memory = new MemoryCluster()
    const join = (name: string, key: string) => memory.visit({ name, key, areas: [areaOf({})] }, paintPool()).line
    return { cluster: memory.cluster, join }
  }
})

describe('scenes', () => {
  const data = readPackedScene(scene.bytes)
  const other = holdScene(packScene(withSun(data, [1, 1, 1])), sha256)
  const look = other.manifest.parts[0]!.sha256

  /** A worker whose messages the test sees, and when it builds. */
  const hire = (memory: MemoryCluster, scenes?: WorkerScenes, pool = paintPool()) => {
    const { line } = memory.visit({ name: 'anna', areas: [areaOf({})] }, pool, scenes)
    return line
  }
  const ready = (memory: MemoryCluster, of: HeldScene) => memory.cluster.readyWorkers('reference', of.hash).length
  const settle = async () => {
    for (let turn = 0; turn < 30; turn++) await new Promise(resolve => setImmediate(resolve))
  }

  it('are had by whoever provides them, until the last of these releases them', async () => {
    const memory = new MemoryCluster()
    hire(memory)
    memory.cluster.provide(scene)
    memory.cluster.provide(scene)
    memory.cluster.provide(other)
    await settle()
    expect([ready(memory, scene), ready(memory, other)]).toEqual([1, 1])
    memory.cluster.release(scene.hash)
    expect(ready(memory, scene)).toBe(1)
    memory.cluster.release(scene.hash)
    expect([ready(memory, scene), memory.cluster.expectedWorkers('reference', scene.hash)]).toEqual([0, 0])
    // The worker kept it: it is ready at once, and nothing but words goes over the wire.
    const before = memory.cluster.traffic().bytes
    memory.cluster.provide(scene)
    expect(ready(memory, scene)).toBe(1)
    await settle()
    expect(memory.cluster.traffic().bytes - before).toBeLessThan(1500)
  })

  it('come in turn, A, B and A again, without mixing: no tile is traced of another', async () => {
    const memory = new MemoryCluster()
    const traced: string[] = []
    const pool: PaintPool = { ...paintPool() }
    const trace = pool.trace
    pool.trace = (order, progress) => {
      traced.push(order.scene)
      return trace.call(pool, order, progress)
    }
    hire(memory, undefined, pool)
    memory.cluster.provide(scene)
    memory.cluster.release(scene.hash)
    memory.cluster.provide(other)
    memory.cluster.release(other.hash)
    memory.cluster.provide(scene)
    memory.cluster.provide(other)
    await settle()
    expect([ready(memory, scene), ready(memory, other)]).toEqual([1, 1])
    memory.cluster.trace(areaId('w1'), request(memory, 1), holding())
    memory.cluster.trace(areaId('w1'), { ...request(memory, 2), scene: other.hash }, holding())
    await settle()
    expect(traced).toEqual([scene.hash, other.hash])
  })

  it('travel by their parts: one that changed travels alone', async () => {
    const memory = new MemoryCluster()
    const line = hire(memory)
    const wanted: string[][] = []
    const send = line.send.bind(line)
    line.send = message => {
      if (message.type === 'parts-wanted') wanted.push([...message.parts])
      send(message)
    }
    memory.cluster.provide(scene)
    await settle()
    memory.cluster.provide(other)
    await settle()
    expect(wanted.map(parts => parts.length)).toEqual([9, 1])
    expect(wanted[1]).toEqual([look])
    expect(ready(memory, other)).toBe(1)
  })

  it('are not downloaded again by a worker that comes back', async () => {
    const memory = new MemoryCluster()
    const pool = paintPool()
    const scenes = new WorkerScenes([pool], new PartStore(2 ** 20), 2 ** 20)
    const first = hire(memory, scenes, pool)
    memory.cluster.provide(scene)
    await settle()
    first.terminate()
    await settle()
    expect(ready(memory, scene)).toBe(0)
    const back = hire(memory, scenes, pool)
    await memory.nextReady()
    expect(ready(memory, scene)).toBe(1)
    await settle()
    expect(back.traffic.bytes).toBeLessThan(2500)
  })

  it('are not waited for when a worker takes no step towards them, and welcome when it does', async () => {
    const clock = { time: 0, now: () => clock.time }
    const cluster = new Cluster({ log: silentLog, clock, buildPatienceMs: 1000 })
    const [masterEnd, line] = channelPair()
    const hello = { type: 'hello', role: 'worker', protocol: PROTOCOL_VERSION, name: 'anna', encodings: ['raw'] }
    const link = cluster.admit(
      masterEnd,
      parseHello({ ...hello, areas: [areaOf({})], holds: [] }, PROTOCOL_VERSION) as WorkerHello,
      'raw',
    )
    line.listen({ control: () => {}, binary: () => {}, closed: () => {} })
    cluster.provide(scene)
    const expectedWorkers = () => cluster.expectedWorkers('reference', scene.hash)
    clock.time = 999
    expect(expectedWorkers()).toBe(1)
    link.control({ type: 'parts-wanted', scene: scene.hash, parts: [] })
    clock.time = 1998
    expect(expectedWorkers()).toBe(1)
    clock.time = 1999
    expect(expectedWorkers()).toBe(0)
    link.control({ type: 'scene-ready', scene: scene.hash, buildMs: 1 })
    expect(expectedWorkers()).toBe(1)
    link.control({ type: 'parts-wanted', scene: scene.hash, parts: [] })
    expect(ready({ cluster } as MemoryCluster, scene)).toBe(0)
    expect(() => link.control({ type: 'parts-wanted', scene: scene.hash, parts: [look] })).toThrow(ProtocolError)
    // It builds one after the other: one that is ready is a step towards the others.
    const other = sceneUnder(2)
    cluster.provide(other, true)
    const both = () => cluster.expectedWorkers('reference', [scene.hash, other.hash])
    clock.time += 1000
    expect(both()).toBe(0)
    link.control({ type: 'scene-ready', scene: other.hash, buildMs: 1 })
    expect(both()).toBe(1)
    expect(cluster.readyWorkers('reference', [scene.hash, other.hash])).toEqual([])
    link.control({ type: 'scene-ready', scene: scene.hash, buildMs: 1 })
    expect(cluster.readyWorkers('reference', [scene.hash, other.hash])).toHaveLength(1)
  })
})

it('gives an area that does not answer nothing for a while, longer each time, until it is forgiven', async () => {
  const clock = { time: 0, now: () => clock.time }
  let over = () => {}
  const alarm = (wake: () => void) => {
    over = wake
  }
  const memory = new MemoryCluster(undefined, clock, Math.random, { alarm })
  memory.join('anna', paintPool())
  memory.cluster.provide(scene)
  await memory.nextReady()
  const ready = () => memory.cluster.readyWorkers('reference', scene.hash).length
  const quarantined = (ms: number) => {
    memory.cluster.quarantine(areaId('w1'), 'never answers', 'silence')
    clock.time += ms - 1
    expect([ready(), memory.cluster.expectedWorkers('reference', scene.hash)]).toEqual([0, 0])
    clock.time += 1
    over()
    expect(ready()).toBe(1)
  }
  quarantined(30_000)
  quarantined(60_000)
  clock.time += 2 * DEFAULT_RELIABILITY.forgivenAfterMs
  quarantined(30_000)
})

it('drops an answer to a tile that was given up, undecoded, and counts it', async () => {
  const memory = new MemoryCluster()
  const pool = paintPool()
  const order = () => request(memory, 1)
  memory.join('anna', pool)
  memory.cluster.provide(scene)
  await memory.nextReady()
  const seen: number[] = []
  const holder = holding({ tileDone: (_, { lease }) => void seen.push(lease) })
  const first = order()
  // The cancel and the answer cross on the wire: the master has given the tile up when its pixels come.
  pool.before = async () => {
    pool.before = async () => {}
    queueMicrotask(() => memory.cluster.cancel(areaId('w1'), first.lease))
  }
  memory.cluster.trace(areaId('w1'), first, holder)
  memory.cluster.trace(areaId('w1'), { ...order(), lease: leaseId(2) }, holder)
  while (seen.length === 0) await settled()
  expect(seen).toEqual([2])
  expect(memory.cluster.lateAnswers).toBe(1)
})

it('brings unfinished light as it was', async () => {
  const memory = new MemoryCluster()
  memory.join('anna', paintPool())
  memory.cluster.provide(scene)
  await memory.nextReady()
  const arrived = new Promise<ArrivedTile>(resolve => {
    const holder = holding({ tileDone: (_, tile) => resolve(tile) })
    memory.cluster.trace(areaId('w1'), { ...request(memory, 1), channels: ['light'] }, holder)
  })
  const { channels, pixels } = await arrived
  expect(channels).toEqual(['light'])
  expect([...new Float64Array(pixels.buffer)]).toEqual([...paint(view, { rect })].map(lightOf))
})

describe('an area that its worker has withdrawn', () => {
  it('is given nothing until it is back', async () => {
    const memory = new MemoryCluster()
    const areas = [areaOf({}), areaOf({ device: 'simulated:4' })]
    const states = new AreaStates()
    memory.visit({ name: 'anna', areas }, paintPool(), undefined, states)
    memory.cluster.provide(scene)
    await memory.nextReady()
    const ready = () => memory.cluster.readyWorkers('reference', scene.hash).map(({ name }) => name)
    expect(ready()).toEqual(['anna', 'anna.simulated:4'])
    const shown = () => memory.cluster.health().map(({ name, state, reason }) => [name, state, reason])
    expect(shown()).toEqual([
      ['anna', 'ready', undefined],
      ['anna.simulated:4', 'ready', undefined],
    ])
    states.changed(1, 'it was unplugged')
    await settled()
    expect(ready()).toEqual(['anna'])
    expect(shown()).toEqual([
      ['anna', 'ready', undefined],
      ['anna.simulated:4', 'withdrawn', 'it was unplugged'],
    ])
    expect(memory.cluster.withdrawn()).toEqual([
      { id: 'w1.2', name: 'anna.simulated:4', device: 'simulated:4', reason: 'it was unplugged' },
    ])
    states.changed(1)
    await settled()
    expect(ready()).toHaveLength(2)
    expect(shown()[1]).toEqual(['anna.simulated:4', 'ready', undefined])
    expect(memory.cluster.withdrawn()).toEqual([])
  })
})

/** All that was sent has arrived. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise(resolve => setImmediate(resolve))
}

it('tells listeners which areas become quiet, and which are heard of again', async () => {
  const memory = new MemoryCluster()
  memory.visit({ name: 'anna', areas: [areaOf({}), areaOf({ device: 'simulated:4' })] }, paintPool())
  memory.join('ben', paintPool())
  await settled()
  const told: string[] = []
  memory.cluster.subscribe({ moved: ({ area, from, to }) => void told.push(`${area.id}: ${from} → ${to}`) })
  const [first] = memory.cluster.linksOf('anna')
  memory.cluster.lookForQuiet(() => false)
  expect(told).toEqual([])
  for (let beat = 0; beat < 2; beat++) memory.cluster.lookForQuiet(channel => channel === first!.channel)
  expect(told.splice(0)).toEqual(['w1: serving → quiet', 'w1.2: serving → quiet'])
  expect([...memory.cluster.quiet]).toEqual(['w1', 'w1.2'])
  for (let beat = 0; beat < 2; beat++) memory.cluster.lookForQuiet(() => false)
  expect(told).toEqual(['w1: quiet → serving', 'w1.2: quiet → serving'])
  expect([...memory.cluster.quiet]).toEqual([])
})
