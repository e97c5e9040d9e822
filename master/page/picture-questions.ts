/** What a page asks of the picture that it sees: what is at a pixel, and the finished picture as a file. One question of each kind at a time. */
import { CancelledError, messageOf } from '../../shared/errors.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import type { Camera } from '../../shared/frame/view.ts'
import { type Look, lookOf } from '../../shared/light/tone-map.ts'
import type { PictureFormat } from '../../shared/page/from-page.ts'
import type { PagePicked, ToPage } from '../../shared/page/page-messages.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { SessionRunner } from '../../shared/session/session.ts'
import type { OfferedFile } from './offered-files.ts'
import { pixelSeen } from './pixel-query.ts'
import type { Shot } from './view-loop.ts'
import type { ShownView } from './view-source.ts'

export interface QuestionPorts {
  /** For questions, which no dashboard shows. */
  readonly ask: SessionRunner['run']
  /** @returns the last part of its address */
  readonly offerFile: (file: OfferedFile) => string
  readonly say: (message: ToPage) => void
}

/** The newest picture that was made. */
export interface NewestPicture {
  readonly shot: Shot
  readonly camera: Camera
  readonly report: Pick<FrameReport, 'tiles' | 'tracedBy' | 'workers' | 'size'>
  /** RGB8 of a finished one. */
  readonly pixels: Uint8Array | undefined
}

const TYPES: Readonly<Record<PictureFormat, string>> = { png: 'image/png', exr: 'image/x-exr' }

export class PictureQuestions {
  readonly #shown: ShownView
  readonly #ports: QuestionPorts
  readonly #over: AbortSignal
  #newest: NewestPicture | undefined
  #picking: AbortController | undefined
  #wanted: readonly [number, number] | undefined
  #isMakingFile = false

  constructor(shown: ShownView, ports: QuestionPorts, over: AbortSignal) {
    this.#shown = shown
    this.#ports = ports
    this.#over = over
  }

  made(newest: NewestPicture): void {
    this.#newest = newest
  }

  /** What is seen at a pixel of the full size; an earlier question is not answered any more. */
  async pick(x: number, y: number): Promise<void> {
    this.#wanted = [x, y]
    this.#picking?.abort(new CancelledError())
    // One at a time, however many are asked.
    if (this.#picking) return
    for (let next = this.#next(); next; next = this.#next()) await this.#answer(next)
    this.#picking = undefined
  }

  #next(): readonly [number, number] | undefined {
    const next = this.#wanted
    this.#wanted = undefined
    this.#picking = new AbortController()
    return this.#over.aborted ? undefined : next
  }

  async #answer([x, y]: readonly [number, number]): Promise<void> {
    const newest = this.#newest
    if (!newest || x >= newest.shot.look.fullSize[0] || y >= newest.shot.look.fullSize[1]) return
    const { shot, camera } = newest
    const { signal } = this.#picking!
    const { order, scene, source } = this.#shown
    const { ask, say } = this.#ports
    const asked = { order, scene: shot.look.scene ?? scene, camera, of: shot.look.fullSize, x, y, names: source?.names }
    try {
      const seen = await pixelSeen(ask, asked, AbortSignal.any([signal, this.#over]))
      if (signal.aborted) return
      const traced = tracedAt(newest, x, y)
      say({ type: 'picked', x, y, ...(seen ? { seen } : {}), ...(traced ? { traced } : {}) })
    } catch (error) {
      if (!signal.aborted && !this.#over.aborted)
        say({ type: 'status', text: `the pixel cannot be asked: ${messageOf(error)}`, isError: true })
    }
  }

  /** The finished picture, as soon as it is a file. */
  async file(format: PictureFormat): Promise<void> {
    const { say, offerFile } = this.#ports
    const refuse = (why: string) => say({ type: 'no-file', why })
    const { source, order, scene } = this.#shown
    const newest = this.#newest
    if (!source?.file) return refuse('sortfirst view runs elsewhere: use the command line beside the picture')
    if (!newest?.pixels) return refuse('the picture is not finished yet')
    if (this.#isMakingFile) return refuse('the file before it is still being made')
    this.#isMakingFile = true
    const { shot, camera, pixels, report } = newest
    const { tracedBy } = report
    const { look, frame, size } = shot
    try {
      const picture = { frame, scene: look.scene ?? scene, camera, size, look: shownAs(order, shot), pixels, tracedBy }
      const bytes = await source.file(format, picture, this.#over)
      const name = `${order.sceneName.replaceAll(/[^\w.-]+/g, '-')}-${`${frame}`.padStart(4, '0')}.${format}`
      say({ type: 'file', address: offerFile({ name, type: TYPES[format], bytes }), name })
    } catch (error) {
      if (!this.#over.aborted) refuse(messageOf(error))
    } finally {
      this.#isMakingFile = false
    }
  }
}

/** How light is shown in a shot. */
function shownAs(order: SessionOrder, { look: { hand = {} } }: Shot): Look {
  const { exposure = order.exposure, toneMapping = order.toneMapping } = hand
  return lookOf({ exposure, toneMapping, whiteBalance: order.whiteBalance })
}

/** Who traced the pixel, and the mean cost of the pixels of its tile. */
function tracedAt({ shot, report }: NewestPicture, x: number, y: number): PagePicked['traced'] {
  const [across, down] = [0, 1].map(axis => report.size[axis]! / shot.look.fullSize[axis]!) as [number, number]
  const [px, py] = [Math.floor(x * across), Math.floor(y * down)]
  const tile = report.tiles.find(
    ({ rect }) => px >= rect.x && px < rect.x + rect.w && py >= rect.y && py < rect.y + rect.h,
  )
  const worker = report.workers.find(({ id }) => id === tile?.worker)
  return tile && worker && { worker: worker.name, pixelUs: (tile.cpuMs * 1000) / (tile.rect.w * tile.rect.h) }
}
