/** What the thread that loads a scene is told, and what it answers. */

import type { HeldScene } from '../../shared/scene/held-scene.ts'
import type { CheckedLook } from '../look/scene-look.ts'
import type { HeldThreeScene, Moment } from './pack.ts'

/** Input of the thread. */
export interface SceneOrder {
  /** Name of a built-in scene, or path of a file. */
  readonly name: string
  readonly look: CheckedLook
}

/** Asks for the scene of a time; answered in order. */
export interface MomentOrder {
  /** s */
  readonly seconds: number
  readonly frame: number
}

/** Exit code of a thread in which nothing is left to do, although an answer is awaited; Node.js's own. */
export const UNSETTLED = 13

export interface Refusal {
  readonly code: string
  readonly exitCode: number
  readonly message: string
}

/** The loaded scene, without what cannot be sent; or a SortfirstError. Other errors end the thread. */
export type SceneAnswer =
  | { readonly scene: Omit<HeldThreeScene, 'held'> & { readonly held: Omit<HeldScene, 'content'> } }
  | Refusal
export type MomentAnswer = { readonly moment: Moment } | Refusal
