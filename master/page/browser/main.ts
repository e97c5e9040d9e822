/** The page: a view of a scene that the whole cluster traces. Wires its parts together. */
import type { FullViewpoint } from '../../../shared/frame/viewpoint.ts'
import {
  PAGE_VERSION,
  type PageProgress,
  type PageView,
  type PictureFacts,
} from '../../../shared/page/page-messages.ts'
import type { ArrivedPicture } from '../../../shared/page/page-pictures.ts'
import { qrCode } from '../../../shared/page/qr-code.ts'
import { Connection } from './connection.ts'
import { mountDashboard } from './dashboard/mount.ts'
import { Figures } from './figures.ts'
import { Hands } from './hands.ts'
import { takeTicket } from './link-ticket.ts'
import { Screen } from './screen.ts'

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T
const button = (id: string): HTMLButtonElement => element(id)

const stage = element('stage')
stage.tabIndex = 0
const figures = new Figures(element('figures').querySelector('tbody')!)
const screen = new Screen(element('picture'), element('warp'), element('tiles'), drawn)
const hands = new Hands(stage, () => requestLook())
const connection = new Connection({ said, picture, waiting, dead })
const dashboard = mountDashboard(document.querySelector('main')!, stage, document.querySelector('nav')!, ask =>
  connection.send({ type: 'dashboard', ask }),
)

/** How long a picture of a view that moves may take, from smooth to sharp, ms. */
const PACES = [10, 17, 27, 42, 66, 110, 200]
const pace = element('pace').querySelector('input')!

/** Marks of pictures, which tools read. */
const MOST_MARKS = 2000

const now = {
  view: undefined as PageView | undefined,
  seq: 0,
  isAsked: false,
  tiles: false,
  newest: undefined as PictureFacts | undefined,
  progress: undefined as PageProgress | undefined,
  bytes: new Map<number, number>(),
  marks: 0,
}

/** Asks for the view as it is, once for each picture of the display at most. */
function requestLook(): void {
  if (!now.view || now.isAsked) return
  now.isAsked = true
  const askedAt = performance.now()
  requestAnimationFrame(() => {
    now.isAsked = false
    const { clientWidth, clientHeight } = stage
    const ratio = devicePixelRatio
    const size = [pixels(clientWidth * ratio), pixels(clientHeight * ratio)] as const
    const seq = ++now.seq
    now.progress = undefined
    figures.asked(seq)
    const { viewpoint } = hands
    connection.send({ type: 'look', seq, viewpoint, size, tiles: now.tiles, frameMs: PACES[Number(pace.value)]! })
    // What is there is not what was asked for any more.
    showState()
    if (screen.look(seq, viewpoint)) mark('warp', { seq, latencyMs: performance.now() - askedAt })
    button('undo').disabled = !hands.canUndo
  })
}

const pixels = (length: number): number => Math.max(1, Math.min(16384, Math.round(length)))

function said(message: Parameters<ConstructorParameters<typeof Connection>[0]['said']>[0]): void {
  switch (message.type) {
    case 'view':
      if (message.version !== PAGE_VERSION) return location.reload()
      return begin(message)
    case 'films':
      if (message.version !== PAGE_VERSION) return location.reload()
      return beginFilms(message.rights)
    case 'status':
      return notice(
        message.text === '' ? '' : `${message.text}${message.isError ? '; move the view to try again' : ''}`,
      )
    case 'progress':
      now.progress = message
      return showState()
    case 'dashboard':
      return dashboard.hear(message.said)
    case 'alive':
      return
    case 'join':
      return showJoin(message.ticket)
  }
}

function begin(view: PageView): void {
  const isFirst = now.view === undefined
  now.view = view
  element('name').textContent = `${view.sceneName} · ${view.triangles.toLocaleString('en')} triangles`
  document.title = `${view.sceneName} · sortfirst`
  notice('')
  button('join').hidden = !view.rights.includes('operate')
  if (isFirst) hands.begin(fromAddress() ?? view.viewpoint, view)
  // A connection that was lost goes on with the view that it had.
  dashboard.connected()
  requestLook()
  stage.focus({ preventScroll: true })
}

/** What others render: there is a dashboard, and no view to turn. */
function beginFilms(rights: PageView['rights']): void {
  element('name').textContent = 'What this master renders'
  for (const id of ['frame-all', 'undo', 'show-tiles', 'show-figures', 'show-keys']) button(id).hidden = true
  element('pace').hidden = true
  button('join').hidden = !rights.includes('operate')
  stage.removeAttribute('aria-describedby')
  stage.ariaLabel = 'The newest frame'
  stage.tabIndex = -1
  element('state').textContent = 'watching'
  notice('')
  dashboard.connected()
  if (element('dashboard').hidden) dashboard.toggle()
}

function picture(arrived: ArrivedPicture): void {
  now.bytes.set(arrived.facts.picture, arrived.file.length + arrived.depths.length)
  screen.show(arrived)
}

function mark(name: 'picture' | 'warp', detail: object): void {
  if (now.marks++ % MOST_MARKS === 0) for (const each of ['picture', 'warp']) performance.clearMarks(each)
  performance.mark(name, { detail })
}

function drawn(facts: PictureFacts): void {
  connection.send({ type: 'drawn', picture: facts.picture })
  const latencyMs = figures.saw(facts, now.bytes.get(facts.picture) ?? 0)
  for (const number of now.bytes.keys()) if (number <= facts.picture) now.bytes.delete(number)
  mark('picture', { seq: facts.seq, stage: facts.stage, latencyMs, size: facts.size })
  now.newest = facts
  notice('')
  showState()
  if (!element('figures').hidden) figures.show(facts)
}

function showState(): void {
  const { newest, progress } = now
  if (!newest) return
  const isFinished = newest.stage === 'finished' && newest.seq === now.seq
  document.documentElement.dataset.stage = newest.seq === now.seq ? newest.stage : 'moving'
  element('state').textContent =
    newest.seq < now.seq && newest.stage !== 'moving' ? 'moving' : stateOf(newest, progress)
  element('exact').classList.toggle('is-empty', !isFinished)
  if (!isFinished) return
  element('command').textContent = newest.command ?? ''
  button('copy').hidden = newest.command === undefined
  element('hash').textContent = newest.sha256 ?? ''
  element('hash').title = newest.sha256 ?? ''
  element('command').title = newest.command ?? ''
  if (now.view) history.replaceState(null, '', `#${toAddress(hands.viewpoint)}`)
}

function stateOf({ stage, size, fullSize, samples, mostSamples }: PictureFacts, progress?: PageProgress): string {
  const whole = fullSize.join('×')
  if (stage === 'finished') return `finished, ${whole}, ${samples} ${samples === 1 ? 'sample' : 'samples'}`
  if (stage === 'moving' && !progress) return `moving, ${size.join('×')} of ${whole}`
  const seconds = progress?.leftMs === undefined ? '' : `, ${Math.max(1, Math.round(progress.leftMs / 1000))} s to go`
  return `${stage === 'moving' ? 0 : samples} of ${mostSamples} samples${seconds}`
}

/** A link for somebody else's browser, or another tab of this one. */
function showJoin(ticket: string): void {
  const link = new URL('join', location.href)
  link.hash = ticket
  const place = element<HTMLAnchorElement>('join-link')
  place.href = link.href
  place.textContent = link.href
  element('join-panel').hidden = false
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)
  element('join-local').hidden = !isLocal
  // A camera belongs to another machine.
  const code = isLocal ? undefined : qrCode(link.href)
  const shown = element('join-code')
  shown.toggleAttribute('hidden', code === undefined)
  shown.setAttribute('viewBox', `0 0 ${code?.size ?? 1} ${code?.size ?? 1}`)
  shown.querySelector('path')!.setAttribute('d', code?.path ?? '')
}

function waiting(why: string): void {
  notice(`${why.charAt(0).toUpperCase()}${why.slice(1)} …`)
}

function dead(why: string): void {
  document.documentElement.dataset.stage = 'dead'
  element('state').textContent = 'not connected'
  notice(why)
}

function notice(text: string): void {
  const place = element('notice')
  place.textContent = text
  place.hidden = text === ''
}

const toAddress = ({ eye, target, up, fov }: FullViewpoint): string =>
  `view=${[...eye, ...target, ...up, fov].join(',')}`

/** The view that the page's address holds. */
function fromAddress(): FullViewpoint | undefined {
  const numbers = /^#view=(.+)$/.exec(location.hash)?.[1]?.split(',').map(Number)
  if (numbers?.length !== 10 || !numbers.every(Number.isFinite)) return undefined
  const vector = (at: number) => numbers.slice(at, at + 3) as [number, number, number]
  return { eye: vector(0), target: vector(3), up: vector(6), fov: numbers[9]! }
}

/** A place of the stage, from 0 to 1, in the picture, from -1 to 1, y up: that is centred there, and has its own proportions. */
function withinPicture(x: number, y: number, aspect: number): [x: number, y: number] {
  const [w, h] = now.newest?.fullSize ?? [1, 1]
  const wider = aspect / (w / h)
  return [(2 * x - 1) * Math.max(1, wider), (1 - 2 * y) * Math.max(1, 1 / wider)]
}

function toggle(id: string): boolean {
  const each = button(id)
  const isOn = each.ariaPressed !== 'true'
  each.ariaPressed = `${isOn}`
  return isOn
}

const actions: Readonly<Record<string, () => void>> = {
  f: () => hands.frameAll(),
  z: () => hands.undo(),
  t: () => {
    now.tiles = toggle('show-tiles')
    requestLook()
  },
  i: () => {
    element('figures').hidden = !toggle('show-figures')
    if (now.newest) figures.show(now.newest)
  },
  j: () => {
    if (button('join').hidden) return
    if (toggle('join')) connection.send({ type: 'want-join' })
    else element('join-panel').hidden = true
  },
  d: () => dashboard.toggle(),
  '?': () => {
    element('keys').hidden = !toggle('show-keys')
  },
  c: () => {
    const command = element('command').textContent
    if (command) void navigator.clipboard?.writeText(command).catch(() => {})
  },
}

for (const [id, key] of [
  ['frame-all', 'f'],
  ['undo', 'z'],
  ['show-tiles', 't'],
  ['show-figures', 'i'],
  ['join', 'j'],
  ['show-keys', '?'],
  ['copy', 'c'],
] as const)
  button(id).addEventListener('click', () => actions[key]!())

addEventListener('keydown', event => {
  const { key, altKey, ctrlKey, metaKey, target } = event
  const isUndo = (ctrlKey || metaKey) && key.toLowerCase() === 'z'
  if (altKey || ((ctrlKey || metaKey) && !isUndo)) return
  const act = actions[key.toLowerCase()]
  if (act) act()
  else if (target instanceof HTMLButtonElement || target instanceof HTMLInputElement || !hands.key(event)) return
  event.preventDefault()
})
stage.addEventListener('dblclick', ({ clientX, clientY }) => {
  const { left, top, width, height } = stage.getBoundingClientRect()
  const point = screen.pointAt(...withinPicture((clientX - left) / width, (clientY - top) / height, width / height))
  if (point) hands.pivot(point)
})
new ResizeObserver(() => requestLook()).observe(stage)
document.addEventListener('visibilitychange', () =>
  connection.send({ type: 'shown', isShown: document.visibilityState === 'visible' }),
)

if (typeof WebSocket === 'undefined' || typeof createImageBitmap === 'undefined')
  dead('This browser is too old for the page: it has no WebSocket, or cannot decode pictures.')
else void connection.open(takeTicket())
