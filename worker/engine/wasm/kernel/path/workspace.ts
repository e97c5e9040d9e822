/**
 * The path tracer's own sections of a thread's workspace, and the values of the view that it alone reads.
 *
 *     places         u32 per model of a material                        hits.ts
 *     crossings      u32 per ray of a queue                             coincident.ts
 *     drawn          numbers of a batch of hits, or of four camera rays drawn.ts, sampler.ts
 *     cameraSamples  the samples of these                               camera.ts
 *     queues         two queues of rays, and the states of their paths  state.ts
 *     hits           the list of a queue's hits, unordered and ordered  hits.ts
 *     shadows        the queue of shadow rays                           shadows.ts
 *     gazes          f32 per ray of both queues                         gaze.ts
 *     lampStack      u32 per node of lights that is still to be seen    lights/lights.ts
 *     choices        of lights in the scene for a batch of hits         lights/tree.ts
 *     waiting        u32 per choice that is not at its end               aim.ts
 *     aims           where a batch of hits looks for light              aim.ts
 */
import { Aim, CameraSample, Choosing, Drawn, LightChoice, Model, Path, Ray, ShadowLight, View, ViewFlag } from '../records'
import { BATCH, HITS_BYTES, QUEUE_RAYS, share, view } from '../surface/workspace'

/** Bytes of a queue: rays, and the state of its path beside each. */
export const QUEUE_BYTES: u32 = QUEUE_RAYS * (Ray.BYTES + Path.BYTES)
/** Of the queue of shadow rays: one to each group of lights for every ray of a queue, and its light beside each. */
export const SHADOW_RAYS: u32 = Choosing.GROUPS * QUEUE_RAYS

const PLACES: u32 = 0
const CROSSINGS: u32 = PLACES + Model.COUNT * 4
const DRAWN: u32 = (CROSSINGS + QUEUE_RAYS * 4 + 15) & ~15
const CAMERA_SAMPLES: u32 = DRAWN + BATCH * Drawn.BYTES
const QUEUES: u32 = (CAMERA_SAMPLES + 4 * CameraSample.BYTES + 127) & ~127
const HITS: u32 = QUEUES + 2 * QUEUE_BYTES
const MET: u32 = HITS + HITS_BYTES
const SHADOWS: u32 = MET + HITS_BYTES
const LAMP_STACK: u32 = SHADOWS + SHADOW_RAYS * (Ray.BYTES + ShadowLight.BYTES)
/** Of every level four children, of which one has been taken. */
const GAZES: u32 = LAMP_STACK + (3 * Choosing.LEVELS + 4) * 4
const CHOICES: u32 = (GAZES + 2 * QUEUE_RAYS * 4 + 15) & ~15
const WAITING: u32 = CHOICES + BATCH * LightChoice.BYTES
const AIMS: u32 = WAITING + BATCH * 4
export const PATH_WORKSPACE_BYTES: u32 = AIMS + BATCH * Aim.BYTES

export let places: u32 = 0
export let crossings: u32 = 0
export let drawn: u32 = 0
export let cameraSamples: u32 = 0
export let queues: u32 = 0
/** Hits in the order in which they are shaded, and as they are found. */
export let hits: u32 = 0
export let met: u32 = 0
export let shadows: u32 = 0
export let gazes: u32 = 0
export let lampStack: u32 = 0
/** Without a workspace, as in a probe of a single one, where nothing else is: at address 0. */
export let choices: u32 = 0
export let waiting: u32 = 0
export let aims: u32 = 0

/** How often a path is scattered before its last ray, which only adds the light that it hits. */
export let bounces: u32 = 0
/** Bits of the number of a pixel's sample. */
export let sampleBits: u32 = 0
/** Whether light that microfacets scatter several times is left out. */
export let single: bool = false
/** Whether there are no caustics. */
export let plain: bool = false
/** The most that light which was scattered twice or more often adds to a pixel, in the weight of a sample. */
export let most: f64 = Infinity

/** Sets the globals to the sections at `workspace`, for a view that has been read. */
export function beginPaths(workspace: u32): void {
  places = workspace + PLACES
  crossings = workspace + CROSSINGS
  drawn = workspace + DRAWN
  cameraSamples = workspace + CAMERA_SAMPLES
  queues = workspace + QUEUES
  hits = workspace + HITS
  met = workspace + MET
  shadows = workspace + SHADOWS
  gazes = workspace + GAZES
  lampStack = workspace + LAMP_STACK
  choices = workspace + CHOICES
  waiting = workspace + WAITING
  aims = workspace + AIMS
  bounces = View.bounces(view)
  sampleBits = View.stretchBits(view)
  plain = (View.flags(view) & ViewFlag.PLAIN) != 0
  most = View.clamp(view) * share
  single = (View.flags(view) & ViewFlag.SINGLE) != 0
}
