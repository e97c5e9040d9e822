/**
 * A line from a worker to its master that can be cut, and that counts what comes down of scenes: all that a master sends
 * a worker in binary. Whoever was cut off connects again and has a new connection to the master.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { DEFAULT_DEADLINES } from '../../shared/protocol/deadlines.ts'
import { dial, SOCKET_OPTIONS } from '../../shared/protocol/node/websocket-channel.ts'

export interface MeteredLine {
  /** Where the worker connects in the place of the master. */
  readonly url: string
  /** Bytes of scenes that came down since the line was there. */
  readonly sceneBytes: number
  /** Ends the connection that there is, without a word to either end. Resolves when the worker has connected again. */
  cut(): Promise<void>
  close(): Promise<void>
}

/** A line for one worker. */
export async function startMeteredLine(masterUrl: string): Promise<MeteredLine> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, ...SOCKET_OPTIONS })
  await once(server, 'listening')
  let sceneBytes = 0
  let drop = () => {}
  server.on('connection', near => {
    const far = dial(masterUrl, DEFAULT_DEADLINES.handshakeMs)
    drop = () => {
      near.terminate()
      far.terminate()
    }
    far.on('message', (data: Buffer, isBinary) => {
      if (isBinary) sceneBytes += data.length
    })
    pass(near, far)
    pass(far, near)
  })
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get sceneBytes() {
      return sceneBytes
    },
    async cut() {
      const back = once(server, 'connection')
      drop()
      await back
    },
    async close() {
      drop()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** What comes from one end goes to the other, as soon as that is open, and so does its end. */
function pass(from: WebSocket, to: WebSocket): void {
  const waiting: (() => void)[] = []
  to.once('open', () => {
    for (const send of waiting.splice(0)) send()
  })
  from.on('message', (data: Buffer, isBinary) => {
    const send = () => to.send(data, { binary: isBinary })
    if (to.readyState === to.CONNECTING) waiting.push(send)
    else send()
  })
  from.on('close', () => to.terminate())
  // Of an error the close tells.
  from.on('error', () => {})
}
