/** The picture as a map: over it the tiles of a frame, by who traced them, by what they cost, by what was predicted, or by how far that was off. */
import type { AreaTile, WholeFrame } from '../../../../shared/dashboard/compact-frame.ts'
import type { Rect } from '../../../../shared/frame/rect.ts'
import { ms, svg } from './elements.ts'
import type { GanttPorts } from './gantt.ts'

export const MAP_KINDS = ['workers', 'cost', 'predicted', 'difference'] as const
export type MapKind = (typeof MAP_KINDS)[number]

export class TileMap {
  readonly root = svg('svg', { class: 'tile-map', preserveAspectRatio: 'xMidYMid meet', 'aria-hidden': 'true' })

  show(frame: WholeFrame, kind: MapKind, { colorOf, nameOf }: GanttPorts): void {
    const [w, h] = frame.size
    this.root.setAttribute('viewBox', `0 0 ${w} ${h}`)
    const tiles = frame.areas.flatMap(({ area, tiles }) => tiles.map(tile => ({ ...tile, area })))
    const perPixel = ({ rect }: AreaTile, value: number | undefined) =>
      value === undefined ? 0 : value / Math.max(1, rect.w * rect.h)
    const most = Math.max(
      1e-12,
      ...tiles.flatMap(tile => [perPixel(tile, tile.cpuMs), perPixel(tile, tile.expectedMs)]),
    )
    const parts: SVGElement[] = tiles.map(tile => {
      const { rect, area, cpuMs, expectedMs } = tile
      const group = svg('g', { class: 'tile', 'data-area': area })
      const color = colorOf(area)
      group.append(
        svg('rect', {
          x: rect.x,
          y: rect.y,
          width: rect.w,
          height: rect.h,
          ...fillOf(kind, tile, perPixel, most, color),
        }),
        svg('rect', { ...{ class: 'edge', x: rect.x, y: rect.y, width: rect.w, height: rect.h, stroke: color } }),
        svg(
          'title',
          {},
          `${nameOf(area)}: ${ms(cpuMs)}${expectedMs === undefined ? '' : `, predicted ${ms(expectedMs)}`}`,
        ),
      )
      return group
    })
    // From the middle of what the victim kept, to the middle of what was taken.
    for (const { from, to, rect } of kind === 'workers' ? frame.steals : []) {
      const own = nearest(frame.areas.find(({ area }) => area === from)?.tiles ?? [], rect)
      if (!own) continue
      const [x1, y1, x2, y2] = [
        own.rect.x + own.rect.w / 2,
        own.rect.y + own.rect.h / 2,
        rect.x + rect.w / 2,
        rect.y + rect.h / 2,
      ]
      const length = Math.hypot(x2 - x1, y2 - y1)
      if (length < 1) continue
      const [ux, uy, head] = [(x2 - x1) / length, (y2 - y1) / length, Math.min(w, h) / 40]
      const arrow = svg('path', {
        class: 'steal',
        d: `M${x1} ${y1}L${x2} ${y2}m${-ux * head - uy * head * 0.6} ${-uy * head + ux * head * 0.6}L${x2} ${y2}l${-ux * head + uy * head * 0.6} ${-uy * head - ux * head * 0.6}`,
      })
      arrow.append(svg('title', {}, `${nameOf(to)} took ${rect.h} rows from ${nameOf(from)}`))
      parts.push(arrow)
    }
    this.root.replaceChildren(...parts)
  }

  hide(): void {
    this.root.replaceChildren()
  }
}

const middle = ({ x, y, w, h }: Rect) => [x + w / 2, y + h / 2] as const

function nearest(tiles: readonly AreaTile[], to: Rect): AreaTile | undefined {
  const [x, y] = middle(to)
  const away = ({ rect }: AreaTile) => Math.hypot(middle(rect)[0] - x, middle(rect)[1] - y)
  return tiles.toSorted((a, b) => away(a) - away(b))[0]
}

type PerPixel = (tile: AreaTile, value: number | undefined) => number

/** Cost from clear to red; what cost more than predicted in red, less in blue. */
function fillOf(
  kind: MapKind,
  tile: AreaTile,
  perPixel: PerPixel,
  most: number,
  color: string,
): Readonly<Record<string, string | number>> {
  const { cpuMs, expectedMs } = tile
  if (kind === 'workers') return { fill: color, 'fill-opacity': 0.14 }
  if (kind === 'cost') return { fill: '#d9480f', 'fill-opacity': opacity(perPixel(tile, cpuMs) / most) }
  if (expectedMs === undefined) return { fill: 'none' }
  if (kind === 'predicted') return { fill: '#d9480f', 'fill-opacity': opacity(perPixel(tile, expectedMs) / most) }
  const off = (cpuMs - expectedMs) / Math.max(cpuMs, expectedMs, 1e-9)
  return { fill: off > 0 ? '#d9480f' : '#1f6fb2', 'fill-opacity': opacity(Math.abs(off)) }
}

const opacity = (share: number): number => Number((0.75 * Math.sqrt(Math.max(0, Math.min(1, share)))).toFixed(3))
