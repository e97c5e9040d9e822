/**
 * Files that are whole or absent: written next to their final path, then renamed. Their bytes reach the disk before their name does,
 * or a machine that loses power could keep the name alone; some disks say only then that they are full.
 *
 *     .<name>.<place>-<pid>-<started>-<random>.part     a file that is being written, and the process that writes it
 *
 * No two writers have the same part, so that the last to finish has a whole file, and none removes another's.
 */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { batches } from './batches.ts'
import { lifeOf, PROCESS_WORDS, thisProcess, wordsOf } from './running-process.ts'

/**
 * Writes `data` to `path`, in an existing folder; readers see the old file or the new one, never part of one.
 * @param part where it is written
 */
export async function writeWhole(
  path: string,
  data: WrittenData,
  lasting: Lasting = {},
  part = partOf(path),
): Promise<void> {
  const file = await openWhole(path, part)
  try {
    for (const piece of piecesOf(data)) await file.write(piece)
    await file.finish(lasting)
  } finally {
    await file.discard()
  }
}

/** How long a file is needed. */
export interface Lasting {
  /** Whether it may be lost with the machine's power, because it is soon replaced. @default false */
  readonly passing?: boolean
}

/** In one piece, or in several if it is too long for one. */
export type WrittenData = string | Uint8Array | Iterable<string>

const piecesOf = (data: WrittenData): Iterable<string | Uint8Array> =>
  typeof data === 'string' || data instanceof Uint8Array ? [data] : batches(data)

/** A file that is written in pieces. */
export interface WholeFile {
  write(data: string | Uint8Array): Promise<void>
  /** Moves it into place. */
  finish(lasting?: Lasting): Promise<void>
  /** Removes the file, unless it is finished. Never fails, because it cleans up after failures. */
  discard(): Promise<void>
}

/** A path for a file while it is being written; another one each time. */
export function partOf(path: string): string {
  const name = basename(path)
  const random = randomBytes(4).toString('hex')
  // A name may be as long as the system allows.
  const shown = Buffer.byteLength(name) <= MAX_SHOWN_BYTES ? name : 'file'
  return join(dirname(path), `.${shown}.${OWN}-${random}.part`)
}

const MAX_SHOWN_BYTES = 160
const OWN = wordsOf(thisProcess())
const PART = new RegExp(`^\\.(.+)\\.${PROCESS_WORDS}-[0-9a-f]{8}\\.part$`)

/** After how long without a change a part counts as abandoned whose process cannot be asked for, ms: the clocks of two machines may differ. */
const ABANDONED_MS = 86_400_000

/**
 * Removes from a folder what processes were writing when they were killed. Never fails.
 * @param name of the file that they were writing; any, if absent
 */
export async function removeLeftovers(folder: string, name?: string): Promise<void> {
  const own = thisProcess()
  for (const found of await readdir(folder).catch(() => [])) {
    const [, of, place, pid, startedAt] = PART.exec(found) ?? []
    if (of === undefined || (name !== undefined && of !== name)) continue
    const path = join(folder, found)
    const life = lifeOf({ place: place!, pid: Number(pid), startedAt: Number(startedAt) }, own)
    if (life === 'ended' || (life === 'unknown' && (await isAbandoned(path)))) await rm(path).catch(() => {})
  }
}

const isAbandoned = (path: string): Promise<boolean> =>
  lstat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > ABANDONED_MS,
    () => false,
  )

/**
 * Opens what is no file, such as a device or a pipe: that is never replaced, and has no name of its own to be whole under. Rejects for
 * a pipe that nobody reads: opening it would wait, and could not be interrupted.
 */
export async function openDevice(path: string): Promise<WholeFile> {
  const first = await open(path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0))
  // The writer waits for the reader.
  const device = await open(path, 'w')
  await first.close()
  const close = () => device.close().catch(() => {})
  return { write: data => device.writeFile(data), finish: close, discard: close }
}

/** Creates a file in an existing folder. */
export async function openWhole(path: string, part = partOf(path)): Promise<WholeFile> {
  const file = await open(part, 'wx')
  let finished = false
  return {
    write: data => file.writeFile(data),
    async finish({ passing = false } = {}) {
      if (!passing) await file.datasync()
      await file.close()
      await rename(part, path)
      finished = true
    },
    async discard() {
      if (finished) return
      // Already closed if only the rename failed.
      await file.close().catch(() => {})
      // If even this fails, for example because the disk became read-only, nothing more can be done.
      await rm(part, { force: true }).catch(() => {})
    },
  }
}
