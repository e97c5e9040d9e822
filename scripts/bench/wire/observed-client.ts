/** A client that says when its master has a scene. */
import type { Channel, ChannelHandlers } from '../../../shared/protocol/channel.ts'
import { MasterLine } from '../../../shared/protocol/node/master-line.ts'
import type { SessionRunner } from '../../../shared/session/session.ts'
import { MasterLink } from '../../library/master-link.ts'

/** @param held called whenever the master has all parts of a scene; the client goes on when it resolves */
export async function connectObserved(url: string, held: () => Promise<unknown>): Promise<SessionRunner> {
  const line = new MasterLine(url, {})
  await line.opened
  const { channel } = line
  const listen = (handlers: ChannelHandlers) =>
    channel.listen({
      control: message => {
        if ((message as { readonly type?: unknown }).type !== 'scene-held') handlers.control(message)
        else void held().then(() => handlers.control(message))
      },
      binary: message => handlers.binary(message),
      closed: (code, reason) => handlers.closed(code, reason),
    })
  const observed: Channel = new Proxy(channel, {
    get: (of, name) => {
      if (name === 'listen') return listen
      const value: unknown = Reflect.get(of, name, of)
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
  const link = new MasterLink(url, observed)
  await link.welcomed
  line.welcomed()
  return link
}
