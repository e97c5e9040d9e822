/**
 * What each area did during a frame: a bar for each phase, idle in white, and a line where a perfect share would have ended; from there to the
 * end of the last bar is ε, in ms. Up to 32 areas have rows, more are strips of how busy each was, and beyond 512 there is how they are spread.
 */
import type { AreaFrame, WholeFrame } from '../../../../shared/dashboard/compact-frame.ts'
import { PHASE_COLORS } from '../../../../shared/dashboard/phase-colors.ts'
import { html, ms, percent, svg } from './elements.ts'

export interface GanttPorts {
  nameOf(area: number): string
  colorOf(area: number): string
  /** Undefined: none. */
  hover(area: number | undefined): void
}

const LABEL = 84
const RIGHT = 10
const TOP = 20
const AXIS = 20
const TICKS = [1, 2, 5]

export function gantt(frame: WholeFrame, width: number, ports: GanttPorts): HTMLElement {
  const { shape } = frame
  const box = html('div', { class: 'gantt' })
  if (shape === 'bands') box.append(spread(frame))
  box.append(shape === 'rows' ? rows(frame, width, ports) : strips(frame, width, ports))
  return box
}

interface Scale {
  readonly width: number
  x(at: number): number
}

function scaleOf({ figures: { frameMs } }: WholeFrame, width: number): Scale {
  const inside = Math.max(60, width - LABEL - RIGHT)
  return { width, x: at => LABEL + (frameMs > 0 ? (at / frameMs) * inside : 0) }
}

function rows(frame: WholeFrame, width: number, { nameOf, colorOf, hover }: GanttPorts): SVGSVGElement {
  const { areas } = frame
  const row = areas.length > 16 ? 14 : areas.length > 8 ? 18 : 22
  const scale = scaleOf(frame, width)
  const height = TOP + areas.length * row + AXIS
  const chart = chartOf(frame, scale, height)
  for (const [index, area] of areas.entries()) {
    const y = TOP + index * row
    const group = svg('g', { class: 'row', 'data-area': area.area, role: 'img', 'aria-label': saidOf(area, nameOf) })
    group.append(
      svg('rect', { class: 'hit', x: 0, y, width, height: row }),
      svg('rect', { class: 'mark', x: 2, y: y + row / 2 - 4, width: 8, height: 8, fill: colorOf(area.area) }),
      svg('text', { class: 'name', x: 15, y: y + row / 2 + 4 }, shortened(nameOf(area.area))),
      svg('rect', {
        class: 'idle',
        x: LABEL,
        y: y + 2,
        width: scale.x(frame.figures.frameMs) - LABEL,
        height: row - 4,
      }),
    )
    for (const { kind, from, to } of area.bars) {
      if (kind === 'idle') continue
      const x = scale.x(from)
      const bar = svg('rect', {
        ...{ x, y: y + 2, width: Math.max(0.6, scale.x(to) - x), height: row - 4, fill: PHASE_COLORS[kind] },
      })
      bar.append(svg('title', {}, `${nameOf(area.area)}: ${kind}, ${ms(to - from)}`))
      group.append(bar)
    }
    group.addEventListener('pointerenter', () => hover(area.area))
    group.addEventListener('pointerleave', () => hover(undefined))
    chart.append(group)
  }
  chart.append(...perfect(frame, scale, height))
  return chart
}

function chartOf(frame: WholeFrame, scale: Scale, height: number): SVGSVGElement {
  const { frameMs } = frame.figures
  const chart = svg('svg', {
    ...{ width: scale.width, height, viewBox: `0 0 ${scale.width} ${height}`, role: 'group' },
    'aria-label': `What each worker did during frame ${frame.frame}, ${ms(frameMs)}`,
  })
  for (const at of ticks(frameMs, scale.width < 500 ? 3 : 6)) {
    const x = scale.x(at)
    chart.append(
      svg('line', { class: 'grid', x1: x, x2: x, y1: TOP, y2: height - AXIS }),
      svg('text', { class: 'tick', x, y: height - 5, 'text-anchor': 'middle' }, tickText(at, frameMs)),
    )
  }
  return chart
}

/** The line of a perfect share, and the gap to the last bar. */
function perfect(frame: WholeFrame, scale: Scale, height: number): SVGElement[] {
  const { idealMs, shareMs } = frame
  const last = Math.max(0, ...frame.areas.map(({ endMs }) => endMs))
  if (last <= 0) return []
  const [x, end] = [scale.x(idealMs), scale.x(last)]
  const gap = Math.max(0, last - idealMs)
  const text = `ε ${ms(gap)}${shareMs > 0 ? `, ${percent(gap / shareMs)}` : ''}`
  const isLeft = x > scale.width * 0.6
  return [
    svg('rect', { class: 'gap', x, y: TOP - 4, width: Math.max(0, end - x), height: height - TOP - AXIS + 4 }),
    svg('line', { class: 'perfect', x1: x, x2: x, y1: TOP - 6, y2: height - AXIS }),
    svg(
      'text',
      { class: 'epsilon', x: isLeft ? x - 5 : x + 5, y: 12, 'text-anchor': isLeft ? 'end' : 'start' },
      `T_min + ${text}`,
    ),
  ]
}

/** A row of pixels for each area, the darker the busier. */
function strips(frame: WholeFrame, width: number, { nameOf, hover }: GanttPorts): HTMLElement {
  const { areas } = frame
  const bins = areas[0]?.strip.length ?? 1
  const line = Math.max(1, Math.min(8, Math.floor(320 / Math.max(1, areas.length))))
  const canvas = html('canvas', {
    ...{ class: 'strips', width: bins, height: Math.max(1, areas.length), role: 'img', tabindex: 0 },
    'aria-label': `How busy ${areas.length} areas were during frame ${frame.frame}`,
  })
  canvas.style.height = `${Math.max(24, areas.length * line)}px`
  canvas.style.width = `${Math.max(60, width - 4)}px`
  const context = canvas.getContext('2d')!
  context.fillStyle = PHASE_COLORS.render
  for (const [y, { strip }] of areas.entries())
    for (const [x, busy] of strip.entries()) {
      context.globalAlpha = busy
      context.fillRect(x, y, 1, 1)
    }
  const at = ({ offsetY }: MouseEvent) => areas[Math.floor((offsetY / canvas.clientHeight) * areas.length)]
  canvas.addEventListener('pointermove', event => {
    const area = at(event)
    hover(area?.area)
    canvas.title = area ? saidOf(area, nameOf) : ''
  })
  canvas.addEventListener('pointerleave', () => hover(undefined))
  const title =
    frame.shape === 'bands'
      ? `The ${areas.length} that ended last`
      : `${areas.length} areas, from the frame’s beginning to its end`
  return html('figure', { class: 'stripped' }, html('figcaption', {}, title), canvas)
}

/** Of so many areas that each would be less than a pixel: how long they traced. */
function spread({ quantiles }: WholeFrame): HTMLElement {
  const most = quantiles.at(-1) ?? 0
  const place = (value: number) => (most > 0 ? `${(value / most) * 100}%` : '0%')
  const [, low = 0, first = 0, median = 0, third = 0, high = 0] = quantiles
  const bar = html('div', {
    class: 'spread',
    role: 'img',
    'aria-label': `Tracing: half of the areas between ${ms(first)} and ${ms(third)}, median ${ms(median)}`,
  })
  for (const [kind, from, to] of [
    ['outer', low, high],
    ['inner', first, third],
    ['median', median, median],
  ] as const) {
    const part = html('i', { class: kind })
    part.style.left = place(from)
    part.style.width = kind === 'median' ? '2px' : place(to - from)
    bar.append(part)
  }
  return html(
    'figure',
    { class: 'stripped' },
    html(
      'figcaption',
      {},
      `Tracing of all areas: median ${ms(median)}, nine of ten between ${ms(low)} and ${ms(high)}`,
    ),
    bar,
  )
}

export const saidOf = (
  { area, ledger, expectedMs, cpuMs, tileCount }: AreaFrame,
  nameOf: (area: number) => string,
): string =>
  `${nameOf(area)}: ${tileCount} ${tileCount === 1 ? 'tile' : 'tiles'}, ${ms(ledger.render)} tracing, ${ms(ledger.idle)} idle${expectedMs === undefined ? '' : `, predicted ${ms(expectedMs)} of CPU time, taken ${ms(cpuMs)}`}`

/** At most so many round numbers. */
export function ticks(end: number, most: number): number[] {
  if (!(end > 0)) return [0]
  let step = 10 ** Math.floor(Math.log10(end / most))
  for (let i = 0; end / step > most; i++)
    step = 10 ** Math.floor(i / 3) * TICKS[i % 3]! * 10 ** Math.floor(Math.log10(end / most))
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, i) => i * step)
}

const tickText = (at: number, end: number): string =>
  end < 10 ? `${at.toFixed(1)} ms` : ms(Math.round(at)).replace(/\.0 /, ' ')

const MOST_LETTERS = 10
const shortened = (name: string): string => (name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1)}…` : name)
