/**
 * Colours of the report. A strategy has the same colour in every chart, and the most common ones have the same colour in
 * every report. Hues are from Okabe and Ito, "Color Universal Design", 2008, distinguishable with any colour vision,
 * darkened for text on white (contrast 4.5 or more).
 */
import type { Summary } from '../../../shared/frame/summary.ts'

/** Style of one strategy: a colour, and a dash pattern if there are more strategies than colours. */
export interface SeriesStyle {
  readonly color: string
  /** SVG dash pattern, px; absent for a solid line. */
  readonly dash?: string
}

export const INK = '#1c2430'
export const MUTED = '#5b6675'
export const GRID = '#dfe3e8'

/** A style per strategy of the summary, by name. */
export function strategyStyles(summary: Summary): ReadonlyMap<string, SeriesStyle> {
  const names = summary.strategies.map(strategy => strategy.name)
  const styles = new Map<string, SeriesStyle>()
  for (const name of names) {
    const color = USUAL[name]
    if (color) styles.set(name, { color })
  }
  const taken = new Set([...styles.values()].map(style => style.color))
  const free = SERIES.filter(color => !taken.has(color))
  const rest = names.filter(name => !styles.has(name))
  rest.forEach((name, index) => {
    const round = Math.floor(index / free.length)
    const dash = DASHES[round % DASHES.length]
    styles.set(name, { color: free[index % free.length]!, ...(dash ? { dash } : {}) })
  })
  return styles
}

const VERMILLION = '#bf4a00'
const BLUE = '#0068a8'
const GREEN = '#007a59'
const SERIES = [BLUE, VERMILLION, GREEN, '#9b4585', '#8a6100', '#51606f', '#007c8a', '#7c4a2d'] as const
const DASHES = [undefined, '6 3', '2 3'] as const
const USUAL: Readonly<Record<string, string>> = { 'static-blocks': VERMILLION, pbt: BLUE, predictive: GREEN }
