/** What a page says to its master over their WebSocket, JSON; validated on arrival. */
import * as z from 'zod'
import { fromDashboardSchema } from '../dashboard/from-dashboard.ts'
import { MAX_SIDE_PX } from '../frame/frame-limits.ts'
import { fullViewpointSchema } from '../frame/viewpoint.ts'
import { parser } from '../protocol/messages.ts'
import { type Immutable, whole } from '../text/numbers.ts'
import { handSchema } from './hand.ts'
import { MAX_DROPPED_BYTES } from './scene-pieces.ts'

/** The most bytes of a message of a page. */
export const MAX_PAGE_MESSAGE = 4096

export const FRAME_MS = { least: 5, most: 500 } as const

const side = z.int().min(1).max(MAX_SIDE_PX)

/** Page → master: this is to be shown from now on. */
const look = z.object({
  type: z.literal('look'),
  /** Greater than all before. */
  seq: whole.max(0xffffffff),
  viewpoint: fullViewpointSchema,
  /** Pixels that the page has for it; the master may choose fewer, of the same proportions. */
  size: z.tuple([side, side]).readonly(),
  /** Whether tiles are to come with pictures: which worker traced what. */
  tiles: z.boolean(),
  /** How long a picture of a view that moves may take, ms: longer for sharper ones. @default as the master thinks */
  frameMs: z.number().min(FRAME_MS.least).max(FRAME_MS.most).exactOptional(),
  hand: handSchema.exactOptional(),
})
/** Page → master: it has drawn the picture of this number, and takes another. */
const drawn = z.object({ type: z.literal('drawn'), picture: whole.max(0xffffffff) })
/** Page → master: it is hidden, or shown again: pictures of a page that nobody sees are not traced. */
const shown = z.object({ type: z.literal('shown'), isShown: z.boolean() })

/** Page → master: a ticket for a tab that is to trace. Answered by join. Needs the right to operate. */
const wantJoin = z.object({ type: z.literal('want-join') })

/** Page → master: what is at this pixel of the picture that stands still? Answered by picked; in place of an earlier question. */
const pick = z.object({ type: z.literal('pick'), x: whole.max(MAX_SIDE_PX - 1), y: whole.max(MAX_SIDE_PX - 1) })

/** Files of the finished picture, the bytes that `render` writes. */
export const PICTURE_FORMATS = ['png', 'exr'] as const
/** Page → master: the finished picture as a file. Answered by file, or no-file. */
const wantFile = z.object({ type: z.literal('want-file'), format: z.enum(PICTURE_FORMATS) })

/** Page → master: a ticket for another page of this view, which may steer if this one may. Answered by link. Needs the right to steer. */
const wantLink = z.object({ type: z.literal('want-link'), maySteer: z.boolean() })

/** Page → master: it moves the view from now on, and who did watches. Needs the right to steer. */
const takeOver = z.object({ type: z.literal('take-over') })

/**
 * Page → master: a scene file of so many bytes follows in binary messages, each at most a piece, and is to be shown in place of the scene that
 * there is. Answered by file-taken as it comes, and by a view, or no-scene. Needs the right to operate.
 */
const dropFile = z.object({
  type: z.literal('drop-file'),
  name: z.string().min(1).max(255),
  bytes: whole.min(1).max(MAX_DROPPED_BYTES),
})
/** Page → master: no more of the file comes. */
const dropNothing = z.object({ type: z.literal('drop-nothing') })

const fromPageSchema = z.discriminatedUnion('type', [
  look,
  drawn,
  shown,
  wantJoin,
  pick,
  wantFile,
  wantLink,
  takeOver,
  dropFile,
  dropNothing,
  fromDashboardSchema,
])
export type PictureFormat = (typeof PICTURE_FORMATS)[number]
export type FromPage = Immutable<z.infer<typeof fromPageSchema>>
export const parseFromPage = parser<FromPage>(fromPageSchema)
