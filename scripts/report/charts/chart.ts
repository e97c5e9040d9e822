/** Shared by all charts of the report: a common style, and rendering a plot's description to SVG text without a browser. */
import { createDocument } from '@mixmark-io/domino'
import * as Plot from '@observablehq/plot'
import { escapeMarkup } from './markup.ts'
import { GRID, INK, MUTED } from './palette.ts'
import { FONT_FAMILY, printable, textWidth } from './text-width.ts'

export const CHART_WIDTH = 920
/** px, in a phone's column: text that is scaled down to it from the full width cannot be read. */
const NARROW_WIDTH = 358

/** For what width a chart is drawn. */
export interface ChartLook {
  /** For a phone, without what stands beside the axes in a full one. @default false */
  readonly narrow?: boolean
}

export const widthOf = ({ narrow = false }: ChartLook): number => (narrow ? NARROW_WIDTH : CHART_WIDTH)
export const CHART_FONT = 13

export interface ChartOptions extends Omit<Plot.PlotOptions, 'marks' | 'document' | 'title' | 'subtitle' | 'caption'> {
  /** Alternative text for the chart. */
  readonly description: string
  readonly marks: Plot.Markish[]
  /** SVG drawn last, in px from the top left corner of the chart. */
  readonly overlay?: string
}

/** The part of an SVG element that is needed here. */
interface DrawnElement {
  readonly outerHTML: string
  setAttribute(name: string, value: string): void
}

/** SVG text of a chart: well-formed XML, fonts by name only, no external resources. */
export function renderChart({ description, overlay = '', ...options }: ChartOptions): string {
  const svg = Plot.plot({
    width: CHART_WIDTH,
    ...options,
    ariaLabel: printable(description),
    style: { fontFamily: FONT_FAMILY, fontSize: `${CHART_FONT}px`, color: INK, background: 'white' },
    document: createDocument() as Plot.PlotOptions['document'],
  }) as unknown as DrawnElement
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  svg.setAttribute('role', 'img')
  return (
    svg.outerHTML
      // The serializer writes only one named entity; it is defined in HTML but not in XML.
      .replaceAll('&nbsp;', '&#160;')
      // Not every renderer honours a CSS background on the root.
      .replace('<style>', () => '<rect width="100%" height="100%" fill="white"/><style>')
      .replace(/<\/svg>$/, () => `${overlay}</svg>`)
  )
}

/** Style of the grid lines at an axis's ticks, behind everything else. */
export const GRID_LINE = { stroke: GRID, strokeOpacity: 1 } as const
export const gridY = (ticks?: number): Plot.Markish => Plot.gridY({ ...GRID_LINE, ...(ticks ? { ticks } : {}) })
export const gridX = (): Plot.Markish => Plot.gridX(GRID_LINE)

/** An axis label that does not compete with the data. */
export const axisLabel = { fill: MUTED, fontSize: CHART_FONT - 1 } as const

/** Position of the panel for the strategy at `index` in a grid of `columns`. */
export const panel = (index: number, columns: number): { fx: number; fy: number } => ({
  fx: index % columns,
  fy: Math.floor(index / columns),
})

export interface LegendEntry {
  readonly label: string
  readonly color: string
}

/** A row of swatches with their names, wrapped to the plot's width. */
export interface Legend {
  /** SVG overlay, relative to the chart's top left corner. */
  readonly svg: string
  /** Height at the top of the chart, px. */
  readonly height: number
}

export function legendRow(entries: readonly LegendEntry[], left: number, width: number): Legend {
  const parts: string[] = []
  let [x, y] = [left, 4]
  for (const { label, color } of entries) {
    const needed = SWATCH + 6 + textWidth(label, CHART_FONT) + 16
    if (x > left && x + needed > left + width) [x, y] = [left, y + LEGEND_LINE]
    parts.push(
      `<rect x="${x}" y="${y}" width="${SWATCH}" height="${SWATCH}" fill="${color}" stroke="${MUTED}" stroke-width="0.5"/>`,
      `<text x="${x + SWATCH + 6}" y="${y + SWATCH - 1.5}">${escapeMarkup(label)}</text>`,
    )
    x += needed
  }
  return { svg: `<g text-anchor="start">${parts.join('')}</g>`, height: y + LEGEND_LINE }
}

const SWATCH = 11
const LEGEND_LINE = 20
