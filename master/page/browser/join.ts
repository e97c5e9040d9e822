/** The page of a tab that traces: what it does, how many cores it takes, and how it ends. Everything else does the thread that it starts. */
import {
  type CardState,
  HIDDEN_SHARE,
  type TabPhase,
  type TabState,
  type ToTab,
} from '../../../shared/page/tab-messages.ts'
import { takeTicket } from './link-ticket.ts'

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T
const show = (id: string, text: string): void => {
  element(id).textContent = text
}

/** More threads are of little use, and take memory. */
const MOST_CORES = 64
const cores = Math.max(1, Math.min(MOST_CORES, navigator.hardwareConcurrency || 1))
const slider = element<HTMLInputElement>('cores')
const pause = element<HTMLButtonElement>('pause')
const leave = element<HTMLButtonElement>('leave')
const card = element<HTMLInputElement>('card')
/** A part of its name, by which software is taken, too: `join?card=swiftshader`. */
const wantedCard = new URLSearchParams(location.search).get('card')
const name = `tab-${[...crypto.getRandomValues(new Uint8Array(3))].map(byte => byte.toString(16).padStart(2, '0')).join('')}`

slider.max = `${cores}`
// One is left for who works at the machine.
slider.value = `${Math.max(1, cores - 1)}`

const isHidden = () => document.visibilityState === 'hidden'
let newest: TabState | undefined

const WORDS: Readonly<Record<TabPhase, string>> = {
  connecting: 'Connecting',
  waiting: 'Joined; waiting for work',
  building: 'Getting a scene ready',
  tracing: 'Tracing',
  paused: 'Paused: it takes nothing',
  over: 'Over',
}

function begin(): void {
  const ticket = takeTicket()
  const thread = new Worker(addressOf('tab.js'), { type: 'module', name: 'sortfirst' })
  const tell = (said: ToTab) => thread.postMessage(said)
  thread.onmessage = ({ data }: MessageEvent<TabState>) => said(data)
  thread.onerror = ({ message }) => ended(`this browser cannot trace: ${message || 'it does not run module workers'}`)
  tell({ type: 'start', name, threads: slider.valueAsNumber, urls: urls(), ticket })
  slider.addEventListener('input', showCores)
  slider.addEventListener('change', () => {
    showCores()
    tell({ type: 'threads', threads: slider.valueAsNumber })
  })
  pause.addEventListener('click', () => {
    const isPaused = pause.ariaPressed !== 'true'
    pause.ariaPressed = `${isPaused}`
    pause.textContent = isPaused ? 'Go on' : 'Pause'
    tell({ type: 'paused', isPaused })
  })
  card.addEventListener('change', () => {
    tell({ type: 'card', isUsed: card.checked, ...(wantedCard === null ? {} : { wanted: wantedCard }) })
  })
  leave.addEventListener('click', () => tell({ type: 'leave' }))
  const hidden = () => {
    tell({ type: 'hidden', isHidden: isHidden() })
    if (newest) said(newest)
  }
  document.addEventListener('visibilitychange', hidden)
  if (isHidden()) hidden()
  // It has a moment to give back what it has.
  addEventListener('pagehide', () => tell({ type: 'leave' }))
  show('name', name)
  showCores()
}

const addressOf = (path: string): string => new URL(path, location.origin + location.pathname).href

function urls(): Extract<ToTab, { type: 'start' }>['urls'] {
  const socket = new URL(addressOf('work'))
  socket.protocol = socket.protocol === 'https:' ? 'wss:' : 'ws:'
  return {
    socket: socket.href,
    access: addressOf('work-access'),
    kernel: addressOf('kernel.wasm'),
    thread: addressOf('tab.js'),
  }
}

function showCores(): void {
  show('cores-shown', `${slider.value} of ${cores}`)
}

function said(state: TabState): void {
  newest = state
  const { phase, text, frame, tiles, pixels, tracedMs, isShared, threads } = state
  showCard(state.card)
  if (phase === 'over') return ended(text)
  const slow = phase === 'tracing' && isHidden() ? `, at ${100 * HIDDEN_SHARE} % while the tab is hidden` : ''
  show('state', `${WORDS[phase]}${slow}`)
  document.title = `${WORDS[phase]}${slow} · sortfirst`
  document.documentElement.dataset.phase = phase
  notice(text)
  if (frame !== undefined) show('frame', `${frame}`)
  show('tiles', tiles.toLocaleString('en'))
  show('pixels', pixels.toLocaleString('en'))
  show('time', `${(tracedMs / 1000).toFixed(1)} s`)
  show(
    'memory',
    isShared || threads === 1
      ? 'one copy in memory'
      : `${threads} copies in memory, one for each core: the page has no https`,
  )
}

function showCard(state: TabState['card']): void {
  document.documentElement.dataset.card = state?.state ?? 'none'
  // One that is refused may be tried again.
  card.checked = state !== undefined && state.state !== 'refused'
  show('card-shown', state === undefined ? '' : cardWords(state))
}

function cardWords(state: CardState): string {
  if (state.state === 'tried') return 'is tried'
  return state.state === 'used' ? `traces: ${state.name}` : `is not used: ${state.reason}`
}

function ended(why: string): void {
  document.documentElement.dataset.phase = 'over'
  show('state', why === '' ? 'It has left. Reload the page to join again.' : 'It has ended.')
  document.title = 'Over · sortfirst'
  notice(why)
  for (const each of [slider, card]) each.disabled = true
  for (const each of [pause, leave]) each.hidden = true
}

function notice(text: string): void {
  const place = element('notice')
  place.textContent = text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  place.hidden = text === ''
}

begin()
