import { describe, expect, it } from 'vitest'
import { SceneWaits } from '../../worker/scene-waits.ts'

describe('tiles that wait for scenes', () => {
  it('go on when their scene is built, all of them', async () => {
    const waits = new SceneWaits()
    const [a, again, b] = [waits.until('a'), waits.until('a'), waits.until('b')]
    waits.built('a')
    await Promise.all([a, again])
    expect([waits.isAwaited('a'), waits.isAwaited('b')]).toEqual([false, true])
    waits.failed('b', new Error('too large'))
    await expect(b).rejects.toThrow('too large')
    // Nobody waits any more.
    waits.built('a')
    waits.failed('b', new Error('gone'))
  })

  it('have a reason to wait while a scene is built or awaited, but not for ever', () => {
    const waits = new SceneWaits()
    expect(waits.isReason([])).toBe(false)
    const looks = (building: readonly string[]) => {
      let count = 0
      while (waits.isReason(building) && count < 1000) count++
      return count
    }
    expect(looks(['a'])).toBe(60)
    expect(waits.isReason(['a'])).toBe(false)
    // Another one is built: there is progress.
    expect(looks(['b'])).toBe(60)
    expect(waits.isReason([])).toBe(false)
    void waits.until('c')
    expect(looks([])).toBe(60)
  })
})
