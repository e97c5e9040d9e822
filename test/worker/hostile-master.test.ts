/** A worker whose master asks for too much: it fails the tile, or leaves, before it has allocated anything for it. */
import { expect, it } from 'vitest'
import { sha256 } from '../../shared/node/sha256.ts'
import type { ToWorker, TraceTile } from '../../shared/protocol/messages.ts'
import { PartSender } from '../../shared/protocol/part-transfer.ts'
import { MAX_OPEN_LEASES, MAX_USED_SCENES } from '../../shared/protocol/peer-limits.ts'
import { sceneName } from '../../shared/scene/manifest.ts'
import { PartStore } from '../../shared/scene/part-store.ts'
import { WorkerScenes } from '../../worker/scenes.ts'
import { serve } from '../../worker/session.ts'
import type { TilePool } from '../../worker/tile-pool.ts'
import { channelPair } from '../support/memory-channel.ts'
import { areaOf } from '../support/memory-cluster.ts'
import { smallScene } from '../support/small-scene.ts'
import { viewOf } from './support/meshes.ts'

const held = smallScene()
const scene = held.hash
const view = { ...viewOf([16384, 16384]), quality: { samples: 4, ambientRays: 1, maxDepth: 1 } }
const order = (lease: number, change: Partial<TraceTile> = {}): TraceTile => ({
  type: 'trace-tile',
  lease,
  work: 0,
  view: { scene, view },
  rect: { x: 0, y: 0, w: 4, h: 4 },
  ...change,
})

/** A worker with the scene, which never finishes a tile. */
async function startWorker() {
  const [master, channel] = channelPair()
  const said: object[] = []
  let traced = 0
  const pool: TilePool = {
    loadScene: async () => ({ buildMs: 1 }),
    restoreScene: async () => true,
    unloadScene: async () => {},
    trace: () => {
      traced++
      return new Promise(() => {})
    },
  }
  const closed = new Promise<string>(resolve =>
    master.listen({
      control: message => said.push(message as object),
      binary: () => {},
      closed: (_, why) => resolve(why),
    }),
  )
  const scenes = new WorkerScenes([pool], new PartStore(2 ** 20), 2 ** 20)
  const ports = { channel, pools: [pool], scenes, clock: performance, every: () => () => {}, joined: () => {} }
  serve({ name: 'a', areas: [areaOf({})] }, ports).catch(() => {})
  const say = (...orders: ToWorker[]) => {
    for (const each of orders) master.send(each)
  }
  const settle = async () => {
    while (channel.waiting > 0 || master.waiting > 0) await new Promise(resolve => setImmediate(resolve))
  }
  say({ type: 'welcome', id: 'w1', encoding: 'raw' }, { type: 'use-scene', scene, manifest: held.manifest })
  new PartSender(master).send(held, [...held.parts.keys()])
  while (!scenes.isBuilt(scene)) await new Promise(resolve => setImmediate(resolve))
  await settle()
  said.length = 0
  return { said, closed, say, settle, traced: () => traced }
}

it('fails a tile of more pixels than any may have, or of samples that there are not', async () => {
  const { said, say, settle, traced } = await startWorker()
  const whole = { x: 0, y: 0, w: 16384, h: 16384 }
  say(order(1, { rect: whole }))
  say(order(2, { rect: { ...whole, h: 512 }, channels: ['light'] }))
  say(order(3, { samples: { from: 2, to: 2 } }), order(4, { samples: { from: 0, to: 5 } }))
  await settle()
  expect(said).toEqual([
    {
      type: 'tile-failed',
      lease: 1,
      reason: 'tile 0,0 16384x16384: expected at most 67108864 bytes of pixels, got 805306368',
    },
    expect.objectContaining({ lease: 2, reason: expect.stringContaining('expected at most 67108864 bytes') }),
    { type: 'tile-failed', lease: 3, reason: 'tile 0,0 4x4: samples 2 to 2 of 4' },
    { type: 'tile-failed', lease: 4, reason: 'tile 0,0 4x4: samples 0 to 5 of 4' },
  ])
  expect(traced()).toBe(0)
  // Few enough pixels of a large rectangle are traced.
  say(order(5, { rect: whole, pattern: { kind: 'lattice', stepX: 64, stepY: 64, dx: 0, dy: 0 } }))
  await settle()
  expect(traced()).toBe(1)
})

it('leaves a master that orders a lease twice', async () => {
  const { closed, say } = await startWorker()
  say(order(1), order(1))
  expect(await closed).toContain('lease 1 was ordered twice')
})

it('leaves a master that orders more tiles than it takes answers of', async () => {
  const { closed, say, traced } = await startWorker()
  for (let lease = 0; lease <= MAX_OPEN_LEASES; lease++) say(order(lease))
  expect(await closed).toContain(`expected at most ${MAX_OPEN_LEASES} at a time`)
  expect(traced()).toBe(MAX_OPEN_LEASES)
})

it('leaves a master that has it use scene after scene', async () => {
  const { closed, say } = await startWorker()
  for (let i = 0; i <= MAX_USED_SCENES; i++) {
    const [look, ...others] = held.manifest.parts
    const manifest = { parts: [{ ...look!, sha256: sha256(Uint8Array.of(i, i >> 8)), bytes: 1 }, ...others] }
    say({ type: 'use-scene', scene: sceneName(manifest, sha256), manifest })
  }
  expect(await closed).toContain(`expected at most ${MAX_USED_SCENES} in use`)
})
