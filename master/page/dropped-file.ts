/** A scene file that a page sends, piece by piece: at most a few are on their way. One that does not come to its end is dropped. */
import { messageOf } from '../../shared/errors.ts'
import type { FromPage } from '../../shared/page/from-page.ts'
import type { ToPage } from '../../shared/page/page-messages.ts'
import { PIECES_AHEAD_BYTES } from '../../shared/page/scene-pieces.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import type { Alarm } from '../live-frames/tracers.ts'
import type { ComingFile, ShownView, ViewSource } from './view-source.ts'

/** For how long nothing of a file may come, ms: another page may have one to send. */
const SILENT_MS = 30_000

export const ELSEWHERE = 'This view runs on a master elsewhere and takes no files: start sortfirst view with the file'

export interface DroppedPorts {
  say(message: ToPage): void
  readonly alarm: Alarm
  /** Of the scene that is shown; undefined: another process brought it. */
  source(): ViewSource | undefined
  /** Has its scene shown. */
  show(shown: ShownView): void
}

interface Coming {
  /** In all. */
  readonly bytes: number
  readonly file: Promise<ComingFile>
  /** Chains what is written. */
  written: Promise<void>
  came: number
  taken: number
  isOver: boolean
  disarm: () => void
}

export class DroppedFile {
  readonly #ports: DroppedPorts
  #coming: Coming | undefined

  constructor(ports: DroppedPorts) {
    this.#ports = ports
  }

  begin({ name, bytes }: Extract<FromPage, { type: 'drop-file' }>): void {
    const source = this.#ports.source()
    if (this.#coming) throw new ProtocolError('a page sends a second scene file before it has an answer to the first')
    if (!source?.receive) return this.#refuse(ELSEWHERE)
    const file = source.receive(name)
    const coming: Coming = { bytes, file, came: 0, taken: 0, isOver: false, written: Promise.resolve(), disarm() {} }
    this.#coming = coming
    this.#wait(coming)
    file.then(
      () => this.#take(coming, 0),
      error => this.#fail(coming, error),
    )
  }

  /** @throws ProtocolError for more than was said, or too much at once */
  take(piece: Uint8Array): void {
    const coming = this.#coming
    // What was on its way when the file was refused.
    if (!coming) return
    coming.came += piece.length
    if (coming.came > coming.bytes) throw new ProtocolError('a page sends more of a scene file than it said')
    if (coming.came - coming.taken > PIECES_AHEAD_BYTES)
      throw new ProtocolError('a page sends pieces of a scene file faster than they are taken')
    this.#wait(coming)
    coming.written = coming.written
      .then(async () => {
        if (coming.isOver) return
        await (await coming.file).write(piece)
        this.#take(coming, piece.length)
        if (coming.taken === coming.bytes) await this.#open(coming)
      })
      .catch(error => this.#fail(coming, error))
  }

  /** Nothing more comes. A scene that is complete is still shown. */
  end(): void {
    const coming = this.#coming
    if (coming && coming.came < coming.bytes) this.#drop(coming)
  }

  async #open(coming: Coming): Promise<void> {
    const file = await coming.file
    coming.disarm()
    await file.open(shown => {
      this.#ports.show(shown)
      // The page has been told: it may send the next one now.
      this.#drop(coming)
    })
  }

  #take(coming: Coming, bytes: number): void {
    coming.taken += bytes
    if (!coming.isOver) this.#ports.say({ type: 'file-taken', bytes: coming.taken })
  }

  #wait(coming: Coming): void {
    coming.disarm()
    coming.disarm =
      coming.came < coming.bytes
        ? this.#ports.alarm(() => this.#fail(coming, new Error('the file stopped coming')), SILENT_MS)
        : () => {}
  }

  #fail(coming: Coming, error: unknown): void {
    if (this.#drop(coming)) this.#refuse(messageOf(error))
  }

  /** @returns whether it was there */
  #drop(coming: Coming): boolean {
    if (coming.isOver) return false
    coming.isOver = true
    coming.disarm()
    if (this.#coming === coming) this.#coming = undefined
    void coming.file.then(file => file.drop()).catch(() => {})
    return true
  }

  #refuse(why: string): void {
    this.#ports.say({ type: 'no-scene', why })
  }
}
