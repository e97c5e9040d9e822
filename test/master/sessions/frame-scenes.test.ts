/** The scenes of frames: provided and released once each, and not ahead of what workers have room for. */
import { describe, expect, it } from 'vitest'
import { FrameScenes } from '../../../master/sessions/frame-scenes.ts'
import type { AreaId } from '../../../shared/ids.ts'
import { manifestBytes } from '../../../shared/scene/manifest.ts'
import type { WantedFrame } from '../../../shared/session/session.ts'
import { MemoryCluster } from '../../support/memory-cluster.ts'
import { settle } from '../../support/memory-session.ts'
import { sceneUnder } from '../../support/moving-scene.ts'
import { scene, smallSession } from '../../support/session.ts'
import { smallCamera } from '../../support/small-scene.ts'

const camera = smallCamera(0)
const [one, two] = [sceneUnder(1), sceneUnder(2)]

/** The scenes of a session, and the names of those in use, as often as they are. */
function session(aheadBytes?: number) {
  const { ports } = new MemoryCluster()
  const used: string[] = []
  const cluster = {
    ...ports.cluster,
    nextWork: () => 0,
    trace: () => {},
    trim: () => {},
    cancel: () => {},
    blame: () => {},
    quarantine: () => {},
    liftQuarantine: () => {},
    cancelWork: () => {},
    identify: (area: AreaId) => ({ area, worker: area }),
    subscribe: () => () => {},
    quiet: new Set<AreaId>(),
    received: () => 0,
    provide: ({ hash }: { hash: string }) => void used.push(hash),
    release: (hash: string) => void used.splice(used.indexOf(hash), 1),
  }
  const { frames: _, ...order } = smallSession({})
  const lost = (error: unknown) => {
    throw error
  }
  return { used, scenes: new FrameScenes(scene, order, { ...ports, cluster } as never, lost, aheadBytes) }
}

describe('the scenes of a frame', () => {
  it('are those of its moments, each once, beside the session’s own', () => {
    const { used, scenes } = session()
    const moments = [{ camera, scene: one }, { camera }, { camera, scene: two }, { camera, scene: one }]
    const next = scenes.prepare({ frame: 0, ...moments[0]!, moments })
    expect(used).toEqual([one.hash, two.hash])
    expect(next.at.scene.hash).toBe(one.hash)
    next.release()
    expect(used).toEqual([])
    const still = scenes.prepare({ frame: 1, camera, moments: [{ camera }, { camera, scene }] })
    expect([still.at, used]).toEqual([scenes.own, []])
  })

  it('wait until there is room beside those in use, if there are any', async () => {
    const bytes = manifestBytes(scene.manifest)
    const { scenes } = session(2.5 * bytes)
    const blurred: WantedFrame = {
      frame: 0,
      camera,
      moments: [
        { camera, scene: one },
        { camera, scene: two },
      ],
    }
    const plain: WantedFrame = { frame: 1, camera, scene: one }
    let hasRoom = false
    // Its own may be more than that: what else could be done?
    await session(1).scenes.room(blurred)
    const before = scenes.prepare(plain)
    await scenes.room(plain)
    void scenes.room(blurred).then(() => {
      hasRoom = true
    })
    await settle()
    expect(hasRoom).toBe(false)
    before.release()
    await settle()
    expect(hasRoom).toBe(true)
  })
})
