/** Frames that a client names: with the scenes that it has sent, or refused. */
import { describe, expect, it } from 'vitest'
import { resolving } from '../../../master/clients/remote-source.ts'
import { MAX_MOMENTS } from '../../../shared/frame/frame-limits.ts'
import { parseFromClient } from '../../../shared/protocol/client-messages.ts'
import { ProtocolError } from '../../../shared/protocol/protocol-error.ts'
import { sceneUnder } from '../../support/moving-scene.ts'
import { scene, smallSession } from '../../support/session.ts'
import { smallCamera } from '../../support/small-scene.ts'

const camera = smallCamera(0)
const quality = { samples: 4, ambientRays: 1, maxDepth: 2 }
const orderOf = (changes: object) => smallSession({ quality, ...changes })
const sun = sceneUnder(2)
const sent = (name: string) => [scene, sun].find(({ hash }) => hash === name)

describe('a named frame', () => {
  it('gets its scenes', () => {
    const resolve = resolving(orderOf({ passes: 2 }), sent)
    expect(resolve({ frame: 1, camera })).toEqual({ frame: 1, camera })
    expect(resolve({ frame: 1, camera, scene: sun.hash })).toEqual({ frame: 1, camera, scene: sun })
    const moments = [{ camera }, { camera: smallCamera(1), scene: sun.hash }]
    expect(resolve({ frame: 1, camera, moments })).toEqual({
      frame: 1,
      camera,
      moments: [{ camera }, { camera: smallCamera(1), scene: sun }],
    })
  })

  it('is refused with a scene that was not sent', () => {
    const resolve = resolving(orderOf({ passes: 1 }), sent)
    const stranger = sceneUnder(3).hash
    expect(() => resolve({ frame: 1, camera, scene: stranger })).toThrow(ProtocolError)
    expect(() => resolve({ frame: 1, camera, moments: [{ camera, scene: stranger }] })).toThrow('frame 1 names a scene')
  })

  it('is refused with other moments than the session has passes, or has samples or noise for', () => {
    const moments = [{ camera }, { camera }]
    const refused = [
      { passes: 1 },
      { passes: 3 },
      { passes: 2, quality: { ...quality, samples: 1 } },
      { passes: 2, noise: 0.1 },
      { passes: 2, timeMs: 1000 },
    ]
    for (const order of refused)
      expect(() => resolving(orderOf(order), sent)({ frame: 1, camera, moments })).toThrow('expected a moment for each')
  })

  it('has a bounded number of moments', () => {
    const frames = (count: number) => ({
      type: 'frames',
      session: 0,
      frames: [{ frame: 0, camera, moments: Array.from({ length: count }, () => ({ camera })) }],
    })
    expect(parseFromClient(frames(MAX_MOMENTS))).toEqual(frames(MAX_MOMENTS))
    expect(() => parseFromClient(frames(MAX_MOMENTS + 1))).toThrow(ProtocolError)
    expect(() => parseFromClient(frames(0))).toThrow(ProtocolError)
  })

  describe('of a viewer', () => {
    const settings = { size: [40, 30], quality: { ...quality, samples: 1 }, passes: 1, progressive: false } as const
    const viewer = orderOf({ kind: 'viewer', size: [40, 30] })

    it('may have settings of its own', () => {
      expect(resolving(viewer, sent)({ frame: 1, camera, settings })).toEqual({ frame: 1, camera, settings })
      const tall = { ...settings, size: [30, 40] } as const
      expect(resolving(viewer, sent)({ frame: 1, camera, settings: tall }).settings).toEqual(tall)
    })

    it.each([
      ['more pixels than its session', viewer, { ...settings, size: [41, 30] }, 'at most the 1200 pixels'],
      ['noise without bounces', viewer, { ...settings, noise: 0.1 }, "integrator 'path'"],
      ['a size, in a session with channels', { ...viewer, channels: ['depth'] }, settings, 'no channels'],
      ['settings, in a film', orderOf({}), settings, 'none in a film'],
    ] as const)('is refused with %s', (_, order, wrong, says) => {
      expect(() => resolving(order as typeof viewer, sent)({ frame: 1, camera, settings: wrong })).toThrow(says)
    })
  })
})
