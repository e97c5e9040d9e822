/**
 * The first message on a connection: a hello of the right version turns a channel into a peer, at once or when it has proved who it is;
 * anything else ends the connection with an explanation. Later, any error that the peer throws for a malformed message ends it, too. A refused
 * peer is gone at once: its messages are ignored, and it is not counted on while the connection closes.
 */
import { messageOf, SortfirstError } from '../../shared/errors.ts'
import { type Channel, CLOSE_CODES, TOO_LARGE } from '../../shared/protocol/channel.ts'
import type { BinaryMessage } from '../../shared/protocol/codec.ts'
import { type Hello, MAX_REASON } from '../../shared/protocol/messages.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import { SlowPeerError } from '../../shared/protocol/slow-peers.ts'
import { shortened } from '../../shared/text/printable.ts'
import { NoHelloError } from './strangers.ts'

/** The other end of a channel after its hello. Methods throw ProtocolError for invalid messages. */
export interface Peer {
  control(message: unknown): void
  /** No further message comes before a returned promise settles, which rejects as others throw. */
  binary(message: BinaryMessage): unknown
  /** @param isRefused whether it sent what no peer may, rather than that the connection ended */
  closed(reason: string, isRefused: boolean): void
}

/** A message is longer than any that is expected of this peer, and was not read to its end. */
export class LongMessageError extends SortfirstError {
  readonly code = 'MESSAGE_TOO_LONG'
  constructor(bytes: number, most: number) {
    super(`a message of more than ${bytes} bytes, expected at most ${most} of what was asked for`)
  }
}

export interface Greeter {
  /** @throws ProtocolError, ProtocolMismatchError */
  parse(message: unknown): Hello
  /** Has a peer prove what its hello says: the function reads its answer, and throws. Undefined: there is nothing to prove. @default nothing */
  challenge?(hello: Hello): ((answer: unknown) => void) | undefined
  /** @throws KernelMismatchError */
  admit(hello: Hello): Peer
  closed(): void
  /** The peer is refused, or has sent what no channel can read. */
  refused(why: unknown): void
}

/** Performs the handshake on `channel`. Returns a function that refuses the peer with an explanation. */
export function handshake(
  channel: Channel,
  { parse, challenge, admit, closed, refused }: Greeter,
): (why: unknown) => void {
  let peer: Peer | undefined
  /** It has said its hello, and has still to prove it. */
  let proving: { readonly hello: Hello; readonly check: (answer: unknown) => void } | undefined
  /** Whether it was admitted, or refused. */
  let isKnown = false
  const part = (reason: string, isRefused: boolean): void => {
    const gone = peer
    peer = undefined
    gone?.closed(reason, isRefused)
  }
  const refuse = (error: unknown): void => {
    const reason = shortened(messageOf(error), MAX_REASON)
    isKnown = true
    refused(error)
    channel.send({ type: 'goodbye', code: error instanceof SortfirstError ? error.code : 'INTERNAL', reason })
    channel.close(CLOSE_CODES.refused, reason)
    part(reason, true)
  }
  const guarded = (act: () => unknown): unknown => {
    try {
      const acted = act()
      return acted instanceof Promise ? acted.catch(refuse) : undefined
    } catch (error) {
      return refuse(error)
    }
  }
  channel.listen({
    control: message =>
      void guarded(() => {
        if (peer) return peer.control(message)
        let hello: Hello
        if (proving) {
          proving.check(message)
          hello = proving.hello
          proving = undefined
        } else {
          hello = parse(message)
          const check = challenge?.(hello)
          if (check) {
            proving = { hello, check }
            return
          }
        }
        peer = admit(hello)
        isKnown = true
      }),
    binary: message =>
      guarded(() => {
        if (!peer) parse(undefined)
        return peer?.binary(message)
      }),
    closed: (code, reason) => {
      const words = reason || closeText(code)
      const isMalformed = code === CLOSE_CODES.badMessage || code === TOO_LARGE
      if (code === CLOSE_CODES.tooSlow) refused(new SlowPeerError(words))
      else if (isMalformed) refused(new ProtocolError(words))
      else if (!isKnown) refused(new NoHelloError(`before the connection ended (${words})`))
      closed()
      part(words, isMalformed)
    },
  })
  return refuse
}

const closeText = (code: number): string => (code === 1006 ? 'connection lost' : `closed with code ${code}`)
