/**
 * A TCP relay between a peer and its master: a line so narrow as the test wants it, which can also fall silent, as when a
 * cable is cut or a machine loses power: nothing passes any more, and no socket closes.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Relay {
  /** Where peers connect in the place of the master. */
  readonly url: string
  /** Connections there ever were. */
  readonly connections: number
  /** From now on nothing passes, and no end hears of the other's. */
  silence(): void
  /** Ends all connections that there are; others may come. */
  cut(): void
  close(): Promise<void>
}

/** How often a slice passes a narrow line, ms. */
const SLICE_MS = 10

/** @param bytesPerSecond each way and connection */
export async function startRelay(masterUrl: string, bytesPerSecond = Infinity): Promise<Relay> {
  const { hostname, port } = new URL(masterUrl)
  const sockets = new Set<Socket>()
  const slice = Math.ceil((bytesPerSecond * SLICE_MS) / 1000)
  let silent = false
  let connections = 0

  /** Reads on only when all that was read has passed, so that whoever sends feels how narrow the line is. */
  const pump = async (from: Socket, to: Socket): Promise<void> => {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length; at += slice) {
        if (Number.isFinite(bytesPerSecond)) await new Promise(resolve => setTimeout(resolve, SLICE_MS))
        if (silent) await new Promise(() => {})
        to.write(chunk.subarray(at, at + slice))
      }
    }
    if (!silent) to.end()
  }
  const server = createServer(near => {
    connections++
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.setNoDelay(true)
      pump(from, to).catch(() => {
        if (!silent) to.destroy()
      })
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections
    },
    silence: () => {
      silent = true
    },
    cut: () => {
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
