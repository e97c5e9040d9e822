/** The camera in words: to be copied, kept, recorded, and gone back to; and the finished picture as a file. */
import { Bookmarks } from '../../../../shared/page/bookmarks.ts'
import type { PictureFormat } from '../../../../shared/page/from-page.ts'
import {
  type AddressedView,
  cameraJson,
  camerasJson,
  cameraWords,
  handWords,
  threeCode,
} from '../../../../shared/page/view-words.ts'
import { html } from '../dashboard/elements.ts'
import { button, copyText, element, saveFrom, saveText } from './elements.ts'

interface PanelPorts {
  view(): AddressedView
  /** Of a picture that stands still, px. */
  size(): readonly [number, number]
  go(view: AddressedView): void
  want(format: PictureFormat): void
}

/** A path has as many cameras a second as a film of it, and is not longer than this: ten minutes. */
const PATH_FPS = 24
const MOST_CAMERAS = 14_400

const WORDS = { line: 'camera-line', json: 'camera-json', three: 'camera-three' } as const

export class CameraPanel {
  readonly #ports: PanelPorts
  #bookmarks = new Bookmarks('', () => localStorage)
  #scene = ''
  #path: AddressedView[] | undefined
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(ports: PanelPorts) {
    this.#ports = ports
    for (const [id, from] of [
      ['copy-line', WORDS.line],
      ['copy-json', WORDS.json],
      ['copy-three', WORDS.three],
    ] as const)
      button(id).addEventListener('click', () => void copyText(element(from)))
    button('keep').addEventListener('click', () => this.keep())
    button('record').addEventListener('click', () => this.record())
    for (const format of ['png', 'exr'] as const)
      button(`save-${format}`).addEventListener('click', () => {
        this.#busy('it is being made …')
        ports.want(format)
      })
  }

  begin(scene: string, files: readonly PictureFormat[]): void {
    // A path of another scene is complete.
    if (this.#path && scene !== this.#scene) this.record()
    this.#scene = scene
    this.#bookmarks = new Bookmarks(scene, () => localStorage)
    element('files').hidden = files.length === 0
    this.#showBookmarks()
  }

  /** The view is another one, or its picture is finished. */
  show(isFinished: boolean): void {
    for (const format of ['png', 'exr'] as const) button(`save-${format}`).disabled = !isFinished
    if (element('camera-panel').hidden) return
    const { viewpoint, hand } = this.#ports.view()
    element<HTMLTextAreaElement>(WORDS.line).value = [cameraWords(viewpoint), ...handWords(hand)].join(' ')
    element<HTMLTextAreaElement>(WORDS.json).value = cameraJson(viewpoint)
    element<HTMLTextAreaElement>(WORDS.three).value = threeCode(viewpoint, this.#ports.size())
  }

  /** Keeps the view under this number, or the lowest that is free. */
  keep(number = this.#bookmarks.free): void {
    if (number === undefined) return this.#say('all nine are taken: Shift and a digit replaces one')
    this.#bookmarks.set(number, this.#ports.view())
    this.#showBookmarks()
    this.#say(`kept as ${number}`)
  }

  goTo(number: number): void {
    const view = this.#bookmarks.get(number)
    if (view) this.#ports.go(view)
    else this.#say(`nothing is kept as ${number}: Shift and ${number} keeps the view`)
  }

  /** Begins a path, or ends and saves it. */
  record(): void {
    const path = this.#path
    const place = button('record')
    place.ariaPressed = `${path === undefined}`
    place.textContent = path ? 'Record a path' : 'End the path'
    clearInterval(this.#timer)
    this.#path = undefined
    if (path) {
      saveText(camerasJson(path.map(({ viewpoint }) => viewpoint)), `${fileName(this.#scene)}-path.json`)
      return this.#say(`${path.length} cameras: render with --camera ${fileName(this.#scene)}-path.json`)
    }
    const begun: AddressedView[] = [this.#ports.view()]
    this.#path = begun
    this.#say('recording: move the view')
    this.#timer = setInterval(() => {
      begun.push(this.#ports.view())
      if (begun.length >= MOST_CAMERAS) this.record()
    }, 1000 / PATH_FPS)
  }

  /** A file is there. */
  save(address: string, name: string): void {
    this.#busy('')
    saveFrom(address, name)
  }

  noFile(why: string): void {
    this.#busy(why)
  }

  #showBookmarks(): void {
    element('bookmarks').replaceChildren(
      ...this.#bookmarks.taken.map(number => {
        const go = html('button', { type: 'button', title: `Go there (${number})` }, `${number}`)
        go.addEventListener('click', () => this.goTo(number))
        const forget = html('button', { type: 'button', 'aria-label': `Forget ${number}`, class: 'forget' }, '×')
        forget.addEventListener('click', () => {
          this.#bookmarks.set(number, undefined)
          this.#showBookmarks()
        })
        return html('span', {}, go, forget)
      }),
    )
  }

  #say(text: string): void {
    element('camera-said').textContent = text
  }

  #busy(text: string): void {
    element('file-said').textContent = text
  }
}

const fileName = (scene: string): string => scene.replaceAll(/[^\w.-]+/g, '-')
