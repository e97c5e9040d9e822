/** The roster: areas of workers, and who is told what. */
import { describe, expect, it } from 'vitest'
import type { ArrivedTile } from '../../../master/cluster/worker-link.ts'
import { areaId, leaseId } from '../../../shared/ids.ts'
import type { View } from '../../../shared/view.ts'
import { areaOf, MemoryCluster, paint, paintPool } from '../../support/memory-cluster.ts'
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
  ...{ lease: leaseId(lease), work: memory.cluster.nextWork(), scene: scene.hash, view, rect },
})

describe('a worker of two areas', () => {
  const twoAreas = async () => {
    const memory = new MemoryCluster()
    const cpu = areaOf({ threads: 4, cores: 2, grain: { rows: 8 } })
    const device = areaOf({ engine: 'device', speed: 8, clock: 'wall', grain: { rows: 64 } })
    const { line } = memory.visit({ name: 'anna', areas: [cpu, device] }, paintPool())
    memory.cluster.useScene(scene)
    await memory.nextReady()
    return { memory, line }
  }

  it('stands in the roster with either, under names of their own', async () => {
    const { memory } = await twoAreas()
    expect(memory.cluster.workers()).toEqual([
      { id: 'w1', name: 'anna', engine: 'reference', threads: 4, speed: 4, cores: 2, grain: { rows: 8 } },
      { id: 'w1.2', name: 'anna.2', engine: 'device', threads: 1, speed: 8, grain: { rows: 64 } },
    ])
    expect(memory.cluster.readyWorkers('device').map(({ id }) => id)).toEqual(['w1.2'])
  })

  it('answers for the area that was asked, and is lost with both', async () => {
    const { memory, line } = await twoAreas()
    const arrived: [string, ArrivedTile][] = []
    const lost: string[] = []
    const done = new Promise<void>(resolve => {
      memory.cluster.observe({
        ready: () => {},
        lost: id => lost.push(id) === 2 && resolve(),
        tileDone: (id, tile) => {
          arrived.push([id, tile])
          line.terminate()
        },
        tileFailed: () => {},
      })
    })
    memory.cluster.trace(areaId('w1.2'), request(memory, 9))
    await done
    expect(lost).toEqual(['w1', 'w1.2'])
    const [[id, tile]] = arrived as [[string, ArrivedTile]]
    expect([id, tile.lease, tile.channel]).toEqual(['w1.2', 9, 'rgb'])
    expect(Buffer.compare(tile.pixels, paint(view, { rect }))).toBe(0)
  })
})

it('drops an answer to a tile that was given up, undecoded, and counts it', async () => {
  const memory = new MemoryCluster()
  const pool = paintPool()
  const order = () => request(memory, 1)
  memory.join('anna', pool)
  memory.cluster.useScene(scene)
  await memory.nextReady()
  const seen = new Promise<number>(resolve => {
    memory.cluster.observe({
      ready: () => {},
      lost: () => {},
      tileDone: (_, { lease }) => resolve(lease),
      tileFailed: () => {},
    })
  })
  const first = order()
  // The cancel and the answer cross on the wire: the master has given the tile up when its pixels come.
  pool.before = async () => {
    pool.before = async () => {}
    queueMicrotask(() => memory.cluster.cancel(areaId('w1'), first.lease))
  }
  memory.cluster.trace(areaId('w1'), first)
  memory.cluster.trace(areaId('w1'), { ...order(), lease: leaseId(2) })
  expect(await seen).toBe(2)
  expect(memory.cluster.lateAnswers).toBe(1)
})
