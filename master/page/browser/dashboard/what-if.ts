/**
 * What every other strategy would have taken: a bar for each, beside what was measured, and what it has cost so far not to run the best one.
 * While it is folded up, nothing of it is made, here or at the master.
 */
import { type Guess, type WhatIf, whatIf } from '../../../../shared/dashboard/what-if.ts'
import { html, ms, svg } from './elements.ts'

export interface WhatIfPorts {
  /** It is wanted from now on, or no more. */
  opened(isOpen: boolean): void
  switchTo(strategy: string): void
}

/** As it stands for the run that is shown. */
export interface WhatIfNews {
  readonly names: readonly string[]
  readonly guesses: readonly Guess[]
  readonly doubts: readonly string[]
  /** Place of the frame that was chosen; undefined: the newest. */
  readonly chosen: number | undefined
  /** The strategy from the next frame on, and whether the page may choose another one. */
  readonly strategy: string
  readonly maySwitch: boolean
}

/** Bars of strategies that take longer are cut off: times what was measured. */
const MOST_SHARE = 2.5
const REGRET_HEIGHT = 34

export class WhatIfPanel {
  readonly root = html('details', { class: 'what-if' })
  readonly #ports: WhatIfPorts
  readonly #text = html('p', {})
  readonly #bars = html('ol', { 'aria-label': 'Strategies, the fastest first' })
  readonly #regret = html('figure', {})
  #key = ''

  constructor(ports: WhatIfPorts) {
    this.#ports = ports
    this.root.append(
      html('summary', {}, 'What other strategies would have taken'),
      this.#text,
      this.#bars,
      this.#regret,
    )
    this.root.addEventListener('toggle', () => ports.opened(this.root.open))
  }

  get isOpen(): boolean {
    return this.root.open
  }

  show(news: WhatIfNews, width: number): void {
    if (!this.root.open) return
    const { names, guesses, doubts, chosen, strategy, maySwitch } = news
    // What is under the pointer stays, unless it changes.
    const one = guesses.some(({ place }) => place === chosen) ? chosen : undefined
    const key = JSON.stringify([guesses.at(-1)?.place, guesses.length, doubts, one, strategy, maySwitch, width])
    if (key === this.#key) return
    this.#key = key
    const found = whatIf(names, guesses, doubts, one)
    this.#text.textContent = found.text
    const most = Math.min(MOST_SHARE, Math.max(1, ...found.bars.map(({ share }) => share)))
    this.#bars.replaceChildren(
      ...(found.bars.length > 0 ? [measuredRow(found, most)] : []),
      ...found.bars.map(bar => this.#row(bar, found, most, news)),
    )
    this.#regret.replaceChildren(...regretLine(found, width))
  }

  #row(
    { name, ms: time, share, isRunning }: WhatIf['bars'][number],
    { winner }: WhatIf,
    most: number,
    { strategy, maySwitch }: WhatIfNews,
  ): HTMLElement {
    const isNext = name === strategy
    const label = maySwitch && !isNext ? html('button', { type: 'button', 'data-key': `use ${name}` }, name) : name
    if (label instanceof HTMLButtonElement) {
      label.title = `Use ${name} from the next frame on`
      label.addEventListener('click', () => this.#ports.switchTo(name))
    }
    const bar = html('i', { class: share > most ? 'is-cut' : undefined })
    bar.style.width = `${(100 * Math.min(share, most)) / most}%`
    const row = html(
      'li',
      { class: isRunning ? 'is-running' : name === winner ? 'is-winner' : undefined },
      html(
        'span',
        { class: 'who' },
        label,
        ...(isRunning ? [html('em', {}, 'runs')] : isNext ? [html('em', {}, 'next')] : []),
      ),
      html('span', { class: 'track' }, bar, mark(most)),
      html('span', { class: 'time' }, ms(time)),
    )
    row.title = `${name}: ${ms(time)}, ${share.toFixed(2)} times what was measured`
    return row
  }
}

function measuredRow({ measuredMs, frames }: WhatIf, most: number): HTMLElement {
  const of = frames === 1 ? 'measured' : `measured, mean of ${frames}`
  const track = html('span', { class: 'track' }, mark(most))
  return html(
    'li',
    { class: 'is-measured' },
    html('span', { class: 'who' }, of),
    track,
    html('span', { class: 'time' }, ms(measuredMs)),
  )
}

/** Where bars end that are as long as what was measured. */
function mark(most: number): HTMLElement {
  const made = html('b', {})
  made.style.left = `${100 / most}%`
  return made
}

/** What not running the best one has cost until each frame. */
function regretLine({ regret, best }: WhatIf, width: number): Element[] {
  const total = regret.at(-1)
  if (total === undefined || best === undefined || regret.length < 2) return []
  const [least, most] = [Math.min(0, ...regret), Math.max(1e-3, ...regret)]
  const x = (i: number) => (i / (regret.length - 1)) * (width - 2) + 1
  const y = (value: number) => 2 + (1 - (value - least) / (most - least)) * (REGRET_HEIGHT - 4)
  const line = regret.map((value, i) => `${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join('L')
  const chart = svg('svg', {
    width,
    height: REGRET_HEIGHT,
    viewBox: `0 0 ${width} ${REGRET_HEIGHT}`,
    'aria-hidden': 'true',
  })
  chart.append(
    svg('path', { class: 'zero', d: `M0 ${y(0).toFixed(1)}H${width}` }),
    svg('path', { class: 'regret', d: `M${line}` }),
  )
  const frames = `${regret.length} frames that were simulated`
  const text =
    total < 0.05
      ? `No regret over the ${frames}: ${best} was the best.`
      : `Regret over the ${frames}: ${ms(total)}, ${ms(total / regret.length)} a frame, against ${best}.`
  return [html('figcaption', {}, text), chart]
}
