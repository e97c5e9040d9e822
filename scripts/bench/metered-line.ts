/**
 * A proxy between a worker and its master that can cut the connection and counts scene downloads: all binary data that a
 * master sends to a worker. A worker that was cut off reconnects and gets a new connection to the master.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { DEFAULT_DEADLINES } from '../../shared/protocol/deadlines.ts'
import { dial, SOCKET_OPTIONS } from '../../shared/protocol/node/websocket-channel.ts'

export interface MeteredLine {
  /** Address that the worker connects to instead of the master. */
  readonly url: string
  /** Scene bytes downloaded since the proxy started. */
  readonly sceneBytes: number
  /** Drops the current connection without a close handshake. Resolves when the worker has reconnected. */
  cut(): Promise<void>
  close(): Promise<void>
}

/** Starts a proxy for one worker. */
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

/** Forwards messages from one end to the other, as soon as that is open, and the end of the connection. */
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
  // 'close' follows every error.
  from.on('error', () => {})
}
