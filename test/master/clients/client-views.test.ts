/** What pages ask of a client whose view they show: other scenes of it. */
import { expect, it } from 'vitest'
import { ClientViews } from '../../../master/clients/client-views.ts'
import type { ShownView } from '../../../master/page/view-source.ts'
import { MOST_PAGES } from '../../../master/page/views.ts'
import type { ViewFacts } from '../../../shared/page/view-offer.ts'
import type { Channel } from '../../../shared/protocol/channel.ts'
import { SESSION_VERSION, type SessionOrder } from '../../../shared/protocol/session-order.ts'
import type { NamedScene } from '../../../shared/scene/held-scene.ts'

const light = { sun: 'none', film: { fps: 24 } } as const

async function offering(facts: object) {
  const said: { readonly type: string }[] = []
  let shown: ShownView | undefined
  const views = new ClientViews(
    { send: (message: { readonly type: string }) => void said.push(message) } as unknown as Channel,
    {
      offerView: offered => {
        shown = offered
        return Promise.resolve({ ticket: () => 'ticket', close: () => {} })
      },
      checkScene: ({ hash }) => (hash === 'bad' ? Promise.reject(new Error('it is damaged')) : Promise.resolve()),
    },
    hash => (hash === 'none' ? undefined : ({ hash } as NamedScene)),
  )
  const order = { kind: 'viewer', scene: 'first' } as SessionOrder
  views.hear({ type: 'offer-view', view: 0, version: SESSION_VERSION, order, facts: facts as ViewFacts })
  await new Promise(setImmediate)
  return { views, said, shown: shown! }
}

it('are scenes that it makes, each by its number, in whichever order they come', async () => {
  const { views, said, shown } = await offering({ light })
  expect(shown.source?.light).toEqual(light)
  const [one, two, bad, none] = [1, 2, 3, 4].map(frame => shown.source!.scene({ frame }))
  expect(said.filter(({ type }) => type === 'want-scene')).toEqual(
    [1, 2, 3, 4].map((frame, ask) => ({ type: 'want-scene', view: 0, ask, asked: { frame } })),
  )
  views.hear({ type: 'scene-made', view: 0, ask: 1, scene: 'b' })
  views.hear({ type: 'scene-not-made', view: 0, ask: 0, reason: 'no file' })
  views.hear({ type: 'scene-made', view: 0, ask: 2, scene: 'bad' })
  views.hear({ type: 'scene-made', view: 0, ask: 3, scene: 'none' })
  await expect(one).rejects.toThrow('no file')
  expect(await two).toEqual({ hash: 'b' })
  await expect(bad).rejects.toThrow('it is damaged')
  await expect(none).rejects.toThrow('was not sent')
  // Nobody waits for these.
  for (const [view, ask] of [
    [0, 1],
    [0, 9],
    [7, 0],
  ] as const) {
    views.hear({ type: 'scene-made', view, ask, scene: 'c' })
    views.hear({ type: 'scene-not-made', view, ask, reason: 'no' })
  }
})

it('are not asked for without end, and not waited for after the view has ended, or its client has gone', async () => {
  for (const end of ['end-view', 'gone'] as const) {
    const { views, shown } = await offering({ light })
    const asked = Array.from({ length: 2 * MOST_PAGES }, () => shown.source!.scene({}))
    await expect(shown.source!.scene({})).rejects.toThrow('too many')
    const refused = asked.map(each => expect(each).rejects.toThrow('the view has ended'))
    if (end === 'gone') views.end()
    else views.hear({ type: 'end-view', view: 0 })
    await Promise.all(refused)
  }
})

it('are none of a client that makes none', async () => {
  const { shown } = await offering({})
  expect(shown.source).toBeUndefined()
})
