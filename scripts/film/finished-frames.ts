/**
 * Which frames of a film are complete: those whose files are, byte for byte, what was written. Films of earlier releases did not note
 * that; of them, pictures count that can be decoded, and frames with other files are rendered again.
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Size } from '../../shared/frame/rect.ts'
import { hashOfFile } from '../../shared/node/file-hash.ts'
import { readRegular } from '../../shared/node/regular-file.ts'
import { frameFile, frameOf, OUTPUT_ENDINGS } from '../files/frame-names.ts'
import type { FrameRange } from '../options/groups/film.ts'
import { MANIFEST_FILE, type Manifest, type WrittenFile } from './manifest.ts'
import { isUnfinished } from './unfinished.ts'

export interface FinishedFrames {
  readonly frames: ReadonlySet<number>
  /** Their files, and those of frames outside of the range. */
  readonly files: readonly WrittenFile[]
  /** Number of frames in the range that were complete and are not any more. */
  readonly changed: number
}

/** Files that are read at the same time. */
const AT_ONCE = 4

/**
 * @param film the film in the folder
 * @param range frames of interest: others are not looked at
 */
export async function finishedFrames(folder: string, film: Manifest, range: FrameRange): Promise<FinishedFrames> {
  const isNoted = film.written !== undefined
  const files = new Map((film.written ?? (await readable(folder, film))).map(file => [file.name, file]))
  const frames = new Set<number>()
  let changed = 0
  const look = async (frame: number): Promise<void> => {
    const names = film.files.map(ending => frameFile(frame, ending))
    if (!names.every(name => files.has(name))) return
    const same = await Promise.all(names.map(name => !isNoted || isSame(join(folder, name), files.get(name)!)))
    if (same.every(Boolean)) {
      frames.add(frame)
      return
    }
    changed++
    for (const name of names) files.delete(name)
  }
  const known = new Set([...files.keys()].flatMap(name => frameOf(name) ?? []))
  const end = range.firstFrame + range.frames
  await severalAtOnce(
    [...known].filter(frame => frame >= range.firstFrame && frame < end),
    look,
  )
  return { frames, files: [...files.values()], changed }
}

async function isSame(path: string, { bytes, sha256 }: WrittenFile): Promise<boolean> {
  try {
    return (await stat(path)).size === bytes && (await hashOfFile(path)).sha256 === sha256
  } catch {
    return false
  }
}

/** The pictures of a film of an earlier release that are whole. Frames of a film before it are older than its manifest. */
async function readable(folder: string, { files: endings, size }: Manifest): Promise<WrittenFile[]> {
  const begun = await stat(join(folder, MANIFEST_FILE))
  const found: WrittenFile[] = []
  const wanted = endings.filter(ending => DECODED.has(ending))
  const names = (await readdir(folder)).filter(name => {
    const frame = frameOf(name)
    return frame !== undefined && wanted.some(ending => frameFile(frame, ending) === name)
  })
  await severalAtOnce(names, async name => {
    const path = join(folder, name)
    try {
      if ((await stat(path)).mtimeMs < begun.mtimeMs || (await isUnfinished(path))) return
      if (!(await isPicture(await readRegular(path), size))) return
      found.push({ name, ...(await hashOfFile(path)) })
    } catch {
      // It is made again.
    }
  })
  return found
}

/** EXR files have no checksums. */
const DECODED = new Set<string>([OUTPUT_ENDINGS.png, OUTPUT_ENDINGS.png16, OUTPUT_ENDINGS.webp])

/** Whether all of a picture can be decoded. */
async function isPicture(bytes: Uint8Array, [width, height]: Size): Promise<boolean> {
  const { info } = await sharp(bytes, { failOn: 'warning' }).raw().toBuffer({ resolveWithObject: true })
  return info.width === width && info.height === height
}

async function severalAtOnce<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const left = items[Symbol.iterator]()
  const work = async () => {
    for (const item of left) await act(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}
