import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UnfinishedView } from '../../../scripts/library/unfinished-view.ts'
import type { WantedFrame } from '../../../shared/session/session.ts'
import { Viewer } from '../../../shared/session/viewer.ts'
import { smallCamera } from '../../support/small-scene.ts'

const view = (frame: number): WantedFrame => ({ frame, camera: smallCamera(frame) })

function start() {
  const viewer = new Viewer()
  return { viewer, unfinished: new UnfinishedView(viewer) }
}

const settle = () => new Promise(resolve => setImmediate(resolve))

describe('a viewer over several connections', () => {
  it('asks again for the newest view that was not shown, once', async () => {
    const { viewer, unfinished } = start()
    const first = unfinished.next()
    for (const frame of [0, 1]) {
      viewer.look(view(frame))
      await first.ready()
      first.take()
    }
    unfinished.delivered(0)
    expect(unfinished.isOwed).toBe(true)
    const second = unfinished.next()
    expect(await second.ready()).toBe(true)
    expect(second.take().frame).toBe(1)
    let isReady = false
    void second.ready().then(() => {
      isReady = true
    })
    await settle()
    expect(isReady).toBe(false)
    unfinished.delivered(1)
    expect(unfinished.isOwed).toBe(false)
  })

  it('asks for none that was shown or abandoned, also while there is no connection', async () => {
    const { viewer, unfinished } = start()
    for (const forget of [() => unfinished.delivered(0), () => viewer.abandon()]) {
      const before = unfinished.next()
      viewer.look(view(0))
      await before.ready()
      before.take()
      const next = unfinished.next()
      forget()
      viewer.look(view(1))
      expect(await next.ready()).toBe(true)
      expect(next.take().frame).toBe(1)
      unfinished.delivered(1)
    }
  })

  it('gives a connection that is lost no more views, also if it asked before', async () => {
    const { viewer, unfinished } = start()
    const lost = unfinished.next()
    const asked = lost.ready()
    const next = unfinished.next()
    const ready = next.ready()
    viewer.look(view(0))
    expect(await asked).toBe(false)
    expect(await ready).toBe(true)
    expect(next.take().frame).toBe(0)
    viewer.close()
    expect(await next.ready()).toBe(false)
    expect(await unfinished.next().ready()).toBe(true)
  })

  it('tells the connection that there is of what is abandoned, and nobody when it is over', async () => {
    const { viewer, unfinished } = start()
    let heard = 0
    const stop = unfinished.next().onAbandon!(() => heard++)
    viewer.abandon()
    stop()
    viewer.abandon()
    expect(heard).toBe(1)
    unfinished.end()
  })

  it('shows the last view at last, whenever connections are lost', async () => {
    const step = fc.constantFrom('look', 'take', 'show', 'lose', 'abandon')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
        const { viewer, unfinished } = start()
        let source = unfinished.next()
        let frame = 0
        let taken: number[] = []
        let shown: number | undefined
        let newest = 0
        let isAbandoned = true
        const take = async () => {
          let isReady = false
          void source.ready().then(ready => {
            isReady = ready
          })
          await settle()
          if (!isReady) return false
          newest = source.take().frame
          taken.push(newest)
          return true
        }
        const show = () => {
          const number = taken.shift()
          if (number === undefined) return
          unfinished.delivered(number)
          shown = number
        }
        for (const each of steps) {
          if (each === 'look') {
            viewer.look(view(++frame))
            isAbandoned = false
          } else if (each === 'take') await take()
          else if (each === 'show') show()
          else if (each === 'lose') {
            source = unfinished.next()
            taken = []
          } else {
            // What has not begun is still wanted.
            if (newest === frame) isAbandoned = true
            viewer.abandon()
          }
        }
        source = unfinished.next()
        taken = []
        while (await take()) show()
        if (!isAbandoned) expect(shown).toBe(frame)
      }),
      { numRuns: 50 },
    )
  })
})
