/** The picture as a map: over it the tiles of a frame, by who traced them, by what they cost, by what was predicted, or by how far that was off. */
import type { Rect } from '../../frame/rect.ts'
import type { AreaTile, WholeFrame } from '../compact-frame.ts'
import { type AreaLook, type Drawn, draw, px } from './drawn.ts'
import { opacityOfEach } from './layers.ts'
import { ms } from './units.ts'

export const MAP_KINDS = ['workers', 'cost', 'predicted', 'difference'] as const
export type MapKind = (typeof MAP_KINDS)[number]

export const MAP_WORDS: Readonly<Record<MapKind, string>> = {
  workers: 'who traced what, and took from whom',
  cost: 'cost of a pixel',
  predicted: 'predicted cost',
  difference: 'more (red) or less (blue) than predicted',
}

/** SVG over a picture of the frame's size, in its pixels. */
export function tileMap(frame: WholeFrame, kind: MapKind, look: AreaLook): Drawn[] {
  const tiles = frame.areas.flatMap(({ area, tiles }) => tiles.map(tile => ({ ...tile, area })))
  const most = Math.max(1e-12, ...tiles.flatMap(tile => [perPixel(tile, tile.cpuMs), perPixel(tile, tile.expectedMs)]))
  const rects = tiles.map(({ rect }) => rect)
  const thin = (opacity: number) => Number(opacityOfEach(opacity, rects, frame.size).toFixed(3))
  const drawn = tiles.map(tile => {
    const { rect, area, cpuMs, expectedMs } = tile
    const color = look.colorOf(area)
    const place = { x: rect.x, y: rect.y, width: rect.w, height: rect.h }
    const predicted = expectedMs === undefined ? '' : `, predicted ${ms(expectedMs)}`
    return draw(
      'g',
      { class: 'tile', 'data-area': area },
      draw('rect', { ...place, ...fillOf(kind, tile, most, color, thin) }),
      draw('rect', { class: 'edge', ...place, stroke: color }),
      draw('title', {}, `${look.nameOf(area)}: ${ms(cpuMs)}${predicted}`),
    )
  })
  return kind === 'workers' ? [...drawn, ...arrows(frame, look)] : drawn
}

/** From the middle of what the victim kept, to the middle of what was taken. */
function arrows({ steals, areas, size }: WholeFrame, { nameOf }: AreaLook): Drawn[] {
  const head = Math.min(...size) / 40
  return steals.flatMap(({ from, to, rect }) => {
    const own = nearest(areas.find(({ area }) => area === from)?.tiles ?? [], rect)
    if (!own) return []
    const [[x1, y1], [x2, y2]] = [middle(own.rect), middle(rect)]
    const length = Math.hypot(x2 - x1, y2 - y1)
    if (length < 1) return []
    const [ux, uy] = [((x2 - x1) / length) * head, ((y2 - y1) / length) * head]
    const [left, right] = [`${px(-ux - uy * 0.6)} ${px(ux * 0.6 - uy)}`, `${px(uy * 0.6 - ux)} ${px(-uy - ux * 0.6)}`]
    const d = `M${x1} ${y1}L${x2} ${y2}m${left}L${x2} ${y2}l${right}`
    return [
      draw('path', { class: 'steal', d }, draw('title', {}, `${nameOf(to)} took ${rect.h} rows from ${nameOf(from)}`)),
    ]
  })
}

const middle = ({ x, y, w, h }: Rect) => [x + w / 2, y + h / 2] as const

function nearest(tiles: readonly AreaTile[], to: Rect): AreaTile | undefined {
  const [x, y] = middle(to)
  const away = ({ rect }: AreaTile) => Math.hypot(middle(rect)[0] - x, middle(rect)[1] - y)
  return tiles.toSorted((a, b) => away(a) - away(b))[0]
}

const perPixel = ({ rect }: AreaTile, value: number | undefined): number =>
  value === undefined ? 0 : value / Math.max(1, rect.w * rect.h)

/**
 * Cost from clear to red; what cost more than predicted in red, less in blue.
 * @param thin the opacity of one of the tiles that lie over each other
 */
function fillOf(
  kind: MapKind,
  tile: AreaTile,
  most: number,
  color: string,
  thin: (opacity: number) => number,
): Readonly<Record<string, string | number>> {
  const { cpuMs, expectedMs } = tile
  if (kind === 'workers') return { fill: color, 'fill-opacity': thin(0.14) }
  if (kind === 'cost') return { fill: '#d9480f', 'fill-opacity': thin(opacity(perPixel(tile, cpuMs) / most)) }
  if (expectedMs === undefined) return { fill: 'none' }
  if (kind === 'predicted') return { fill: '#d9480f', 'fill-opacity': thin(opacity(perPixel(tile, expectedMs) / most)) }
  const off = (cpuMs - expectedMs) / Math.max(cpuMs, expectedMs, 1e-9)
  return { fill: off > 0 ? '#d9480f' : '#1f6fb2', 'fill-opacity': thin(opacity(Math.abs(off))) }
}

const opacity = (share: number): number => 0.75 * Math.sqrt(Math.max(0, Math.min(1, share)))
