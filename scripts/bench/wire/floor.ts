/**
 * What the machine allows: the same bytes from a bare socket to as many processes, which hash them with SHA-256. What a master and
 * its workers take longer is their own.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { PART_CHUNK_BYTES } from '../../../shared/protocol/version.ts'
import { say } from './child.ts'
import { type Moment, watchUsage } from './usage.ts'

export interface SenderSaid extends Moment {
  readonly what: 'listens' | 'begins' | 'done'
  readonly port?: number
}

/** Sends `bytes` to each of `receivers` as soon as all are there; done when each has said what their hash is. */
export async function runFloorSender(receivers: number, bytes: number): Promise<void> {
  process.stdin.resume().once('end', () => process.exit())
  const moment = watchUsage()
  const chunk = Buffer.alloc(PART_CHUNK_BYTES, 'not all zeros')
  const server = createServer({ noDelay: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  say({ what: 'listens', ...moment(), port: (server.address() as AddressInfo).port } satisfies SenderSaid)
  const sockets: Socket[] = []
  while (sockets.length < receivers) sockets.push(((await once(server, 'connection')) as [Socket])[0])
  say({ what: 'begins', ...moment() } satisfies SenderSaid)
  await Promise.all(
    sockets.map(async socket => {
      const answered = once(socket, 'data')
      for (let left = bytes; left > 0; left -= chunk.length) {
        const piece = chunk.subarray(0, Math.min(left, chunk.length))
        await new Promise(resolve => socket.write(piece, resolve))
      }
      await answered
    }),
  )
  say({ what: 'done', ...moment() } satisfies SenderSaid)
}

export async function runFloorReceiver(port: number, bytes: number): Promise<void> {
  process.stdin.resume().once('end', () => process.exit())
  const hash = createHash('sha256')
  let left = bytes
  const socket = connect(port, '127.0.0.1')
  socket.on('data', data => {
    hash.update(data)
    left -= data.length
    if (left === 0) socket.write(hash.digest())
  })
  await once(socket, 'close')
}
