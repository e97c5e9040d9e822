/** A worker whose pools wait for the test to trace, and a master's end of its line. */

import type { Rect } from '../../../shared/frame/rect.ts'
import type { TileDone } from '../../../shared/protocol/codec.ts'
import type { FromWorker, ToWorker, TraceTile } from '../../../shared/protocol/messages.ts'
import { PartSender } from '../../../shared/protocol/part-transfer.ts'
import { PartStore } from '../../../shared/scene/part-store.ts'
import { nodePlatform } from '../../../worker/node/platform.ts'
import { WorkerScenes } from '../../../worker/scenes.ts'
import { serve } from '../../../worker/session.ts'
import type { TileOrder, TracedTile } from '../../../worker/tile-order.ts'
import type { TilePool } from '../../../worker/tile-pool.ts'
import type { TileProgress } from '../../../worker/tile-progress.ts'
import { channelPair, type MemoryChannel } from '../../support/memory-channel.ts'
import { areaOf, paintTile } from '../../support/memory-cluster.ts'
import { smallScene } from '../../support/small-scene.ts'
import { viewOf } from './meshes.ts'

export const view = viewOf([64, 48])
export const held = smallScene()
export const scene = held.hash
export const rect: Rect = { x: 3, y: 5, w: 20, h: 12 }
export const orderOf = (change: Partial<TraceTile> = {}): TraceTile => ({
  type: 'trace-tile',
  lease: 7,
  work: 0,
  view: { scene, view },
  rect,
  ...change,
})

/** A tile that waits for the test to trace it. */
export interface Asked {
  readonly order: TileOrder
  readonly progress: TileProgress
  finish(outcome?: Error | TracedTile): void
}

/** Hands over what it is asked for. */
export class HandPool implements TilePool {
  readonly asked: Asked[] = []
  waitsForCpu = false
  /** Resolves when a scene is to be built. */
  loading: Promise<void> = Promise.resolve()

  async loadScene(): Promise<{ buildMs: number }> {
    await this.loading
    return { buildMs: 1 }
  }

  async restoreScene(): Promise<boolean> {
    return true
  }

  async unloadScene(): Promise<void> {}

  trace(order: TileOrder, progress: TileProgress): Promise<TracedTile | undefined> {
    return new Promise((resolve, reject) => {
      const finish = (outcome?: Error | TracedTile) =>
        outcome instanceof Error ? reject(outcome) : resolve(outcome ?? paintTile(order, progress))
      this.asked.push({ order, progress, finish })
    })
  }
}

/** All that was sent arrives, and whoever waits for it goes on. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn++) await new Promise(resolve => setImmediate(resolve))
}

export interface Stay {
  readonly pool: HandPool
  /** That of its second area. */
  readonly other: HandPool
  readonly answers: TileDone[]
  readonly said: FromWorker[]
  readonly master: MemoryChannel
  readonly scenes: WorkerScenes
  order(...orders: ToWorker[]): Promise<void>
  /** What the newest timer would do. */
  tick(): void
  leave(): Promise<void>
  /** Asked by the master to leave, for these reasons. */
  readonly asked: string[]
  /** Why its line ended, as the master sees it. */
  readonly ends: string[]
}

/** A worker that holds the scene, with so much room for parts and built scenes. */
export async function startWorker(partBytes = 2 ** 20, builtBytes = 2 ** 20): Promise<Stay> {
  const [master, channel] = channelPair()
  const [pool, other] = [new HandPool(), new HandPool()]
  const answers: TileDone[] = []
  const said: FromWorker[] = []
  const [asked, ends]: [string[], string[]] = [[], []]
  const leaving = new AbortController()
  master.listen({
    control: message => said.push(message as FromWorker),
    binary: message => message.kind === 'tile-done' && answers.push(message),
    closed: (_, reason) => ends.push(reason),
  })
  let tick = () => {}
  const every = (_: number, asked: () => void) => {
    tick = asked
    return () => {}
  }
  const scenes = new WorkerScenes([pool, other], new PartStore(partBytes), builtBytes)
  const leave = { leaving: leaving.signal, askedToLeave: (reason: string) => void asked.push(reason) }
  const ports = {
    channel,
    platform: nodePlatform,
    pools: [pool, other],
    scenes,
    clock: performance,
    every,
    joined: () => {},
    ...leave,
  }
  serve({ name: 'a', areas: [areaOf({}), areaOf({})] }, ports).catch(() => {})
  const order = async (...orders: ToWorker[]) => {
    for (const each of orders) master.send(each)
    await settle()
  }
  await order({ type: 'welcome', id: 'w1', encoding: 'raw' }, { type: 'use-scene', scene, manifest: held.manifest })
  new PartSender(master).send(held, [...held.parts.keys()])
  while (!scenes.isBuilt(scene)) await settle()
  await settle()
  said.length = 0
  const leaves = async () => {
    leaving.abort(new Error('no more power'))
    await settle()
  }
  return { pool, other, answers, said, master, scenes, order, tick: () => tick(), leave: leaves, asked, ends }
}
