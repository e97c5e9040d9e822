import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ScenePart } from '../../../shared/scene/manifest.ts'
import { PartStore, StoreFullError } from '../../../shared/scene/part-store.ts'

const part = (name: string, bytes: number): ScenePart => ({ kind: 'look', sha256: name, bytes })
const put = (store: PartStore, name: string, bytes: number) => store.put(name, new Uint8Array(bytes))

describe('a store of parts', () => {
  it('lets those go first that were not used for longest', () => {
    const store = new PartStore(30)
    for (const name of ['a', 'b', 'c']) put(store, name, 10)
    store.get('a')
    put(store, 'd', 10)
    expect(['a', 'b', 'c', 'd'].map(name => store.has(name))).toEqual([true, false, true, true])
    expect(store.bytes).toBe(30)
  })

  it('keeps what is in use, and room for what is still to come', () => {
    const store = new PartStore(30)
    put(store, 'a', 10)
    const release = store.keep([part('a', 10), part('b', 15)])
    put(store, 'c', 15)
    put(store, 'b', 15)
    expect(['a', 'b', 'c'].map(name => store.has(name))).toEqual([true, true, false])
    expect(() => store.keep([part('d', 6)])).toThrow(StoreFullError)
    release()
    release()
    store.keep([part('d', 6)])
    put(store, 'd', 6)
    expect(['a', 'b', 'd'].map(name => store.has(name))).toEqual([false, true, true])
  })

  it('counts a part once that two scenes share, and keeps it for the second', () => {
    const store = new PartStore(20)
    const first = store.keep([part('a', 15)])
    store.keep([part('a', 15), part('b', 5)])
    put(store, 'a', 15)
    first()
    put(store, 'c', 20)
    expect([store.has('a'), store.has('c')]).toEqual([true, false])
  })

  it('holds no more than it may, and all that is in use, whatever comes', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const sizes: Record<string, number> = { a: 1, b: 5, c: 7, d: 11, e: 3, f: 30 }
    const anyName = fc.constantFrom(...names)
    const anyStep = fc.oneof(
      fc.record({ type: fc.constant('put' as const), name: anyName }),
      fc.record({ type: fc.constant('keep' as const), name: anyName }),
      fc.record({ type: fc.constant('release' as const), name: anyName }),
    )
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60 }), steps => {
        const store = new PartStore(25)
        const kept = new Map<string, (() => void)[]>()
        const present = new Set<string>()
        for (const { type, name } of steps) {
          if (type === 'put') {
            put(store, name, sizes[name]!)
            if (kept.get(name)?.length) present.add(name)
          } else if (type === 'release') {
            kept.get(name)?.pop()?.()
            if (!kept.get(name)?.length) present.delete(name)
          } else {
            const inUse = names.filter(other => kept.get(other)?.length)
            const fits = inUse.includes(name) || inUse.reduce((sum, n) => sum + sizes[n]!, sizes[name]!) <= 25
            if (!fits) {
              expect(() => store.keep([part(name, sizes[name]!)])).toThrow(StoreFullError)
              continue
            }
            kept.set(name, [...(kept.get(name) ?? []), store.keep([part(name, sizes[name]!)])])
            if (store.has(name)) present.add(name)
          }
          expect(store.bytes).toBeLessThanOrEqual(25)
          expect(store.bytes).toBe(names.reduce((sum, n) => sum + (store.has(n) ? sizes[n]! : 0), 0))
          for (const n of present) expect(store.has(n)).toBe(true)
        }
      }),
    )
  })
})
