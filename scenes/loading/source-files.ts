/**
 * The files that a scene was read from, as they were then. What they contain is what counts; but hashing a large file takes longer
 * than everything else of a second run, so what the system says of an unchanged file is believed: device and inode, size, and the
 * times of its last changes, of which no program can set the second.
 */
import { createHash } from 'node:crypto'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { openRegular } from '../../shared/node/regular-file.ts'

export interface SourceFile {
  readonly path: string
  /** SHA-256 of its content; null if it could not be read. */
  readonly content: string | null
  /** Of a link that its reader does not follow: where it leads. Nothing there is looked at. */
  readonly leadsTo?: string
  /** What the system said of it; absent if a change could have left that the same. */
  readonly stamp?: string
}

/** Coarsest resolution of a file system's clock, FAT's: an earlier change has another time. */
const CLOCK_STEP_MS = 2000

/** More than any reader takes, bytes. */
const MOST_BYTES = 2 ** 32

/** What a file contains now, ms since 1970. Rejects for a file that is too long to be hashed. */
export async function sourceFile(path: string, now = Date.now()): Promise<SourceFile> {
  const before = await stampOf(path)
  const content = await contentOf(path)
  const after = await stampOf(path)
  const isSure = before && before.text === after?.text && before.changedAt < now - CLOCK_STEP_MS
  return { path, content, ...(isSure && content !== null ? { stamp: before.text } : {}) }
}

/** A link that its reader does not follow. */
export const linkedFile = async (path: string): Promise<SourceFile> => ({
  path,
  content: null,
  leadsTo: await realpath(path),
})

/**
 * Whether a file is what it was: unchanged as far as the system says, or else by its content. Returns what is known of it now;
 * undefined if it has changed.
 */
export async function unchanged(file: SourceFile): Promise<SourceFile | undefined> {
  if (file.leadsTo !== undefined)
    return (await realpath(file.path).catch(() => undefined)) === file.leadsTo ? file : undefined
  if (file.stamp !== undefined && (await stampOf(file.path))?.text === file.stamp) return file
  const now = await sourceFile(file.path)
  if (now.content !== file.content) return undefined
  return now.stamp === file.stamp ? file : now
}

/** When a file was last changed, or a link that is not followed, ms since 1970; undefined if there is none. */
export const changedAt = async ({ path, leadsTo }: SourceFile): Promise<number | undefined> =>
  (await (leadsTo === undefined ? stat : lstat)(path).catch(() => undefined))?.ctimeMs

async function stampOf(path: string): Promise<{ readonly text: string; readonly changedAt: number } | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  if (!found) return undefined
  const { dev, ino, size, mtimeNs, ctimeNs } = found
  const changedAt = Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n)
  return { text: [dev, ino, size, mtimeNs, ctimeNs].join(' '), changedAt }
}

/** The SHA-256 of a file's content, or of the names in a folder; null if it cannot be read, such as a pipe. */
async function contentOf(path: string): Promise<string | null> {
  const hash = createHash('sha256')
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() && found.size > MOST_BYTES) throw new Error(`${path} is too long to be hashed`)
  try {
    if (found?.isDirectory()) return hash.update((await readdir(path)).sort().join('\0')).digest('hex')
    const file = await openRegular(path)
    for await (const chunk of file.createReadStream({ highWaterMark: 1 << 20 })) hash.update(chunk as Buffer)
    return hash.digest('hex')
  } catch {
    return null
  }
}
