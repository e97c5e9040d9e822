/** Every control message between a client and its master, one union per direction, validated on arrival. */
import * as z from 'zod'
import { frameProgressSchema } from '../frame/frame-progress.ts'
import { workerInfoSchema } from '../frame/frame-report.ts'
import { stateHeadSchema } from '../frame/state-head.ts'
import { askedSceneSchema } from '../page/hand.ts'
import { viewFactsSchema } from '../page/view-offer.ts'
import { sceneManifestSchema } from '../scene/manifest.ts'
import { type Immutable, ms, sha256Schema, whole } from '../text/numbers.ts'
import { printableText } from '../text/printable-schema.ts'
import { goodbye, parser, partsWanted, reason, welcome } from './messages.ts'
import { namedFrameSchema, SESSION_VERSION, sessionOrderSchema } from './session-order.ts'

/** Client → master: offers a scene. Answered by scene-refused, or by parts-wanted, and by scene-held once all parts have arrived. */
const offerScene = z.object({ type: z.literal('offer-scene'), scene: sha256Schema, manifest: sceneManifestSchema })
/** Master → client: all parts of the scene are here; sessions may use it. */
const sceneHeld = z.object({ type: z.literal('scene-held'), scene: sha256Schema })
/** Master → client: there is no room for the scene. The client ends the session that needs it. */
const sceneRefused = z.object({
  type: z.literal('scene-refused'),
  scene: sha256Schema,
  code: printableText(64),
  reason,
})

const session = whole.max(0xffffffff)
/**
 * Client → master: begin. Answered by session-started, a frame-done (binary) per frame, frame-previews (binary) if requested, then
 * session-done or session-failed. The client chooses the number and uses it once.
 */
const openSession = z.object({
  type: z.literal('open-session'),
  session,
  version: z.literal(SESSION_VERSION, {
    error: `expected a session order of version ${SESSION_VERSION}; run the same release of sortfirst on both machines`,
  }),
  order: sessionOrderSchema,
})
/** Master → client: the client may request `count` more frames of the film. Answered by one or more `frames`. */
const framesWanted = z.object({ type: z.literal('frames-wanted'), session, count: z.int().min(1).max(1024) })
/** Client → master: the next frames of a film, or the newest view of a viewer; `end` marks the last. */
const frames = z.object({
  type: z.literal('frames'),
  session,
  frames: z.array(namedFrameSchema).max(1024),
  end: z.literal(true).exactOptional(),
  /** From a viewer: the frame in progress is not worth finishing. */
  abandon: z.literal(true).exactOptional(),
})
/** Client → master: stop. Nothing more is sent for the session. */
const closeSession = z.object({ type: z.literal('close-session'), session })
/**
 * Client → master: what there is of a frame that is kept. Answered by frame-state. The next one is asked for when the answer is complete.
 */
const wantState = z.object({ type: z.literal('want-state'), session, frame: whole })
/** Client → master: the frame may be delivered, or ended: its client has kept of it what it wants. */
const frameKept = z.object({ type: z.literal('frame-kept'), session, frame: whole })
/** Client → master: frame received; the master keeps a bounded number of frames unacknowledged. */
const frameTaken = z.object({ type: z.literal('frame-taken'), session, frame: whole })
/**
 * Client → master: show a scene that it has on its page, until `end-view` or the end of the connection. Answered by view-shown, or by
 * view-refused. The client chooses the number and uses it once.
 */
const offerView = z.object({
  type: z.literal('offer-view'),
  view: session,
  version: z.literal(SESSION_VERSION),
  order: sessionOrderSchema,
  facts: viewFactsSchema,
})
/** Client → master: another ticket for a view. Answered by view-shown. */
const wantTicket = z.object({ type: z.literal('want-ticket'), view: session })
/** Client → master: the view is over. */
const endView = z.object({ type: z.literal('end-view'), view: session })
/** Master → client: the view is on the page, for who has the ticket. */
const viewShown = z.object({ type: z.literal('view-shown'), view: session, ticket: printableText(128) })
/** Master → client: the view is not shown, for this reason. */
const viewRefused = z.object({ type: z.literal('view-refused'), view: session, code: printableText(64), reason })
/**
 * Master → client: a page of the view needs its scene under another sun, or at another time; only of a view whose facts have a light. Answered by
 * scene-made or scene-not-made, with the number of the question.
 */
const wantScene = z.object({ type: z.literal('want-scene'), view: session, ask: whole, asked: askedSceneSchema })
/** Client → master: that scene is this one, which the master holds. */
const sceneMade = z.object({ type: z.literal('scene-made'), view: session, ask: whole, scene: sha256Schema })
/** Client → master: there is no such scene, for this reason. */
const sceneNotMade = z.object({ type: z.literal('scene-not-made'), view: session, ask: whole, reason })
/** Client → master: let the workers of this name leave; one request at a time. Answered by drained when they have. */
const drain = z.object({ type: z.literal('drain'), worker: printableText(128) })
/** Master → client: the workers that have left, none if there was none of that name, and the names of those that remain. */
const drained = z.object({
  type: z.literal('drained'),
  left: z.array(
    z.object({
      id: printableText(64),
      /** Why its connection ended. */
      reason,
      /** Tiles of which it finished what it had begun. */
      finished: whole,
      /** From the request until it was gone. */
      ms,
    }),
  ),
  remaining: z.array(printableText(128)),
})
/** Master → client: what the session waits for, or what happened, for people. */
const sessionStatus = z.object({
  type: z.literal('session-status'),
  session,
  text: reason,
  /** Whether it has happened; absent: it is being done. */
  isEvent: z.boolean().exactOptional(),
})
/** Master → client, from time to time: how far a frame has come that takes long. */
const frameProgress = z.object({ type: z.literal('frame-progress'), session, progress: frameProgressSchema })
/**
 * Master → client, of a session that is kept: where one of its frames is. One that is `complete` or `given-up` waits for frame-kept. One
 * that is `at-risk` is being made by a master that has been told to end.
 */
const frameAt = z.object({
  type: z.literal('frame-at'),
  session,
  frame: whole,
  at: z.enum(['begun', 'pass-done', 'at-risk', 'complete', 'given-up']),
})
/** Master → client: what there is of a frame follows, in state-chunks (binary); without a head there is nothing. */
const frameState = z.object({
  type: z.literal('frame-state'),
  session,
  frame: whole,
  head: stateHeadSchema.exactOptional(),
})
/** Master → client: its first frame is begun, by these workers. */
const sessionStarted = z.object({ type: z.literal('session-started'), session, workers: z.array(workerInfoSchema) })
/** Master → client: the session has ended with its last frame. */
const sessionDone = z.object({ type: z.literal('session-done'), session })
/** Master → client: the session has ended before that, for this reason. */
const sessionFailed = z.object({ type: z.literal('session-failed'), session, code: printableText(64), reason })

const fromClientSchema = z.discriminatedUnion('type', [
  offerScene,
  openSession,
  frames,
  closeSession,
  frameTaken,
  wantState,
  frameKept,
  drain,
  offerView,
  wantTicket,
  endView,
  sceneMade,
  sceneNotMade,
])
const toClientSchema = z.discriminatedUnion('type', [
  welcome,
  partsWanted,
  sceneHeld,
  sceneRefused,
  framesWanted,
  sessionStatus,
  frameProgress,
  frameAt,
  frameState,
  sessionStarted,
  sessionDone,
  sessionFailed,
  drained,
  viewShown,
  viewRefused,
  wantScene,
  goodbye,
])

export type FromClient = Immutable<z.infer<typeof fromClientSchema>>
export type Drained = Immutable<Omit<z.infer<typeof drained>, 'type'>>
export type ToClient = Immutable<z.infer<typeof toClientSchema>>

export const parseFromClient = parser<FromClient>(fromClientSchema)
export const parseToClient = parser<ToClient>(toClientSchema)
