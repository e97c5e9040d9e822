/**
 * What each area did during a frame: a bar for each phase, idle in white, and a line where a perfect share would have ended; from there to the
 * end of the last bar is ε, in ms. Up to 32 areas have rows, more are strips of how busy each was, and beyond 512 there is how they are spread.
 */
import type { AreaFrame, WholeFrame } from '../compact-frame.ts'
import { PHASE_COLORS } from '../phase-colors.ts'
import { type AreaLook, type Drawn, draw, px } from './drawn.ts'
import { ms, percent } from './units.ts'

export interface GanttSize {
  /** px. */
  readonly width: number
  /** Where the axis ends, ms; frames beside each other have one scale. @default the frame's end */
  readonly endMs?: number
  /** Whether it is one of many: rows are low. @default false */
  readonly isSmall?: boolean
}

const RIGHT = 10
/** Half of the text at a tick. */
const TICK = 26
const TOP = 20
const AXIS = 20
/** Room for names, px: as wide as the chart allows. */
const labelOf = (width: number): number => (width < 700 ? 104 : 138)
const LETTER = 7.4
/** Where a name begins, and what is left free behind it, px. */
const NAME = 15
const BEHIND = 4

/** SVG of the whole chart. */
export function ganttChart(frame: WholeFrame, size: GanttSize, look: AreaLook): Drawn {
  return frame.shape === 'rows' ? rows(frame, size, look) : strips(frame, size, look)
}

interface Scale {
  readonly width: number
  readonly left: number
  readonly endMs: number
  x(at: number): number
}

function scaleOf({ figures: { frameMs } }: WholeFrame, { width, endMs = frameMs }: GanttSize, left: number): Scale {
  const inside = Math.max(60, width - left - RIGHT)
  return { width, left, endMs, x: at => px(left + (endMs > 0 ? (at / endMs) * inside : 0)) }
}

/** Of a place in a chart of rows, px from its left, the time, ms since the frame's beginning. */
export function timeAt(frame: WholeFrame, size: GanttSize, x: number): number {
  const scale = scaleOf(frame, size, labelOf(size.width))
  return ((x - scale.left) / Math.max(1, scale.x(scale.endMs) - scale.left)) * scale.endMs
}

function rows(frame: WholeFrame, size: GanttSize, { nameOf, colorOf }: AreaLook): Drawn {
  const { areas } = frame
  const row = size.isSmall ? 12 : areas.length > 16 ? 14 : areas.length > 8 ? 18 : 22
  const gap = row < 14 ? 1 : 2
  const scale = scaleOf(frame, size, labelOf(size.width))
  const bottom = TOP + areas.length * row
  const drawn = areas.map((area, index) => {
    const y = TOP + index * row
    const said = saidOf(area, nameOf, frame)
    return draw(
      'g',
      { class: 'row', 'data-area': area.area, role: 'img', 'aria-label': said },
      draw('title', {}, said),
      draw('rect', { class: 'hit', x: 0, y, width: scale.width, height: row }),
      draw('rect', { class: 'mark', x: 2, y: y + row / 2 - 4, width: 8, height: 8, fill: colorOf(area.area) }),
      draw('text', { class: 'name', x: NAME, y: y + row / 2 + 4 }, shortened(nameOf(area.area), scale.left)),
      draw('rect', {
        ...{ class: 'idle', x: scale.left, y: y + gap, height: row - 2 * gap },
        width: px(scale.x(frame.figures.frameMs) - scale.left),
      }),
      ...bars(area, scale, y + gap, row - 2 * gap),
    )
  })
  return chartOf(frame, scale, [TOP, bottom], [...drawn, ...perfect(frame, scale, bottom)])
}

/** One path for each phase: a frame has many bars. */
function bars({ bars }: AreaFrame, { x }: Scale, y: number, height: number): Drawn[] {
  const paths = new Map<string, string>()
  for (const { kind, from, to } of bars) {
    if (kind === 'idle') continue
    const begin = x(from)
    const width = Math.max(0.6, px(x(to) - begin))
    paths.set(kind, `${paths.get(kind) ?? ''}M${begin} ${y}h${width}v${height}h${-width}z`)
  }
  return [...paths].map(([kind, d]) => draw('path', { fill: PHASE_COLORS[kind as keyof typeof PHASE_COLORS], d }))
}

/** @param place of the plot, px from the top */
function chartOf(
  frame: WholeFrame,
  scale: Scale,
  [top, bottom]: readonly [number, number],
  inside: readonly Drawn[],
): Drawn {
  const height = bottom + AXIS
  const grid = ticks(scale.endMs, scale.width < 500 ? 3 : 6).flatMap(at => {
    const x = scale.x(at)
    const [first, last] = [x < TICK, x > scale.width - TICK]
    // At an edge, the text would be cut.
    const anchor = first ? { x: 0, 'text-anchor': 'start' } : { x: scale.width, 'text-anchor': 'end' }
    const place = first || last ? anchor : { x, 'text-anchor': 'middle' }
    return [
      draw('line', { class: 'grid', x1: x, x2: x, y1: top, y2: bottom }),
      draw('text', { class: 'tick', ...place, y: height - 5 }, tickText(at, scale.endMs)),
    ]
  })
  const { width } = scale
  return draw(
    'svg',
    {
      ...{ class: 'gantt', width, height, viewBox: `0 0 ${width} ${height}`, role: 'group' },
      'aria-label': `What each worker did during frame ${frame.frame}, ${ms(frame.figures.frameMs)}`,
    },
    ...grid,
    ...inside,
  )
}

/** The line of a perfect share, and the gap to the last bar. */
function perfect(frame: WholeFrame, scale: Scale, bottom: number): Drawn[] {
  const { idealMs, shareMs } = frame
  const last = Math.max(0, ...frame.areas.map(({ endMs }) => endMs))
  if (last <= 0) return []
  const [x, end] = [scale.x(idealMs), scale.x(last)]
  const gap = Math.max(0, last - idealMs)
  const isLeft = x > scale.width * 0.6
  return [
    draw('rect', { class: 'gap', x, y: TOP - 4, width: px(Math.max(0, end - x)), height: bottom - TOP + 4 }),
    draw('line', { class: 'perfect', x1: x, x2: x, y1: TOP - 6, y2: bottom }),
    draw(
      'text',
      { class: 'epsilon', x: px(isLeft ? x - 5 : x + 5), y: 12, 'text-anchor': isLeft ? 'end' : 'start' },
      `ε ${ms(gap)}${shareMs > 0 ? ` (${percent(gap / shareMs)})` : ''}`,
    ),
  ]
}

/** Shades of how busy an area was. */
const LEVELS = 12
/** Areas that have names beside their strips, and how high those are; the others are as high as there is room for. */
const MOST_NAMED = 16
const NAMED_PX = 14
const STRIPS_PX = 320

/** A strip for each area, the darker the busier; one path for each shade. */
function strips(frame: WholeFrame, size: GanttSize, { nameOf, colorOf }: AreaLook): Drawn {
  const { areas, figures } = frame
  const isNamed = areas.length <= MOST_NAMED
  const scale = scaleOf(frame, size, isNamed ? labelOf(size.width) : 2)
  const line = isNamed ? NAMED_PX : Math.max(1, Math.min(8, Math.floor(STRIPS_PX / Math.max(1, areas.length))))
  const spread = frame.shape === 'bands' ? spreadOf(frame, size.width) : []
  const top = TOP + (spread.length > 0 ? SPREAD : 0)
  const bottom = top + areas.length * line
  const paths = new Array<string>(LEVELS + 1).fill('')
  for (const [index, { strip }] of areas.entries()) {
    const level = (bin: number) => Math.round((strip[bin] ?? 0) * LEVELS)
    const x = (bin: number) => scale.x((bin / strip.length) * figures.frameMs)
    for (let bin = 0, end = 0; bin < strip.length; bin = end) {
      for (end = bin + 1; end < strip.length && level(end) === level(bin); end++);
      const width = px(x(end) - x(bin))
      if (level(bin) > 0) paths[level(bin)] += `M${x(bin)} ${top + index * line}h${width}v${line}h${-width}z`
    }
  }
  const shades = paths.flatMap((d, level) => {
    const opacity = Math.round((level / LEVELS) * 100) / 100
    // Edges are smoothed otherwise, and a line would stay between neighbours.
    const look = { 'fill-opacity': opacity, 'shape-rendering': 'crispEdges' }
    return d === '' ? [] : draw('path', { fill: PHASE_COLORS.render, ...look, d })
  })
  const hits = areas.map((area, index) => {
    const y = top + index * line
    const said = saidOf(area, nameOf, frame)
    const whole = { class: 'hit', x: 0, y, width: scale.width, height: line }
    const name = [
      draw('rect', { class: 'mark', x: 2, y: y + 3, width: 8, height: 8, fill: colorOf(area.area) }),
      draw('text', { class: 'name', x: NAME, y: y + 11 }, shortened(nameOf(area.area), scale.left)),
    ]
    return draw('g', { 'data-area': area.area }, draw('title', {}, said), draw('rect', whole), ...(isNamed ? name : []))
  })
  const ground = draw('rect', {
    ...{ class: 'idle', x: scale.left, y: top, height: Math.max(1, bottom - top) },
    width: px(scale.x(figures.frameMs) - scale.left),
  })
  const inside = [...spread, ground, ...shades, ...hits]
  return chartOf(frame, scale, [top, bottom], [...inside, ...(spread.length > 0 ? [] : perfect(frame, scale, bottom))])
}

const SPREAD = 46

/** Of so many areas that each would be less than a pixel: how long they traced, and which of them are below. */
function spreadOf({ quantiles, areas }: WholeFrame, width: number): Drawn[] {
  const [, low = 0, first = 0, median = 0, third = 0, high = 0, most = 0] = quantiles
  const x = (value: number) => px(2 + (most > 0 ? (value / most) * (width - RIGHT - 2) : 0))
  const band = (from: number, to: number, y: number, height: number, kind: string) =>
    draw('rect', { class: `spread-${kind}`, x: x(from), y, width: px(Math.max(2, x(to) - x(from))), height })
  const said = `Tracing of all areas: median ${ms(median)}, nine of ten between ${ms(low)} and ${ms(high)}`
  return [
    draw('text', { class: 'tick', x: 2, y: 11 }, said),
    draw('rect', { class: 'idle', x: x(0), y: 17, width: px(x(most) - x(0)), height: 18 }),
    band(low, high, 23, 6, 'outer'),
    band(first, third, 19, 14, 'inner'),
    band(median, median, 17, 18, 'median'),
    draw('text', { class: 'tick', x: 2, y: 56 }, `The ${areas.length} that ended last`),
  ]
}

function saidOf(
  { area, ledger, expectedMs, cpuMs, tileCount }: AreaFrame,
  nameOf: AreaLook['nameOf'],
  { clock }: WholeFrame,
): string {
  const ofCpu = clock === 'wall' ? '' : ' of CPU time'
  const predicted = expectedMs === undefined ? '' : `, predicted ${ms(expectedMs)}${ofCpu}, taken ${ms(cpuMs)}`
  return `${nameOf(area)}: ${tileCount} ${tileCount === 1 ? 'tile' : 'tiles'}, ${ms(ledger.render)} tracing, ${ms(ledger.idle)} idle${predicted}`
}

const STEPS = [1, 2, 5]

/** At most so many round numbers. */
export function ticks(end: number, most: number): number[] {
  if (!(end > 0)) return [0]
  const least = 10 ** Math.floor(Math.log10(end / most))
  let step = least
  for (let i = 0; end / step > most; i++) step = 10 ** Math.floor(i / 3) * STEPS[i % 3]! * least
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, i) => i * step)
}

const tickText = (at: number, end: number): string =>
  end < 10 ? `${at.toFixed(1)} ms` : ms(Math.round(at)).replace(/\.0 /, ' ')

function shortened(name: string, room: number): string {
  const most = Math.floor((room - NAME - BEHIND) / LETTER)
  const letters = [...name]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : name
}
