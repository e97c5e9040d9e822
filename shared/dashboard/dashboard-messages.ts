/** What a master says to the dashboard of a page, over the page's WebSocket. It is believed, as the rest of what it says. */
import type { EventKind } from '../frame/event-kinds.ts'
import type { CompactFrame } from './compact-frame.ts'
import type { FilmEta } from './film-eta.ts'
import type { Guess } from './what-if.ts'

export interface DashboardWorker {
  /** Of the worker, and of its areas, the least able one. */
  readonly name: string
  readonly areas: number
  readonly state: string
  readonly reason?: string
  /** Until a quarantine ends, ms. */
  readonly forMs?: number
}

export interface DashboardRun {
  /** Counts those of the master. */
  readonly run: number
  readonly name: string
  readonly kind: 'film' | 'viewer'
  readonly strategy: string
  /** Frames made so far, and those that the film will have, if that is known. */
  readonly made: number
  readonly frameCount?: number
  /** The frames that are kept, by their place in the run, from 0: the first, and one past the last. */
  readonly from: number
  readonly to: number
  /** Numbers of these frames, if they are not their places. */
  readonly numbers?: readonly number[]
  readonly state: 'running' | 'paused' | 'ended'
  /** Why it ended, unless it was done. */
  readonly problem?: string
  /** Share of the frame in the making that is done. */
  readonly share?: number
  readonly eta?: FilmEta
}

/** Something that does not go on by itself, and what to do about it. */
export interface Stuck {
  readonly what: string
  readonly todo: string
  /** What the page offers to do: an act, and whom it is about. */
  readonly act?: DashboardAct
  readonly on?: string
}

export const DASHBOARD_ACTS = ['drain', 'quarantine', 'release', 'pause', 'resume', 'retry', 'cancel'] as const
export type DashboardAct = (typeof DASHBOARD_ACTS)[number]

export interface DashboardState {
  readonly workers: readonly DashboardWorker[]
  readonly runs: readonly DashboardRun[]
  readonly stuck: readonly Stuck[]
  /** Whether the page may do something about it, and change the strategy of a view. */
  readonly mayAct: boolean
  readonly maySteer: boolean
}

export interface DashboardEvent {
  /** Place of the frame in the run that came next. */
  readonly before: number
  /** ms on the run's clock. */
  readonly at: number
  readonly kind: EventKind
  readonly text: string
}

/** Frames that were simulated under every strategy, oldest first, and doubts about them all, which replace those before. */
export interface GuessNews {
  readonly guesses: readonly Guess[]
  readonly doubts: readonly string[]
}

/** Of a frame, for the line of all frames: its time, and its perfect share by the wall clock; tenths of ms. */
export type FramePoint = readonly [frameMs: number, shareMs: number]

export type ToDashboard =
  | { readonly is: 'state'; readonly state: DashboardState }
  /** Names of areas, by their number. */
  | {
      readonly is: 'roster'
      readonly run: number
      readonly roster: number
      readonly names: readonly string[]
      /** Places of these areas among all of a report, which give them their colours. @default their numbers */
      readonly places?: readonly number[]
    }
  | { readonly is: 'line'; readonly run: number; readonly from: number; readonly points: readonly FramePoint[] }
  | { readonly is: 'events'; readonly run: number; readonly events: readonly DashboardEvent[] }
  | { readonly is: 'frame'; readonly run: number; readonly place: number; readonly frame: CompactFrame }
  /** What strategies, by their names, would have taken for frames of a run; and why that says little, as sentences. */
  | ({ readonly is: 'what-if'; readonly run: number; readonly names: readonly string[] } & GuessNews)
  | { readonly is: 'answer'; readonly text: string; readonly isError: boolean }

/** Master → page. */
export interface DashboardMessage {
  readonly type: 'dashboard'
  readonly said: ToDashboard
}
