/** How long either end of a connection waits for the other's next step before it goes on without; all in ms. */
export interface Deadlines {
  /** From dialling to an open WebSocket. */
  readonly handshakeMs: number
  /** From an open WebSocket to the peer's hello, at a master. */
  readonly helloMs: number
  /** From the hello to the master's welcome; a master may be held up by a large scene meanwhile. */
  readonly welcomeMs: number
}

export const DEFAULT_DEADLINES: Deadlines = { handshakeMs: 5000, helloMs: 5000, welcomeMs: 10_000 }
