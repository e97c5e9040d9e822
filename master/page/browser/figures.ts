/** What the panel shows of the pictures that came: how many, how late, where the time went, and who traced them. */
import { workerColor } from '../../../shared/dashboard/worker-colors.ts'
import type { PictureFacts } from '../../../shared/page/page-messages.ts'

/** Pictures whose times are looked at, and for how long they count, ms. */
const MOST = 60
const SPAN_MS = 2000

interface Seen {
  readonly at: number
  /** From the view to its picture. */
  readonly latencyMs: number
  readonly facts: PictureFacts
  readonly bytes: number
}

export class Figures {
  readonly #body: HTMLElement
  readonly #seen: Seen[] = []
  readonly #asked = new Map<number, number>()

  constructor(body: HTMLElement) {
    this.#body = body
  }

  /** A view was asked for. */
  asked(seq: number): void {
    this.#asked.set(seq, performance.now())
  }

  /** @returns from its view to the picture, ms; of a view that stands still, that says little */
  saw(facts: PictureFacts, bytes: number): number {
    const at = performance.now()
    const latencyMs = at - (this.#asked.get(facts.seq) ?? at)
    for (const seq of this.#asked.keys()) if (seq < facts.seq) this.#asked.delete(seq)
    if (facts.stage === 'moving') {
      this.#seen.push({ at, latencyMs, facts, bytes })
      if (this.#seen.length > MOST) this.#seen.shift()
    }
    return latencyMs
  }

  show(facts: PictureFacts): void {
    const { size, fullSize, times, balance, workers, tracedBy, tiles, places } = facts
    const now = performance.now()
    const recent = this.#seen.filter(({ at }) => now - at < SPAN_MS)
    const newest = this.#seen.at(-1)
    const rows: (readonly [name: string, value: string, color?: string])[] = [
      ['size', `${size.join('×')} of ${fullSize.join('×')}`],
    ]
    if (recent.length > 1) {
      const seconds = (recent.at(-1)!.at - recent[0]!.at) / 1000
      rows.push(['pictures per second', ((recent.length - 1) / seconds).toFixed(0)])
      rows.push(['bytes per picture', `${(mean(recent.map(({ bytes }) => bytes)) / 1000).toFixed(0)} kB`])
    }
    if (newest) {
      const { latencyMs, facts } = newest
      const { waitMs, traceMs, encodeMs } = facts.times
      rows.push(
        ['latency', ms(latencyMs)],
        ['· waiting', ms(waitMs)],
        ['· tracing', ms(traceMs)],
        ['· encoding', ms(encodeMs)],
        ['· on the way, drawing', ms(Math.max(0, latencyMs - waitMs - traceMs - encodeMs))],
      )
    }
    if (facts.stage !== 'moving') rows.push(['this picture', ms(times.traceMs)])
    if (balance && workers.length > 1) rows.push(['ε', `${(balance.epsilon * 100).toFixed(1)} %`])
    if (tracedBy !== undefined) rows.push(['traced by', tracedBy])
    for (const [number, name] of workers.entries()) {
      const own = tiles?.filter(([, , , , worker]) => worker === number) ?? []
      const cpu = own.reduce((sum, [, , , , , each]) => sum + each, 0)
      rows.push(tiles ? [name, ms(cpu), workerColor(places?.[number] ?? number)] : [name, ''])
    }
    this.#body.replaceChildren(...rows.map(rowOf))
  }
}

function rowOf([name, value, color]: readonly [string, string, string?]): HTMLElement {
  const row = document.createElement('tr')
  const head = document.createElement('th')
  head.scope = 'row'
  if (color) {
    const mark = document.createElement('i')
    mark.style.background = color
    head.append(mark)
  }
  head.append(name)
  const cell = document.createElement('td')
  cell.textContent = value
  row.append(head, cell)
  return row
}

const ms = (value: number): string => `${value.toFixed(0)} ms`
const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length
