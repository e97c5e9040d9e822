/** A proxy in front of a page's port that is as far away, and as narrow, as a line into the wide world. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface SlowLineOptions {
  /** There and back, ms. */
  readonly roundTripMs: number
  /** In each direction. */
  readonly mbitPerS: number
}

export interface SlowLine {
  /** A link to the page behind it, as if the page were here. */
  link(link: string): string
  /** Bytes that have come through, both ways. */
  readonly bytes: number
  close(): Promise<void>
}

/** What waits in front of the narrow part before the sender is told to stop, bytes. */
const MOST_WAITING = 65_536

/** @param port of the page, on this machine */
export async function startSlowLine(port: number, options: SlowLineOptions): Promise<SlowLine> {
  let bytes = 0
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, near => {
    const far = connect({ port, host: '127.0.0.1', noDelay: true })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => sockets.delete(from))
      slowly(from, to, options, count => {
        bytes += count
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo
  return {
    link: link => {
      const url = new URL(link)
      url.port = `${own}`
      return url.href
    },
    get bytes() {
      return bytes
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** What comes leaves one piece after the other, at the line's rate, and arrives later, its end too; in its order. */
function slowly(
  from: Socket,
  to: Socket,
  { roundTripMs, mbitPerS }: SlowLineOptions,
  passed: (bytes: number) => void,
): void {
  const bytesPerMs = mbitPerS * 125
  let freeAt = 0
  /** Timers of different lengths may end in another order than they should. */
  const onTheWay: (Buffer | 'end')[] = []
  const arrive = () => {
    const first = onTheWay.shift()!
    if (first === 'end') return to.destroySoon()
    passed(first.length)
    if (!to.destroyed) to.write(first)
  }
  from.on('data', (data: Buffer) => {
    const now = performance.now()
    freeAt = Math.max(freeAt, now) + data.length / bytesPerMs
    const waiting = (freeAt - now) * bytesPerMs
    if (waiting > MOST_WAITING) {
      from.pause()
      setTimeout(() => from.resume(), (waiting - MOST_WAITING) / bytesPerMs)
    }
    onTheWay.push(data)
    setTimeout(arrive, freeAt - now + roundTripMs / 2)
  })
  from.on('close', () => {
    onTheWay.push('end')
    setTimeout(arrive, Math.max(0, freeAt - performance.now()) + roundTripMs / 2)
  })
}
