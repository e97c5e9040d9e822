/** The map over the picture, as the page shows it. */
import type { WholeFrame } from '../../../../shared/dashboard/compact-frame.ts'
import type { AreaLook } from '../../../../shared/dashboard/drawing/drawn.ts'
import { type MapKind, tileMap } from '../../../../shared/dashboard/drawing/tile-map.ts'
import { elementOf, svg } from './elements.ts'

export class TileMap {
  readonly root = svg('svg', { class: 'tile-map', preserveAspectRatio: 'xMidYMid meet', 'aria-hidden': 'true' })

  show(frame: WholeFrame, kind: MapKind, look: AreaLook): void {
    const [w, h] = frame.size
    this.root.setAttribute('viewBox', `0 0 ${w} ${h}`)
    this.root.replaceChildren(...tileMap(frame, kind, look).map(elementOf))
  }

  hide(): void {
    this.root.replaceChildren()
  }
}
