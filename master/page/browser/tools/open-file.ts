/** A scene file that is dropped onto the page, or chosen: it goes to where the view runs, piece by piece, and its scene comes in place of this one. */
import type { FromPage } from '../../../../shared/page/from-page.ts'
import { MAX_DROPPED_BYTES, MAX_PIECE_BYTES, PIECES_AHEAD_BYTES } from '../../../../shared/page/scene-pieces.ts'
import { button, element } from './elements.ts'

interface OpenPorts {
  /** Why this page opens no file; undefined: it does. */
  refusal(): string | undefined
  send(message: FromPage): void
  sendPiece(bytes: ArrayBuffer): void
}

interface Going {
  readonly file: File
  sent: number
  taken: number
  isReading: boolean
}

export class OpenFile {
  readonly #ports: OpenPorts
  readonly #input: HTMLInputElement = element('scene-file')
  #going: Going | undefined

  constructor(ports: OpenPorts) {
    this.#ports = ports
    // Anything else that is dropped would take the place of the page.
    addEventListener('dragover', event => {
      event.preventDefault()
      const isFile = event.dataTransfer?.types.includes('Files') === true
      if (event.dataTransfer) event.dataTransfer.dropEffect = isFile && !ports.refusal() ? 'copy' : 'none'
      document.documentElement.classList.toggle('is-dropping', isFile)
    })
    addEventListener('dragleave', event => {
      if (!event.relatedTarget) document.documentElement.classList.remove('is-dropping')
    })
    addEventListener('drop', event => {
      event.preventDefault()
      document.documentElement.classList.remove('is-dropping')
      this.#open([...(event.dataTransfer?.files ?? [])])
    })
    button('open-file').addEventListener('click', () => this.choose())
    this.#input.addEventListener('change', () => {
      this.#open([...(this.#input.files ?? [])])
      // The same file may be chosen again.
      this.#input.value = ''
    })
  }

  choose(): void {
    const refusal = this.#ports.refusal()
    if (refusal) this.#say(refusal)
    else this.#input.click()
  }

  /** The master has taken so much. */
  taken(bytes: number): void {
    const going = this.#going
    if (!going) return
    going.taken = bytes
    const { name, size } = going.file
    this.#say(bytes === size ? `Opening ${name} …` : `Sending ${name}: ${Math.floor((bytes / size) * 100)} %`)
    void this.#go(going)
  }

  refused(why: string): void {
    this.#going = undefined
    this.#say(`${why}; the scene stays`)
  }

  /** There is a view: of another scene, or again, after the connection was lost. */
  begun(isOther: boolean): void {
    const going = this.#going
    this.#going = undefined
    if (isOther) this.#say('')
    else if (going) this.#say(`The connection was lost while ${going.file.name} was on its way: open it again`)
  }

  /** The view moves: what was said of a file has been read. */
  settle(): void {
    if (!this.#going) this.#say('')
  }

  #open(files: readonly File[]): void {
    const [file, ...others] = files
    if (!file) return
    const refusal = this.#ports.refusal()
    if (refusal) return this.#say(refusal)
    if (this.#going) return this.#say(`${this.#going.file.name} is still on its way: wait until it is there`)
    if (others.length > 0) return this.#say('Expected one file; several that belong together can be in a .zip')
    const { name, size } = file
    if (size === 0) return this.#say(`${name} is empty`)
    if (size > MAX_DROPPED_BYTES)
      return this.#say(`${name} is larger than ${MAX_DROPPED_BYTES / 2 ** 20} MiB: start sortfirst view with it`)
    this.#going = { file, sent: 0, taken: 0, isReading: false }
    this.#say(`Sending ${name}`)
    // The end of a name says what it is.
    this.#ports.send({ type: 'drop-file', name: name.slice(-255), bytes: size })
  }

  async #go(going: Going): Promise<void> {
    if (going.isReading) return
    going.isReading = true
    const { file } = going
    try {
      while (going === this.#going && going.sent < file.size) {
        const end = Math.min(file.size, going.sent + MAX_PIECE_BYTES)
        if (end - going.taken > PIECES_AHEAD_BYTES) break
        const piece = await file.slice(going.sent, end).arrayBuffer()
        if (going !== this.#going) break
        if (piece.byteLength !== end - going.sent) throw new Error('it has changed')
        going.sent = end
        this.#ports.sendPiece(piece)
      }
    } catch {
      this.#going = undefined
      this.#ports.send({ type: 'drop-nothing' })
      this.#say(`${file.name} cannot be read: expected a file that does not change, and no folder`)
    } finally {
      going.isReading = false
    }
  }

  #say(text: string): void {
    const place = element('file-notice')
    place.textContent = text
    place.hidden = text === ''
  }
}
