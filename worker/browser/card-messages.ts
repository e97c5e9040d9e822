/** What a tab and the thread of its graphics card say to each other. */
import type { RaysLine } from '../threads/rays-line.ts'

/** The first message: the thread answers `ready` or `lost`. */
export interface CardStart {
  readonly kernel: WebAssembly.Module
  /** A part of its name; undefined: any that is no software. */
  readonly wanted: string | undefined
  readonly isCard: true
}

/** Those with a number are answered by one reply of it. */
export type CardOrder =
  /** The line of a new tracing thread. */
  | { readonly type: 'line'; readonly number: number }
  /** Puts a built scene on the card. */
  | { readonly type: 'place'; readonly number: number; readonly name: string; readonly built: object }
  | { readonly type: 'displace'; readonly name: string }

export type CardReply =
  | { readonly type: 'ready'; readonly name: string }
  /** It cannot be used, or not any more. */
  | { readonly type: 'lost'; readonly reason: string }
  | { readonly type: 'line'; readonly number: number; readonly line: RaysLine }
  | { readonly type: 'placed'; readonly number: number; readonly built: object }
  | { readonly type: 'refused'; readonly number: number; readonly reason: string }
  /** Some rays have been answered. */
  | { readonly type: 'answered' }
