/** A view as pages are shown it. */
import type { ViewFacts } from '../../shared/page/view-offer.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import type { ViewSource } from './view-source.ts'

export interface ShownView {
  /** Of a viewer; its size has the most pixels of a picture. */
  readonly order: SessionOrder
  readonly scene: NamedScene
  readonly facts: ViewFacts
  /** Absent if who brought it is another process. */
  readonly source?: ViewSource
}
