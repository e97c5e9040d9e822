/** What each area did during a frame, as the page shows it: whoever is pointed at is told, with what it did at that time. */
import type { WholeFrame } from '../../../../shared/dashboard/compact-frame.ts'
import type { AreaLook } from '../../../../shared/dashboard/drawing/drawn.ts'
import { ganttChart, timeAt } from '../../../../shared/dashboard/drawing/gantt.ts'
import { elementOf, ms } from './elements.ts'

export interface GanttPorts extends AreaLook {
  /** Undefined: none. */
  hover(area: number | undefined): void
}

export function gantt(frame: WholeFrame, width: number, ports: GanttPorts): SVGElement {
  const chart = elementOf(ganttChart(frame, { width }, ports))
  const areas = new Map(frame.areas.map(area => [area.area, area]))
  let at: number | undefined
  const hover = (area: number | undefined) => {
    if (area !== at) ports.hover(area)
    at = area
  }
  chart.addEventListener('pointermove', ({ target, clientX }) => {
    const row = target instanceof Element ? target.closest<SVGElement>('[data-area]') : null
    const area = row ? areas.get(Number(row.dataset.area)) : undefined
    hover(area?.area)
    const title = row?.querySelector('title')
    if (!row || !area || !title || frame.shape !== 'rows') return
    const { left, width: shown } = chart.getBoundingClientRect()
    const time = timeAt(frame, { width }, ((clientX - left) / Math.max(1, shown)) * width)
    const bar = area.bars.find(({ kind, from, to }) => kind !== 'idle' && from <= time && time < to)
    title.textContent = bar ? `${ports.nameOf(area.area)}: ${bar.kind}, ${ms(bar.to - bar.from)}` : row.ariaLabel
  })
  chart.addEventListener('pointerleave', () => hover(undefined))
  return chart
}
