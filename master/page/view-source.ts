/** What only who brought a view can do, because it has the scene's file and the program's options. A view that comes from another process has none. */
import type { Size } from '../../shared/frame/rect.ts'
import type { Camera } from '../../shared/frame/view.ts'
import type { Look } from '../../shared/light/tone-map.ts'
import type { PictureFormat } from '../../shared/page/from-page.ts'
import type { AskedScene } from '../../shared/page/hand.ts'
import type { ViewLight } from '../../shared/page/page-messages.ts'
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
}

export interface ViewSource {
  readonly names: SceneNames
  readonly light: Pick<ViewLight, 'sun' | 'environment' | 'film'>
  /** Rejects with what is wrong, in words for people. */
  scene(asked: AskedScene): Promise<NamedScene>
  /** The bytes that `render` writes. What is not in the picture is traced again. */
  file(format: PictureFormat, order: PictureOrder, signal: AbortSignal): Promise<Uint8Array>
}
