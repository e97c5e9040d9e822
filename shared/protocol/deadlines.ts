/** How long either end of a connection waits for the other's next step before it gives up; all in ms. */
export interface Deadlines {
  /** From connecting to an open WebSocket. */
  readonly handshakeMs: number
  /** From an open WebSocket to the peer's hello, at a master. */
  readonly helloMs: number
  /** From the hello to the master's welcome; a large scene may delay the master. */
  readonly welcomeMs: number
}

export const DEFAULT_DEADLINES: Deadlines = { handshakeMs: 5000, helloMs: 5000, welcomeMs: 10_000 }

/** From a close to the end of the connection, whether or not the peer answers, so that programs end within a second. */
export const CLOSE_GRACE_MS = 250
