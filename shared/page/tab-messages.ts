/**
 * What the page of a tab that traces, and the thread that speaks for it with the master, say to each other. Both come from the master, and are
 * believed.
 */

/** Page → thread. The first starts it. */
export type ToTab =
  | {
      readonly type: 'start'
      readonly name: string
      /** Threads that trace. */
      readonly threads: number
      /** Where the master is: WebSocket, the exchange of tickets, and the program of a tracing thread. */
      readonly urls: Readonly<Record<'socket' | 'access' | 'kernel' | 'thread', string>>
      /** Of the link; '' to go on with the cookie that the browser has. */
      readonly ticket: string
    }
  | { readonly type: 'threads'; readonly threads: number }
  | { readonly type: 'paused'; readonly isPaused: boolean }
  /** Whether its graphics card traces, too: the one with this in its name, or any that is no software. */
  | { readonly type: 'card'; readonly isUsed: boolean; readonly wanted?: string }
  /** The tab is hidden, or shown again. */
  | { readonly type: 'hidden'; readonly isHidden: boolean }
  | { readonly type: 'leave' }

/** What a tab is doing: it is over only where waiting would not help. */
export type TabPhase = 'connecting' | 'waiting' | 'building' | 'tracing' | 'paused' | 'over'

/** The graphics card of a tab: it is tried first, and refused with a reason in words. */
export type CardState =
  | { readonly state: 'tried' }
  | { readonly state: 'used'; readonly name: string }
  | { readonly state: 'refused'; readonly reason: string }

/** Thread → page: what it does. */
export interface TabState {
  readonly phase: TabPhase
  /** What is waited for, or why it is over; '' if there is nothing to say. */
  readonly text: string
  readonly threads: number
  /** Whether its threads share one copy of a scene. */
  readonly isShared: boolean
  /** Of the newest tile. */
  readonly frame?: number
  /** Since the tab was opened. */
  readonly tiles: number
  readonly pixels: number
  /** Time that all threads together have traced, ms. */
  readonly tracedMs: number
  /** Absent: it is not asked for. */
  readonly card?: CardState
}

/** Of a core, while the tab is hidden: who hides it does something else with the machine. */
export const HIDDEN_SHARE = 0.5
