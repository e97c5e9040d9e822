import { describe, expect, it } from 'vitest'
import { garbageCollector } from '../../../worker/node/garbage-collector.ts'
import { RequestOrder } from '../../../worker/threads/request-order.ts'

/** Things to do that end when the test says, and a log of when each begins. */
function stage() {
  const turns = new RequestOrder()
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const work = (name: string) => (): Promise<string> => {
    begun.push(name)
    return new Promise((resolve, reject) => ends.set(name, error => (error ? reject(error) : resolve(name))))
  }
  const settle = () => new Promise(resolve => setImmediate(resolve))
  const end = async (name: string, error?: Error) => {
    ends.get(name)!(error)
    await settle()
  }
  return { turns, begun, work, end, settle }
}

describe('turns', () => {
  it('begin with the next one while the last is under way, and with no more', async () => {
    const { turns, begun, work, end, settle } = stage()
    const results = ['a', 'b', 'c', 'd'].map(name => turns.overlapping(work(name)))
    await settle()
    expect(begun).toEqual(['a', 'b'])
    await end('a')
    expect(begun).toEqual(['a', 'b', 'c'])
    // Even if it is done before the one ahead of it.
    await end('c')
    expect(begun).toEqual(['a', 'b', 'c'])
    await end('b')
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
    await end('d')
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('wait where something has to be done alone', async () => {
    const { turns, begun, work, end, settle } = stage()
    void turns.overlapping(work('a'))
    void turns.overlapping(work('b'))
    void turns.alone(work('scene'))
    void turns.overlapping(work('c'))
    void turns.overlapping(work('d'))
    await settle()
    await end('b')
    expect(begun).toEqual(['a', 'b'])
    await end('a')
    expect(begun).toEqual(['a', 'b', 'scene'])
    await end('scene')
    expect(begun).toEqual(['a', 'b', 'scene', 'c', 'd'])
  })

  it('go on after what failed', async () => {
    const { turns, begun, work, end, settle } = stage()
    const failing = turns.overlapping(work('a'))
    failing.catch(() => {})
    void turns.alone(work('b'))
    await settle()
    await end('a', new Error('no light'))
    await expect(failing).rejects.toThrow('no light')
    expect(begun).toEqual(['a', 'b'])
  })
  it('keep nothing of what is done, however much more is asked for', async () => {
    const turns = new RequestOrder()
    const collect = garbageCollector()
    const results: WeakRef<object>[] = []
    const work = async () => {
      const result = { pixels: new Uint8Array(1000) }
      results.push(new WeakRef(result))
      return result
    }
    for (let i = 0; i < 20; i++) await (i % 7 === 3 ? turns.alone(work) : turns.overlapping(work))
    await new Promise(resolve => setImmediate(resolve))
    collect()
    expect(results.slice(0, -1).filter(result => result.deref() !== undefined)).toEqual([])
  })
})
