import { describe, expect, it } from 'vitest'
import { withLengthOf } from '../../../scripts/run/film-length.ts'

describe('the length of a film', () => {
  const asked = { frames: 20, fps: 24, stillFrames: 1, isLengthOpen: true }
  const framesOf = (scene: Parameters<typeof withLengthOf>[1], changes = {}) =>
    withLengthOf({ ...asked, ...changes }, scene).frames

  it('is that of what moves', () => {
    expect(framesOf({ motion: { seconds: 2 } })).toBe(48)
    expect(framesOf({ motion: { seconds: 2 }, own: true })).toBe(48)
    expect(framesOf({ motion: { seconds: 1.26 } }, { fps: 10 })).toBe(13)
    expect(framesOf({ motion: { seconds: 0 } })).toBe(1)
  })

  it('is one picture for a camera that comes with the scene, if nothing moves', () => {
    expect(framesOf({ own: true })).toBe(1)
    expect(framesOf({ own: true }, { stillFrames: undefined })).toBe(20)
  })

  it('is what was said otherwise, or as long as films are', () => {
    expect(framesOf({})).toBe(20)
    expect(framesOf({ motion: { seconds: undefined }, own: true })).toBe(20)
    expect(framesOf({ motion: { seconds: 2 } }, { isLengthOpen: false })).toBe(20)
  })
})
