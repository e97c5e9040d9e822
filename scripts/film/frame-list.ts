/**
 * The end of `render.json`: a line for each file of a complete frame, on the disk as soon as the frame is. Lines are added in place,
 * because a film may have very many. If the machine stops meanwhile, the last one may be damaged: reading leaves it out.
 */
import { frameOf } from '../files/frame-names.ts'
import type { OutputFolder } from '../files/output-folder.ts'
import { MANIFEST_FILE, type Manifest, type WrittenFile } from './manifest.ts'

const END = '\n  ]\n}\n'

/** Writes the manifest of the film that is written from now on; frames that are not among `written` do not belong to it. */
export async function beginFilm(
  folder: OutputFolder,
  manifest: Manifest,
  written: readonly WrittenFile[] = [],
): Promise<FrameList> {
  const list = new FrameList(folder, manifest, written)
  await list.rewrite()
  return list
}

export class FrameList {
  readonly #folder: OutputFolder
  readonly #head: string
  readonly #written: WrittenFile[]
  /** Where the next line belongs. */
  #end = 0
  #last: Promise<void> = Promise.resolve()

  constructor(folder: OutputFolder, { written: _, ...film }: Manifest, written: readonly WrittenFile[]) {
    this.#folder = folder
    this.#head = `${JSON.stringify(film, null, 2).slice(0, -2)},\n  "written": [`
    this.#written = [...written]
  }

  /** Resolves when the files of a frame count as complete, whatever happens then. @throws OutputError */
  add(files: readonly WrittenFile[]): Promise<void> {
    // A line that is written before the one in front of it could be lost with that.
    this.#last = this.#last.then(async () => {
      const lines = `${this.#written.length > 0 ? ',' : ''}${linesOf(files)}`
      await this.#folder.patch(MANIFEST_FILE, lines + END, this.#end)
      this.#end += Buffer.byteLength(lines)
      this.#written.push(...files)
    })
    return this.#last
  }

  /** Writes the whole file, its lines in the order of frames: they are added in that in which frames are complete. @throws OutputError */
  async rewrite(): Promise<void> {
    await this.#last
    const inOrder = this.#written.map(file => ({ frame: frameOf(file.name) ?? 0, file }))
    inOrder.sort((a, b) => a.frame - b.frame || (a.file.name < b.file.name ? -1 : 1))
    const text = this.#head + linesOf(inOrder.map(({ file }) => file))
    await this.#folder.write(MANIFEST_FILE, text + END)
    this.#end = Buffer.byteLength(text)
  }
}

const linesOf = (files: readonly WrittenFile[]): string => files.map(file => `\n    ${JSON.stringify(file)}`).join(',')
