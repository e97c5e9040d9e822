/** The page: a view of a scene that the whole cluster traces. Wires its parts together. */
import {
  PAGE_VERSION,
  type PageProgress,
  type PageView,
  type PictureFacts,
} from '../../../shared/page/page-messages.ts'
import type { ArrivedPicture } from '../../../shared/page/page-pictures.ts'
import { frameState, viewState } from '../../../shared/page/picture-words.ts'
import { qrCode } from '../../../shared/page/qr-code.ts'
import { type AddressedView, fromAddress, toAddress } from '../../../shared/page/view-words.ts'
import { Connection } from './connection.ts'
import { mountDashboard } from './dashboard/mount.ts'
import { Figures } from './figures.ts'
import { Hands } from './hands.ts'
import { takeTicket } from './link-ticket.ts'
import { Screen } from './screen.ts'
import { CameraPanel } from './tools/camera-panel.ts'
import { button, element } from './tools/elements.ts'
import { Fly } from './tools/fly.ts'
import { LightPanel } from './tools/light-panel.ts'
import { OpenFile } from './tools/open-file.ts'
import { People } from './tools/people.ts'
import { PickCard } from './tools/pick-card.ts'

const stage = element('stage')
stage.tabIndex = 0
const figures = new Figures(element('figures').querySelector('tbody')!)
const screen = new Screen(element('picture'), element('warp'), element('tiles'), drawn)
const hands = new Hands(stage, () => requestLook())
const connection = new Connection({ said, picture, waiting, dead })
const light = new LightPanel(() => requestLook())
const fly = new Fly(stage, element('fly-pad'), hands)
const camera = new CameraPanel({
  view: () => ({ viewpoint: hands.viewpoint, hand: light.hand }),
  size: () => now.newest?.fullSize ?? [1, 1],
  go: goTo,
  want: format => connection.send({ type: 'want-file', format }),
})
const openFile = new OpenFile({
  refusal: () => {
    if (!now.view) return 'This page shows no scene of its own that a file could take the place of'
    if (!connection.isOpen) return 'There is no connection at the moment: open the file again later'
    return now.view.noSceneFiles
  },
  send: message => connection.send(message),
  sendPiece: bytes => connection.sendPiece(bytes),
})
const people = new People({
  take: () => connection.send({ type: 'take-over' }),
  want: maySteer => connection.send({ type: 'want-link', maySteer }),
  drives,
})
const card = new PickCard(stage, {
  ask: (x, y) => connection.send({ type: 'pick', x, y }),
  pixelAt: (x, y) => (isNewest() ? pixelAt(x, y) : undefined),
  pivot: point => people.drives && hands.pivot(point),
})
const dashboard = mountDashboard(document.querySelector('main')!, stage, document.querySelector('nav')!, ask =>
  connection.send({ type: 'dashboard', ask }),
)

/** How long a picture of a view that moves may take, from smooth to sharp, ms. */
const PACES = [12, 20, 34, 50, 75, 120, 200]
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
  /** Number of the view of another page that is shown. */
  followed: 0,
  bytes: new Map<number, number>(),
  marks: 0,
}

/** Asks for the view as it is, once for each picture of the display at most. */
function requestLook(): void {
  if (!now.view || now.isAsked || !people.drives) return
  now.isAsked = true
  const askedAt = performance.now()
  requestAnimationFrame(() => {
    now.isAsked = false
    card.hide()
    openFile.settle()
    const { clientWidth, clientHeight } = stage
    const ratio = devicePixelRatio
    const size = [pixels(clientWidth * ratio), pixels(clientHeight * ratio)] as const
    const seq = ++now.seq
    now.progress = undefined
    figures.asked(seq)
    const { viewpoint } = hands
    const frameMs = PACES[Number(pace.value)]!
    const hand = Object.keys(light.hand).length > 0 ? { hand: light.hand } : {}
    connection.send({ type: 'look', seq, viewpoint, size, tiles: now.tiles, frameMs, ...hand })
    camera.show(false)
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
    case 'picked':
      return card.show(message)
    case 'file':
      return camera.save(message.address, message.name)
    case 'no-file':
      return camera.noFile(message.why)
    case 'file-taken':
      return openFile.taken(message.bytes)
    case 'no-scene':
      return openFile.refused(message.why)
    case 'link':
      return people.showLink(message.ticket)
    case 'room':
      return people.hear(message)
  }
}

function begin(view: PageView): void {
  const isFirst = now.view === undefined
  const isOther = !isFirst && now.view?.scene !== view.scene
  now.view = view
  button('open-file').hidden = view.noSceneFiles !== undefined
  document.documentElement.dataset.scene = `${view.scene}`
  element('name').textContent = `${view.sceneName} · ${view.triangles.toLocaleString('en')} triangles`
  document.title = `${view.sceneName} · sortfirst`
  notice('')
  button('join').hidden = !view.rights.includes('operate')
  light.begin(view.light)
  camera.begin(view.sceneName, view.files)
  people.begin(view.rights)
  if (isOther) forget()
  openFile.begun(isOther)
  if (isFirst || isOther) {
    const plain = { viewpoint: view.viewpoint, hand: {} }
    const { viewpoint, hand } = (isFirst && fromAddress(location.hash)) || plain
    light.set(hand)
    hands.begin(viewpoint, view)
  }
  // A connection that was lost goes on with the view that it had.
  dashboard.connected()
  requestLook()
  stage.focus({ preventScroll: true })
}

/** What was of another scene: pictures of it may still come, and are older than any of this one. */
function forget(): void {
  now.seq++
  now.newest = undefined
  now.progress = undefined
  screen.forget()
  card.hide()
  camera.show(false)
  history.replaceState(null, '', location.href.split('#')[0])
  document.documentElement.dataset.stage = 'moving'
  element('state').textContent = 'another scene'
  element('exact').classList.add('is-empty')
}

/** What others render: there is a dashboard, and no view to turn. */
function beginFilms(rights: PageView['rights']): void {
  element('name').textContent = 'What this master renders'
  for (const each of document.querySelectorAll<HTMLElement>('nav > .of-view')) each.hidden = true
  button('join').hidden = !rights.includes('operate')
  stage.removeAttribute('aria-describedby')
  stage.ariaLabel = 'The newest frame'
  stage.tabIndex = -1
  element('state').textContent = 'watching'
  notice('')
  dashboard.connected()
  if (element('dashboard').hidden) dashboard.toggle()
}

/** This page moves the view from now on, or another one does. */
function drives(isDriving: boolean): void {
  hands.mayOrbit = isDriving && !fly.isOn
  element('light-panel').inert = !isDriving
  document.documentElement.classList.toggle('is-watching', !isDriving)
  if (isDriving) return requestLook()
  if (fly.isOn) actions.g!()
  showState()
}

/** Another page's picture, as a view of this one. */
function follow({ facts, ...rest }: ArrivedPicture): ArrivedPicture {
  const { followed, ...others } = facts
  if (!followed) return { facts, ...rest }
  if (facts.seq !== now.followed) now.seq++
  now.followed = facts.seq
  hands.show(followed.viewpoint)
  light.set(followed.hand)
  screen.look(now.seq, followed.viewpoint)
  return { facts: { ...others, seq: now.seq }, ...rest }
}

function picture(came: ArrivedPicture): void {
  const arrived = follow(came)
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
  if (facts.stage === 'finished') now.progress = undefined
  notice('')
  showState()
  if (!element('figures').hidden) figures.show(facts)
}

function showState(): void {
  const { newest, progress } = now
  if (!newest) return
  const isFinished = newest.stage === 'finished' && newest.seq === now.seq
  document.documentElement.dataset.stage = newest.seq === now.seq ? newest.stage : 'moving'
  element('state').textContent = !now.view
    ? frameState(newest)
    : newest.seq < now.seq && newest.stage !== 'moving'
      ? 'moving'
      : viewState(newest, progress)
  element('exact').classList.toggle('is-empty', !isFinished)
  if (!isFinished) return
  element('command').textContent = newest.command ?? ''
  button('copy').hidden = newest.command === undefined
  element('hash').textContent = newest.sha256 ?? ''
  element('hash').title = newest.sha256 ?? ''
  element('command').title = newest.command ?? ''
  camera.show(true)
  if (now.view) history.replaceState(null, '', `#${toAddress({ viewpoint: hands.viewpoint, hand: light.hand })}`)
}

const VIEW_ELSEWHERE = 'start sortfirst master --listen …, and show the view there, by sortfirst view --master …'

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
  element('join-remedy').textContent = now.view ? VIEW_ELSEWHERE : 'start the master with --listen'
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

function goTo({ viewpoint, hand }: AddressedView): void {
  if (!people.drives) return
  light.set(hand)
  hands.go(viewpoint)
}

/** Whether the picture that is there is of the view as it is. */
const isNewest = (): boolean => now.newest !== undefined && now.newest.seq === now.seq

/** The pixel of the full size that is seen at a place of the window. */
function pixelAt(clientX: number, clientY: number): readonly [number, number] | undefined {
  const { left, top, width, height } = stage.getBoundingClientRect()
  const [x, y] = withinPicture((clientX - left) / width, (clientY - top) / height, width / height)
  const [w, h] = now.newest?.fullSize ?? [0, 0]
  const pixel = [Math.floor(((x + 1) / 2) * w), Math.floor(((1 - y) / 2) * h)] as const
  return pixel[0] >= 0 && pixel[0] < w && pixel[1] >= 0 && pixel[1] < h ? pixel : undefined
}

/** Panels that are open; where there is little room, one at a time. */
const PANELS = { i: 'figures', v: 'camera-panel', l: 'light-panel', o: 'people-panel', j: 'join-panel' } as const
const BUTTONS = {
  i: 'show-figures',
  v: 'show-camera',
  l: 'show-light',
  o: 'show-people',
  j: 'join',
} as const satisfies Record<keyof typeof PANELS, string>

/** @returns whether it is open now */
function togglePanel(key: keyof typeof PANELS): boolean {
  const isOpen = toggle(BUTTONS[key])
  if (isOpen && innerWidth <= 600)
    for (const other of Object.keys(PANELS) as (keyof typeof PANELS)[])
      if (other !== key) {
        button(BUTTONS[other]).ariaPressed = 'false'
        element(PANELS[other]).hidden = true
      }
  element(PANELS[key]).hidden = !isOpen
  return isOpen
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

const actions: Readonly<Record<string, () => unknown>> = {
  f: () => people.drives && hands.frameAll(),
  z: () => people.drives && hands.undo(),
  t: () => {
    now.tiles = toggle('show-tiles')
    if (!screen.showTiles(now.tiles) && now.tiles) requestLook()
  },
  i: () => {
    togglePanel('i')
    if (now.newest) figures.show(now.newest)
  },
  j: () => {
    // Without a connection there is nobody to make a link.
    if (button('join').hidden || (!connection.isOpen && button('join').ariaPressed !== 'true')) return
    const isOpen = togglePanel('j')
    // It is there when the link is.
    element('join-panel').hidden = true
    if (isOpen) connection.send({ type: 'want-join' })
  },
  v: () => {
    togglePanel('v')
    camera.show(isNewest() && now.newest?.stage === 'finished')
  },
  l: () => void togglePanel('l'),
  o: () => {
    togglePanel('o')
    element('link-place').hidden = true
  },
  g: () => {
    if (!fly.isOn && !people.drives) return
    fly.set(toggle('fly'), now.view?.radius)
  },
  p: () => card.pickCentre(),
  u: () => openFile.choose(),
  b: () => camera.keep(),
  r: () => camera.record(),
  ',': () => people.drives && light.step(-1),
  '.': () => people.drives && light.step(1),
  escape: () => {
    if (!card.hide() && fly.isOn) actions.g!()
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
  ['fly', 'g'],
  ['show-camera', 'v'],
  ['show-light', 'l'],
  ['show-people', 'o'],
  ['show-keys', '?'],
  ['copy', 'c'],
] as const)
  button(id).addEventListener('click', () => actions[key]!())

addEventListener('keydown', event => {
  const { key, code, shiftKey, altKey, ctrlKey, metaKey, target } = event
  const isUndo = (ctrlKey || metaKey) && key.toLowerCase() === 'z'
  if (altKey || ((ctrlKey || metaKey) && !isUndo)) return
  // What is typed is meant for where it is typed.
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return
  if (target instanceof HTMLInputElement && target.type === 'number') return
  if (fly.key(event)) return event.preventDefault()
  const digit = /^Digit([1-9])$/.exec(code)?.[1]
  const act = actions[key.toLowerCase()]
  if (digit) shiftKey ? camera.keep(Number(digit)) : camera.goTo(Number(digit))
  else if (act) act()
  else if (!isForView(target) || !people.drives || !hands.key(event)) return
  event.preventDefault()
})
addEventListener('keyup', event => void fly.key(event))
/** Keys of arrows belong to sliders and buttons that have the focus. */
const isForView = (target: EventTarget | null): boolean =>
  !(target instanceof HTMLButtonElement || target instanceof HTMLInputElement)
// Somebody has changed the address, or has gone back to another one.
addEventListener('hashchange', () => {
  const view = fromAddress(location.hash)
  if (view && now.view) goTo(view)
})
stage.addEventListener('dblclick', ({ clientX, clientY }) => {
  const { left, top, width, height } = stage.getBoundingClientRect()
  const point = screen.pointAt(...withinPicture((clientX - left) / width, (clientY - top) / height, width / height))
  card.hide()
  if (point && people.drives) hands.pivot(point)
})
new ResizeObserver(() => requestLook()).observe(stage)
document.addEventListener('visibilitychange', () =>
  connection.send({ type: 'shown', isShown: document.visibilityState === 'visible' }),
)

if (typeof WebSocket === 'undefined' || typeof createImageBitmap === 'undefined')
  dead('This browser is too old for the page: it has no WebSocket, or cannot decode pictures.')
else void connection.open(takeTicket())
