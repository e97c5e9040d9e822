/** What a run makes of all its frames, when they are complete: of their files, so that those of earlier runs count as well. */
import type { Log } from '../../shared/text/log.ts'
import { untilAborted } from '../../shared/time/until-aborted.ts'
import { CONTACT_SHEET_FILE, FILM_FILES, type FilmName } from '../files/frame-names.ts'
import type { OutputFolder } from '../files/output-folder.ts'
import { plural } from '../report/figures/numbers.ts'
import { withLongSteps } from '../terminal/long-steps.ts'
import { writeAnimatedWebp } from './animated-webp.ts'
import { contactSheet } from './contact-sheet.ts'
import { type Ffmpeg, writeMp4 } from './ffmpeg.ts'
import { evenPictures, evenSize, type FilmFrames } from './frame-pictures.ts'

export interface FilmOrder extends Omit<FilmFrames, 'folder'> {
  readonly films: readonly FilmName[]
  readonly contactSheet: boolean
  /** Frames per second. */
  readonly fps: number
  /** Name of the scene. */
  readonly scene: string
  /** For MP4. */
  readonly ffmpeg: Ffmpeg | undefined
}

/** @throws FilmError, OutputError, the reason of `signal` */
export async function makeFilms(folder: OutputFolder, order: FilmOrder, log: Log, signal: AbortSignal): Promise<void> {
  const { films, fps, ffmpeg } = order
  const source = { ...order, folder: folder.path }
  const make = (file: string, what: string, making: () => Promise<unknown>) =>
    withLongSteps(log, async steps => {
      signal.throwIfAborted()
      steps.begin(`making ${file}`)
      try {
        await making()
      } catch (error) {
        if (signal.aborted) log.info(`all frames are in ${folder.path}; the same command with --resume makes ${file}`)
        throw error
      }
      steps.end()
      log.info(`${file}: ${what}`)
    })
  const lasting = `${plural(order.frames, 'frame')}, ${Number((order.frames / fps).toFixed(2))} s`
  if (films.includes('mp4') && ffmpeg) {
    const file = FILM_FILES.mp4
    const mp4 = { file, fps, frames: evenPictures(source, file), size: evenSize(order.size) }
    await make(file, lasting, () => folder.make(file, path => writeMp4(ffmpeg, mp4, path, signal)))
  }
  if (films.includes('animated-webp')) {
    const file = FILM_FILES['animated-webp']
    await make(file, lasting, () => folder.make(file, path => writeAnimatedWebp(source, fps, path, signal)))
  }
  if (order.contactSheet)
    await make(CONTACT_SHEET_FILE, plural(order.frames, 'frame'), async () =>
      folder.write(CONTACT_SHEET_FILE, await untilAborted(signal, contactSheet(order.scene, source, process.env))),
    )
}
