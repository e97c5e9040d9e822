/** Peers of a master that say what a test has them say, byte for byte. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { PROTOCOL_VERSION } from '../../shared/protocol/version.ts'

export const CLIENT_HELLO = { type: 'hello', role: 'client', protocol: PROTOCOL_VERSION, encodings: ['raw'] } as const
export const WORKER_HELLO = {
  type: 'hello',
  role: 'worker',
  protocol: PROTOCOL_VERSION,
  name: 'anna',
  encodings: ['raw'],
  holds: [],
  areas: [{ engine: 'wasm', kernel: 'k', threads: 1, speed: 1, clock: 'cpu', grain: { rows: 8 } }],
} as const

export const TEXT = 0x81
export const BINARY = 0x82
/** The header of a masked frame, RFC 6455 §5.2, that promises so many bytes, with a mask of zeros. */
export function frameHeader(first: number, bytes: number): Buffer {
  const header = Buffer.alloc(14)
  header[0] = first
  header[1] = 0xff
  header.writeBigUInt64BE(BigInt(bytes), 2)
  return header
}

/** What a connection says until it is closed. */
export async function lastWords(wire: Socket): Promise<string> {
  let text = ''
  wire.on('data', chunk => {
    text += chunk
  })
  await once(wire, 'close')
  return text
}

/** The code and reason with which it is closed. */
export const closing = async (socket: WebSocket): Promise<[number, string]> => {
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
  return [code, reason.toString()]
}
