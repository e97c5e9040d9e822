/**
 * The dashboard: what is stuck, the runs, and of one frame the sentence that says why it took as long as it did, what each worker did, and the
 * figures. On the page it is sent all that; in a report it has it. Whoever is pointed at lights up everywhere.
 */
import { type CompactFrame, type WholeFrame, wholeFrame } from '../../../../shared/dashboard/compact-frame.ts'
import type {
  DashboardAct,
  DashboardEvent,
  DashboardState,
  FramePoint,
  ToDashboard,
} from '../../../../shared/dashboard/dashboard-messages.ts'
import { MAP_KINDS, MAP_WORDS, type MapKind } from '../../../../shared/dashboard/drawing/tile-map.ts'
import { PHASE_COLORS, PHASE_ORDER } from '../../../../shared/dashboard/phase-colors.ts'
import { shownFirst } from '../../../../shared/dashboard/shown-first.ts'
import type { Guess } from '../../../../shared/dashboard/what-if.ts'
import { whySlow } from '../../../../shared/dashboard/why-slow.ts'
import { workerColor } from '../../../../shared/dashboard/worker-colors.ts'
import { html, ms, percent } from './elements.ts'
import { FrameLine, shownPlaces } from './frame-line.ts'
import { type GanttPorts, gantt } from './gantt.ts'
import { type Acts, runRows, stuckList, workerRows } from './panels.ts'
import { samplesText, showSamples } from './samples-map.ts'
import { TileMap } from './tile-map.ts'
import { WhatIfPanel } from './what-if.ts'

export interface DashboardPorts {
  /** Asks for a frame of a run, by its place. */
  want(run: number, place: number): void
  /** Undefined: nothing goes on, it is a report. */
  act?(act: DashboardAct, on: string): void
  /** Of a dashboard whose master can still be asked; a report has no such. */
  readonly live?: LivePorts
  /** A frame is shown. */
  shown?(frame: WholeFrame): void
}

interface LivePorts {
  /** The run that is looked at; undefined: that which is shown first. */
  choose(run: number | undefined): void
  /** Asks for points of the line of frames of a run, from a place on. */
  wantLine(run: number, from: number): void
  /** Other strategies are wanted for this run from now on; undefined: for none any more. */
  wantGuesses(run: number | undefined): void
  switchTo(run: number, strategy: string): void
}

type Roster = Extract<ToDashboard, { is: 'roster' }>

interface Run {
  readonly rosters: Map<number, Roster>
  readonly points: Map<number, FramePoint>
  readonly frames: Map<number, CompactFrame>
  events: readonly DashboardEvent[]
  /** Names of strategies, and what they would have taken for frames, by place. */
  names: readonly string[]
  readonly guesses: Map<number, Guess>
  doubts: readonly string[]
  /** From where on points were asked for last. */
  asked: number | undefined
}

/** Frames that are kept here: those that were looked at. */
const MOST_FRAMES = 300
const MOST_GUESSES = 120

export class Dashboard {
  /** Beside the picture, and over it. */
  readonly root = html('section', { class: 'dashboard', 'aria-label': 'Dashboard' })
  readonly map = new TileMap()
  readonly #ports: DashboardPorts
  readonly #runs = new Map<number, Run>()
  readonly #line = new FrameLine(place => this.#choose(place))
  readonly #whatIf = new WhatIfPanel({
    opened: () => {
      this.#wantGuesses()
      this.#draw()
    },
    switchTo: strategy => this.#ports.live?.switchTo(this.#run, strategy),
  })
  /** The run of which guesses were asked for. */
  #guessed: number | undefined
  readonly #parts = {
    stuck: html('div', { class: 'stuck', role: 'status' }),
    runs: html('div', { class: 'runs' }),
    why: html('p', { class: 'why', 'aria-live': 'off' }),
    chart: html('div', { class: 'chart' }),
    figures: html('dl', { class: 'frame-figures' }),
    workers: html('div', { class: 'workers' }),
    events: html('ol', { class: 'events' }),
    answer: html('p', { class: 'answer', role: 'status' }),
  }
  #state: DashboardState | undefined
  #run = -1
  /** Undefined: the newest. */
  #place: number | undefined
  #shown: WholeFrame | undefined
  #kind: MapKind | 'samples' = 'workers'
  #isRunChosen = false
  #isDue = false
  #hovered: number | undefined
  /** While something is pressed, it is not replaced. */
  #isHeld = false
  readonly #acts: Acts
  isMapShown = true

  constructor(ports: DashboardPorts) {
    this.#ports = ports
    this.#acts = {
      do: (act, on) => ports.act?.(act, on),
      asked: new Set(),
    }
    this.root.addEventListener('pointerdown', ({ target }) => {
      this.#isHeld = target instanceof HTMLButtonElement
    })
    for (const end of ['pointerup', 'pointercancel', 'pointerleave'])
      this.root.addEventListener(end, () => setTimeout(() => this.#release()))
    const { stuck, runs, why, chart, figures, workers, events, answer } = this.#parts
    this.root.append(
      answer,
      stuck,
      runs,
      this.#line.root,
      why,
      chart,
      legend(),
      this.#mapChoice(),
      workers,
      figures,
      ...(ports.live ? [this.#whatIf.root] : []),
      html('details', { class: 'past' }, html('summary', {}, 'What happened'), events),
    )
    workers.addEventListener('pointerover', ({ target }) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-area]') : null
      this.#light(row ? Number(row.dataset.area) : undefined)
    })
    workers.addEventListener('pointerleave', () => this.#light(undefined))
    new ResizeObserver(() => this.#draw()).observe(this.root)
  }

  hear(said: ToDashboard): void {
    switch (said.is) {
      case 'state':
        this.#state = said.state
        if (!this.#isRunChosen) this.#run = shownFirst(said.state.runs)?.run ?? -1
        this.#wantNewest()
        this.#wantGuesses()
        break
      case 'roster':
        this.#of(said.run).rosters.set(said.roster, said)
        break
      case 'line': {
        const { points } = this.#of(said.run)
        for (const [i, point] of said.points.entries()) points.set(said.from + i, point)
        this.#of(said.run).asked = undefined
        break
      }
      case 'what-if': {
        const run = this.#of(said.run)
        run.names = said.names
        run.doubts = said.doubts
        for (const guess of said.guesses) run.guesses.set(guess.place, guess)
        for (const place of run.guesses.keys()) {
          if (run.guesses.size <= MOST_GUESSES) break
          run.guesses.delete(place)
        }
        break
      }
      case 'events':
        this.#of(said.run).events = said.events
        break
      case 'frame': {
        const { frames, points } = this.#of(said.run)
        frames.delete(said.place)
        frames.set(said.place, said.frame)
        points.set(said.place, [said.frame.figures.frameMs, said.frame.shareMs])
        if (frames.size > MOST_FRAMES) frames.delete(frames.keys().next().value!)
        break
      }
      case 'answer':
        this.#parts.answer.textContent = said.text
        this.#parts.answer.classList.toggle('is-error', said.isError)
    }
    this.#draw()
  }

  /** Of a connection that begins anew: the master may be another one. */
  forget(): void {
    this.#runs.clear()
    this.#guessed = undefined
    this.#state = undefined
    this.#place = undefined
    this.#isRunChosen = false
    this.#shown = undefined
    this.map.hide()
  }

  get #isLive(): boolean {
    return this.#ports.act !== undefined
  }

  #of(run: number): Run {
    const known = this.#runs.get(run)
    if (known) return known
    const made: Run = {
      rosters: new Map(),
      points: new Map(),
      frames: new Map(),
      events: [],
      names: [],
      guesses: new Map(),
      doubts: [],
      asked: undefined,
    }
    this.#runs.set(run, made)
    return made
  }

  /** Shows a frame of a run. */
  show(run: number, place: number): void {
    this.#run = run
    this.#isRunChosen = true
    this.#choose(place)
  }

  /** @param wanted undefined: the newest, whichever that is; of a report, which has no newer ones, the last */
  #choose(wanted: number | undefined): void {
    const { to = 0 } = this.#state?.runs.find(({ run }) => run === this.#run) ?? {}
    const place = this.#isLive ? wanted : Math.max(0, Math.min(to - 1, wanted ?? to))
    this.#place = place
    const run = this.#runs.get(this.#run)
    if (place === undefined) this.#wantNewest()
    else if (run && !run.frames.has(place)) this.#ports.want(this.#run, place)
    this.#draw()
  }

  /** The newest frame comes by itself only of the run that is shown first. */
  #wantNewest(): void {
    const { runs } = this.#state ?? { runs: [] }
    const said = runs.find(({ run }) => run === this.#run)
    if (!said || said.to === 0 || this.#place !== undefined || said === shownFirst(runs)) return
    const newest = said.to - 1
    if (!this.#runs.get(said.run)?.frames.has(newest)) this.#ports.want(said.run, newest)
  }

  #wantGuesses(): void {
    const { live } = this.#ports
    const wanted = this.#whatIf.isOpen && this.#run >= 0 ? this.#run : undefined
    if (!live || wanted === this.#guessed) return
    this.#guessed = wanted
    live.wantGuesses(wanted)
  }

  /** Points that the line shows and that never came: frames came faster than they could be said. */
  #wantLine(run: Run, from: number, to: number, chosen: number): void {
    const { first, count } = shownPlaces(from, to, chosen)
    let missing = first
    while (missing < first + count && run.points.has(missing)) missing++
    // The newest are on their way.
    if (missing >= Math.min(first + count, to - 2) || run.asked === missing) return
    run.asked = missing
    this.#ports.live?.wantLine(this.#run, missing)
  }

  #release(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#draw()
  }

  /** Once for each picture of the display, and not while nobody sees it. */
  #draw(): void {
    if (this.#isDue) return
    this.#isDue = true
    requestAnimationFrame(() => {
      this.#isDue = false
      if (this.root.clientWidth > 0 && !this.#isHeld) this.#drawNow()
    })
  }

  #drawNow(): void {
    const state = this.#state
    if (!state) return
    const { stuck, runs, events: list } = this.#parts
    const { mayAct } = state
    const act = this.#acts
    replace(stuck, stuckList(state.stuck, mayAct ? act : undefined))
    const choose = (run: number) => {
      this.#run = run
      this.#isRunChosen = true
      this.#ports.live?.choose(run)
      this.#wantGuesses()
      // Runs of a report have the same frames.
      this.#choose(this.#isLive ? undefined : this.#place)
    }
    replace(runs, runRows(state.runs, this.#run, choose, this.#isLive, mayAct ? act : undefined))
    const run = this.#runs.get(this.#run)
    const said = state.runs.find(each => each.run === this.#run)
    const to = Math.max(said?.to ?? 0, ...(run ? [...run.frames.keys()].slice(-1).map(last => last + 1) : []))
    const from = said?.from ?? 0
    list.parentElement!.hidden = !run || run.events.length === 0
    if (!run || to === 0) return this.#drawNothing(state, act, mayAct)
    const newest = Math.max(...run.frames.keys())
    const place = this.#place === undefined ? newest : Math.max(from, Math.min(to - 1, this.#place))
    this.#line.show(
      {
        from,
        to,
        chosen: Number.isFinite(place) ? place : to - 1,
        numberOf: each => said?.numbers?.[each] ?? each,
        pointAt: each => run.points.get(each),
        events: run.events,
      },
      this.#width,
    )
    this.#wantLine(run, from, to, Number.isFinite(place) ? place : to - 1)
    this.#whatIf.show(
      {
        ...{
          names: run.names,
          guesses: [...run.guesses.values()].sort((a, b) => a.place - b.place),
          doubts: run.doubts,
        },
        chosen: this.#place,
        strategy: said?.strategy ?? '',
        maySwitch: said !== undefined && said.state !== 'ended' && (said.kind === 'viewer' ? state.maySteer : mayAct),
      },
      this.#width,
    )
    list.replaceChildren(
      ...run.events
        .slice(-20)
        .reverse()
        .map(({ before, text }) => html('li', {}, html('span', {}, `before ${before}`), ` ${text}`)),
    )
    const compact = run.frames.get(place)
    if (!compact) return
    const frame = wholeFrame(compact)
    // A view's stills all have the same number.
    this.#drawFrame(said?.kind === 'viewer' ? { ...frame, frame: place } : frame, run, state, act, mayAct)
    // Of others, masters keep none.
    if (this.#isLive && this.#place !== undefined && place < to - 1)
      this.#parts.why.append(' The picture is of the newest frame.')
  }

  #drawNothing(state: DashboardState, act: Acts, mayAct: boolean): void {
    const { why, chart, figures } = this.#parts
    why.textContent = 'No frame yet.'
    // Those of another run.
    for (const part of [chart, figures]) part.replaceChildren()
    this.#shown = undefined
    this.map.hide()
    replace(this.#parts.workers, workerRows(state.workers, undefined, this.#rowPorts([]), mayAct ? act : undefined))
  }

  #drawFrame(frame: WholeFrame, run: Run, state: DashboardState, act: Acts, mayAct: boolean): void {
    this.#shown = frame
    const roster = run.rosters.get(frame.roster)
    const names = roster?.names ?? []
    const ports = this.#rowPorts(names, roster?.places)
    const { why, chart, figures, workers } = this.#parts
    const { text, area } = whySlow(frame, ports.nameOf)
    why.textContent = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
    chart.replaceChildren(gantt(frame, this.#width, ports))
    if (this.isMapShown && this.#kind === 'samples') showSamples(this.map.root, frame)
    else if (this.isMapShown && this.#kind !== 'samples') this.map.show(frame, this.#kind, ports)
    else this.map.hide()
    const known = this.#isLive ? state.workers : undefined
    replace(workers, workerRows(known, { frame, names, last: area }, ports, mayAct ? act : undefined))
    figures.replaceChildren(
      ...figuresOf(frame).map(([name, value]) => html('div', {}, html('dt', {}, name), html('dd', {}, value))),
    )
    this.#ports.shown?.(frame)
    this.#light(this.#hovered)
  }

  #rowPorts(names: readonly string[], places?: readonly number[]): GanttPorts {
    return {
      nameOf: area => names[area] ?? `area ${area}`,
      colorOf: area => workerColor(places?.[area] ?? area),
      hover: area => this.#light(area),
    }
  }

  /** Whoever is pointed at, everywhere. */
  #light(area: number | undefined): void {
    this.#hovered = area
    for (const place of [this.root, this.map.root]) {
      place.classList.toggle('has-lit', area !== undefined)
      for (const each of place.querySelectorAll('.is-lit')) each.classList.remove('is-lit')
      if (area !== undefined)
        for (const each of place.querySelectorAll(`[data-area="${area}"]`)) each.classList.add('is-lit')
    }
  }

  /** A place on the picture is pointed at, in shares of its width and height; undefined: none. */
  pointAt(place: readonly [x: number, y: number] | undefined): void {
    const frame = this.#shown
    if (!place || !frame) return this.#light(undefined)
    const [x, y] = [place[0] * frame.size[0], place[1] * frame.size[1]]
    const area = frame.areas.find(({ tiles }) =>
      tiles.some(({ rect }) => x >= rect.x && x < rect.x + rect.w && y >= rect.y && y < rect.y + rect.h),
    )
    this.#light(area?.area)
  }

  get #width(): number {
    const style = getComputedStyle(this.root)
    return Math.max(
      120,
      this.root.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight),
    )
  }

  #mapChoice(): HTMLElement {
    const choice = html(
      'select',
      { 'aria-label': 'What the map shows' },
      ...MAP_KINDS.map(kind => html('option', { value: kind }, MAP_WORDS[kind])),
      html('option', { value: 'samples' }, 'samples, of adaptive frames'),
    )
    choice.addEventListener('change', () => {
      this.#kind = choice.value as MapKind | 'samples'
      this.#draw()
    })
    return html('label', { class: 'map-choice' }, 'Map: ', choice)
  }
}

/** Replaces what has changed: a button that has the focus keeps it otherwise. */
function replace(place: HTMLElement, made: readonly HTMLElement[]): void {
  const text = made.map(each => each.outerHTML).join('')
  if (place.dataset.made === text) return
  const focused =
    document.activeElement instanceof HTMLElement && place.contains(document.activeElement)
      ? document.activeElement.dataset.key
      : undefined
  place.dataset.made = text
  place.replaceChildren(...made)
  if (focused !== undefined)
    for (const each of place.querySelectorAll<HTMLElement>('[data-key]')) if (each.dataset.key === focused) each.focus()
}

function legend(): HTMLElement {
  const entries = PHASE_ORDER.map(kind => {
    const mark = html('i', { class: kind })
    // Idle as the style sheet has it, light or dark.
    if (kind !== 'idle') mark.style.background = PHASE_COLORS[kind]
    return html('li', {}, mark, kind)
  })
  return html('ul', { class: 'legend', 'aria-label': 'Colours' }, ...entries)
}

function figuresOf(frame: WholeFrame): (readonly [string, string])[] {
  const { figures: f, strategy, size, shareMs, clock } = frame
  const byCpu = (text: string) => (clock === 'wall' ? '–' : text)
  const samples = samplesText(frame)
  return [
    ['frame', ms(f.frameMs)],
    ['T', byCpu(ms(f.criticalMs))],
    ['T_min', byCpu(ms(f.meanMs))],
    ['ε, CPU clock', clock === 'wall' ? '– (not all areas have one)' : percent(f.epsilonCpu)],
    ['ε, wall clock', percent(f.epsilonWall)],
    ['T_min, wall clock', ms(shareMs)],
    ['prediction off by', f.predictionError === undefined ? '–' : percent(f.predictionError)],
    ['strategy', strategy],
    ['size', size.join(' × ')],
    ...(samples === undefined ? [] : [['samples of a pixel', samples] as const]),
    ['tiles', `${f.tileCount}`],
    ['stolen', `${f.stolen}`],
    ['rescued', `${f.rescued}`],
    ['messages', `${f.messages}`],
    ['traffic', `${(f.bytes / 1000).toFixed(0)} kB`],
    ['changed owner', percent(f.migrationShare)],
  ]
}
