/** A view as pages are shown it, and what only who brought it can do, because it has the scene's file and the program's options. */
import type { Size } from '../../shared/frame/rect.ts'
import type { Camera } from '../../shared/frame/view.ts'
import type { Look } from '../../shared/light/tone-map.ts'
import type { PictureFormat } from '../../shared/page/from-page.ts'
import type { AskedScene } from '../../shared/page/hand.ts'
import type { ViewLight } from '../../shared/page/page-messages.ts'
import type { ViewFacts } from '../../shared/page/view-offer.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import type { SceneNames } from '../../shared/scene/scene-names.ts'

/** A picture that is to be a file. */
export interface PictureOrder {
  readonly frame: number
  readonly scene: NamedScene
  readonly camera: Camera
  readonly size: Size
  readonly look: Look
  /** RGB8 of the finished picture. */
  readonly pixels: Uint8Array
  /** Of its report. */
  readonly tracedBy?: string | undefined
}

/** A scene file that a page sends. */
export interface ComingFile {
  /** Resolves when there is room for more. */
  write(piece: Uint8Array): Promise<void>
  /** All of it is there: makes its scene, and has it shown. Rejects with what is wrong, in words for people, and the scene before it stays. */
  open(show: (shown: ShownView) => void): Promise<void>
  /** It is not wanted any more; also after `open` has failed, or has been asked. */
  drop(): Promise<void>
}

export interface ViewSource {
  /** Absent where objects and materials have numbers only. */
  readonly names?: SceneNames
  readonly light: Pick<ViewLight, 'sun' | 'environment' | 'film'>
  /** Rejects with what is wrong, in words for people. */
  scene(asked: AskedScene): Promise<NamedScene>
  /** A scene file is to come that is to be shown instead, one at a time. Rejects with why it is not taken. Absent where none is. */
  receive?(name: string): Promise<ComingFile>
  /** The bytes that `render` writes. What is not in the picture is traced again. Absent where none are made. */
  file?(format: PictureFormat, order: PictureOrder, signal: AbortSignal): Promise<Uint8Array>
}

export interface ShownView {
  /** Of a viewer; its size has the most pixels of a picture. */
  readonly order: SessionOrder
  readonly scene: NamedScene
  readonly facts: ViewFacts
  /** Absent if who brought it can make no other scene. */
  readonly source?: ViewSource
}
