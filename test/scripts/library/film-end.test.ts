import { expect, it } from 'vitest'
import { MasterLink } from '../../../scripts/library/master-link.ts'
import type { FromClient } from '../../../shared/protocol/client-messages.ts'
import { film } from '../../../shared/session/session.ts'
import { channelPair } from '../../support/memory-channel.ts'
import { scene, smallSession } from '../../support/session.ts'

it('tells the master once that a film has no more frames, though it was asked for more twice', async () => {
  const [master, line] = channelPair()
  const heard: FromClient[] = []
  let over = () => {}
  const closed = new Promise<void>(resolve => {
    over = resolve
  })
  master.listen({
    control: message => {
      const said = message as FromClient
      heard.push(said)
      if (said.type === 'offer-scene') master.send({ type: 'scene-held', scene: said.scene })
      if (said.type !== 'open-session') return
      for (const count of [8, 8]) master.send({ type: 'frames-wanted', session: 0, count })
    },
    binary: () => {},
    closed: over,
  })
  const link = new MasterLink('ws://master', line)
  link.welcomed.catch(() => {})
  const { frames, ...order } = smallSession({})
  const sink = { started: () => {}, status: () => {}, frame: () => {} }
  const running = link.run(order, scene, film(frames), sink, new AbortController().signal)
  running.catch(() => {})
  for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve))
  expect(heard.filter(said => said.type === 'frames' && said.end)).toHaveLength(1)
  line.close(1000, '')
  await closed
})
