/**
 * What a master says to its page over their WebSocket: JSON, beside the pictures (`page-pictures.ts`). It comes from where the page itself comes
 * from, and is believed; what the page says is in `from-page.ts`. Without a parser, because the page loads this.
 */
import type { Right } from '../access/tokens.ts'
import type { DashboardMessage } from '../dashboard/dashboard-messages.ts'
import type { Size } from '../frame/rect.ts'
import type { FullViewpoint } from '../frame/viewpoint.ts'
import type { ToneMapping } from '../light/tone-mapping.ts'
import type { PictureFormat } from './from-page.ts'
import type { Hand } from './hand.ts'
import type { DepthFacts } from './page-depths.ts'

/** Incremented when a field changes its meaning or is removed. A page that is older than its master reloads. */
export const PAGE_VERSION = 3

/** Master → page, first: what there is to see. */
export interface PageView {
  readonly type: 'view'
  readonly version: typeof PAGE_VERSION
  readonly sceneName: string
  readonly triangles: number
  /** Where the view begins, and what it turns around. */
  readonly viewpoint: FullViewpoint
  /** A ball around the subject, scene units. */
  readonly centre: readonly [number, number, number]
  readonly radius: number
  /** The most pixels of a picture. */
  readonly mostPixels: number
  /** Of a pixel of a picture that stands still. */
  readonly samples: number
  /** What the page may do. */
  readonly rights: readonly PageRight[]
  readonly light: ViewLight
  /** Files that there are of a finished picture. */
  readonly files: readonly PictureFormat[]
  /** Number of the scene, of those that the view has had: a page that knows another one begins anew with this. */
  readonly scene: number
  /** Why it takes no scene file from this page. Absent: it does. */
  readonly noSceneFiles?: string
}

/** What may be set by hand, as it is at first. */
export interface ViewLight {
  readonly exposure: number
  readonly toneMapping: ToneMapping
  /** Degrees. Absent: who brought the view cannot make its scene anew. */
  readonly sun?: readonly [azimuth: number, elevation: number] | 'none'
  /** Present with a photographed environment. */
  readonly environment?: { readonly rotation: number; readonly intensity: number }
  /** Of a scene that moves: how many frames there are, if it ends, and how many a second. */
  readonly film?: { readonly frames?: number; readonly fps: number }
}

/** Rights of a page: to see, to steer camera and strategy, to act on workers and films. */
export const PAGE_RIGHTS = ['watch', 'steer', 'operate'] as const
export type PageRight = (typeof PAGE_RIGHTS)[number]
/** What a token's rights are on a page. */
export const PAGE_RIGHTS_OF: Readonly<Record<Right, readonly PageRight[]>> = {
  worker: [],
  viewer: ['watch'],
  client: ['watch', 'steer'],
  operate: ['watch', 'operate'],
}

/** Master → page, first, if it shows what others render: there is nothing to steer. */
export interface PageFilms {
  readonly type: 'films'
  readonly version: typeof PAGE_VERSION
  readonly rights: readonly PageRight[]
}

/** Master → page: what is waited for, or why there is no picture. */
export interface PageStatus {
  readonly type: 'status'
  readonly text: string
  readonly isError: boolean
}

/** Master → page: how far the picture that stands still has come. */
export interface PageProgress {
  readonly type: 'progress'
  readonly seq: number
  /** Samples that each pixel has once the pass in progress is complete, and in all. */
  readonly samples: number
  readonly mostSamples: number
  /** To go, ms; absent if it cannot be told yet. */
  readonly leftMs?: number
}

/** Master → page, from time to time: it is there. Pages do not see the signs of life of WebSockets. */
export interface PageSign {
  readonly type: 'alive'
}

/** Master → page: what makes a link for a tab that is to trace. */
export interface PageJoin {
  readonly type: 'join'
  readonly ticket: string
}

/** Master → page: what is at a pixel. Distances in scene units. */
export interface PagePicked {
  readonly type: 'picked'
  readonly x: number
  readonly y: number
  /** Absent: nothing is there. */
  readonly seen?: {
    /** A name, or a number from 1 where names are not known. */
    readonly object: string
    readonly material: string
    /** Number of the triangle in the scene, from 0. */
    readonly triangle: number
    readonly point: readonly [number, number, number]
    /** From the eye. */
    readonly distance: number
  }
  /** Who traced it in the newest picture, and the CPU time of a pixel of its tile, µs. */
  readonly traced?: { readonly worker: string; readonly pixelUs: number }
}

/** Master → page: a file can be fetched, once, within a minute, under this name. */
export interface PageFile {
  readonly type: 'file'
  /** The last part of its address, relative to the page. */
  readonly address: string
  /** What it is to be called. */
  readonly name: string
}
export interface PageNoFile {
  readonly type: 'no-file'
  readonly why: string
}

/** Master → page: it has taken so many bytes of a scene file. */
export interface PageFileTaken {
  readonly type: 'file-taken'
  readonly bytes: number
}
/** Master → page: the scene file is not shown, and the scene stays. */
export interface PageNoScene {
  readonly type: 'no-scene'
  readonly why: string
}

/** Master → page: what makes a link for another page of this view. */
export interface PageLink {
  readonly type: 'link'
  readonly ticket: string
}

/** Master → page: who moves the view. Pages are numbered in the order in which they came. */
export interface PageRoom {
  readonly type: 'room'
  readonly you: number
  /** 0: nobody. */
  readonly driver: number
  /** Who moved it before, and has left, if nobody has asked to take over since: a page that is reloaded goes on. */
  readonly left?: number
  readonly pages: number
}

export type ToPage =
  | PageView
  | PageStatus
  | PageProgress
  | PageSign
  | PageJoin
  | PageFilms
  | PagePicked
  | PageFile
  | PageNoFile
  | PageFileTaken
  | PageNoScene
  | PageLink
  | PageRoom
  | DashboardMessage

/** How often a master says that it is there, and for how long a page waits for a sign of it, ms. */
export const SIGN_MS = 4000
export const SIGNLESS_MS = 12_000

/** A picture's facts, beside its bytes. */
export interface PictureFacts {
  /** Number of the picture: counts those sent to this page. */
  readonly picture: number
  /** The view that it shows. */
  readonly seq: number
  /** While the view moves, a coarse one; of one that stands still a preview, or the finished one, which is lossless. */
  readonly stage: 'moving' | 'preview' | 'finished'
  /** Of the picture itself, and what it would be if the view stood still. */
  readonly size: Size
  readonly fullSize: Size
  /** Samples of a pixel, mean over the picture; and those of a finished one, of the pixel that has the most. */
  readonly samples: number
  readonly mostSamples: number
  readonly times: PictureTimes
  /** T, T_min and ε of the frame; absent for a preview. */
  readonly balance?: { readonly criticalMs: number; readonly meanMs: number; readonly epsilon: number }
  readonly workers: readonly string[]
  /** What traced it, where its bytes depend on that. */
  readonly tracedBy?: string
  /** Their places among all of the view, which give them their colours. @default their numbers */
  readonly places?: readonly number[]
  /** Of the depths that come with it; absent for a preview, which has those of the picture before. */
  readonly depths?: DepthFacts
  /** Of stills, and of pictures that move if asked for: x, y, width, height in px of the picture, the number of its worker, and its CPU time, ms. */
  readonly tiles?: readonly PictureTile[]
  /** Of a finished picture: SHA-256 of its RGB8 pixels, and the command line that makes the same bytes. */
  readonly sha256?: string
  readonly command?: string
  /** Of a page that watches another: from where it is seen, and what was set by hand. */
  readonly followed?: { readonly viewpoint: FullViewpoint; readonly hand: Hand }
}

export type PictureTile = readonly [x: number, y: number, w: number, h: number, worker: number, cpuMs: number]

/** Where the time went, ms: from the arrival of the view until its frame was begun, made, and encoded. */
export interface PictureTimes {
  readonly waitMs: number
  readonly traceMs: number
  readonly encodeMs: number
}
