/** The scenes that clients bring: what travels, what is kept, what is refused. */
import { describe, expect, it } from 'vitest'
import { OfferedScenes } from '../../../master/clients/offered-scenes.ts'
import { MAX_MOMENTS } from '../../../shared/frame/frame-limits.ts'
import { sha256 } from '../../../shared/node/sha256.ts'
import type { ControlMessage } from '../../../shared/protocol/channel.ts'
import { PartSender } from '../../../shared/protocol/part-transfer.ts'
import { ProtocolError } from '../../../shared/protocol/protocol-error.ts'
import { type HeldScene, holdScene } from '../../../shared/scene/held-scene.ts'
import { manifestBytes } from '../../../shared/scene/manifest.ts'
import { packScene, readPackedScene } from '../../../shared/scene/packed-scene.ts'
import { PartStore } from '../../../shared/scene/part-store.ts'
import { withSun } from '../../support/described.ts'
import { channelPair } from '../../support/memory-channel.ts'
import { smallScene } from '../../support/small-scene.ts'

const scene = smallScene()
const data = readPackedScene(scene.bytes)
const litBy = (irradiance: number): HeldScene => holdScene(packScene(withSun(data, [irradiance, 1, 1])), sha256)

/** A client, and what the master answers it. */
function client(store: PartStore) {
  const [master, line] = channelPair()
  const scenes = new OfferedScenes(master, store)
  const heard: ControlMessage[] = []
  master.listen({
    control: () => {},
    binary: message => message.kind === 'part-chunk' && scenes.take(message),
    closed: () => {},
  })
  line.listen({ control: message => void heard.push(message as ControlMessage), binary: () => {}, closed: () => {} })
  const sender = new PartSender(line)
  /** Offers a scene and sends what is asked for; the answer is how many parts that were. */
  const bring = async (of: HeldScene): Promise<number> => {
    scenes.offered(of.hash, of.manifest)
    await settle()
    const wanted = heard.findLast(message => message.type === 'parts-wanted')!
    sender.send(of, wanted.parts)
    await settle()
    return wanted.parts.length
  }
  return { scenes, heard, bring }
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 30; turn++) await new Promise(resolve => setImmediate(resolve))
}

describe('a scene that a client offers', () => {
  it('is asked for by the parts that nobody brought yet, and held when they are there', async () => {
    const store = new PartStore(2 ** 20)
    const first = client(store)
    expect(await first.bring(scene)).toBe(9)
    expect(first.heard.at(-1)).toEqual({ type: 'scene-held', scene: scene.hash })
    const held = first.scenes.get(scene.hash)!
    expect({ ...readPackedScene(held.bytes), bytes: 0 }).toEqual({ ...data, bytes: 0 })
    // Another client brings nothing of it, and one part of another that differs in one.
    const second = client(store)
    expect(await second.bring(scene)).toBe(0)
    expect(second.heard.at(-1)).toEqual({ type: 'scene-held', scene: scene.hash })
    expect(await second.bring(litBy(7))).toBe(1)
  })

  it('is not there before its last part, and no longer when the client has brought others or is gone', async () => {
    const { scenes, bring } = client(new PartStore(2 ** 20))
    scenes.offered(scene.hash, scene.manifest)
    expect(scenes.get(scene.hash)).toBeUndefined()
    await bring(scene)
    const named = async (irradiance: number) => {
      await bring(litBy(irradiance))
      expect(scenes.get(litBy(irradiance).hash)).toBeDefined()
    }
    for (const irradiance of [1, 2, 3]) await named(irradiance)
    expect(scenes.get(scene.hash)).toBeDefined()
    await named(4)
    expect(scenes.get(scene.hash)).toBeUndefined()
    scenes.end()
    expect(scenes.get(litBy(4).hash)).toBeUndefined()
  })

  it('is kept until it is named, for frames that name many', async () => {
    const { scenes, bring } = client(new PartStore(2 ** 20))
    const many = Array.from({ length: MAX_MOMENTS }, (_, i) => litBy(i))
    for (const each of many) await bring(each)
    for (const { hash } of many) expect(scenes.get(hash)?.hash).toBe(hash)
    // The newest few are kept for the next frame.
    await bring(scene)
    expect(many.filter(({ hash }) => scenes.get(hash))).toHaveLength(3)
  })

  it('is forgotten at last if it is never named', async () => {
    const { scenes, bring } = client(new PartStore(2 ** 20))
    await bring(scene)
    for (let i = 0; i < MAX_MOMENTS + 4; i++) await bring(litBy(i))
    expect(scenes.get(scene.hash)).toBeUndefined()
    expect(scenes.get(litBy(0).hash)).toBeDefined()
  })

  it('is refused when it is not what its name says', () => {
    const { scenes } = client(new PartStore(2 ** 20))
    expect(() => scenes.offered('ab'.repeat(32), scene.manifest)).toThrow(ProtocolError)
  })

  it('is refused in a message when it has no room beside those in use, and has it when these are gone', async () => {
    const store = new PartStore(manifestBytes(scene.manifest))
    const first = client(store)
    await first.bring(scene)
    const second = client(store)
    const refused = {
      type: 'scene-refused',
      scene: litBy(1).hash,
      code: 'STORE_FULL',
      reason: expect.stringMatching(
        /^scenes: expected at most 1 MiB of parts in use, got 1 MiB beside 1 MiB of other scenes; use/,
      ),
    }
    second.scenes.offered(litBy(1).hash, litBy(1).manifest)
    await settle()
    expect(second.heard).toEqual([refused])
    expect(second.scenes.get(litBy(1).hash)).toBeUndefined()
    // It has one that is there, and takes no room.
    expect(await second.bring(scene)).toBe(0)
    second.scenes.end()
    first.scenes.end()
    expect(await second.bring(litBy(1))).toBe(1)
  })

  it('makes room for others when no session of its client is open, unless it has not been named yet', async () => {
    const { scenes, bring, heard } = client(new PartStore(manifestBytes(scene.manifest)))
    await bring(scene)
    scenes.rest()
    scenes.offered(litBy(1).hash, litBy(1).manifest)
    await settle()
    expect(heard.at(-1)).toMatchObject({ type: 'scene-refused' })
    expect(scenes.get(scene.hash)).toBeDefined()
    scenes.rest()
    expect(await bring(litBy(1))).toBe(1)
    expect(heard.at(-1)).toEqual({ type: 'scene-held', scene: litBy(1).hash })
  })
})
