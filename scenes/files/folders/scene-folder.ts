/**
 * The files that a scene file names: in its own folder or below. A scene file may come from anywhere, so nothing else is read,
 * neither by its name nor through a link, and nothing is fetched.
 */
import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep, win32 } from 'node:path'
import { openRegular } from '../../../shared/node/regular-file.ts'

/** What loaders read beside their file. */
export interface SceneFolder {
  /**
   * At most the first `most` bytes of a file. Rejects with an Error that says why there are none, in words that fit after what the
   * file is for: `expected a file in the folder of the scene`.
   */
  read(name: string, most: number): Promise<Uint8Array>
}

/** More than a picture or a text in it has. Buffers of glTF say themselves how long they are. */
export const MOST_FILE_BYTES = 2 ** 29

export const OUTSIDE = 'expected a file in the folder of the scene'

/** @throws Error for a name that leads out of the folder, wherever that is */
export function checkName(name: string): void {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(name) || name.startsWith('//'))
    throw new Error(`${OUTSIDE}, because nothing is fetched`)
  if (name.includes('\0') || isAbsolute(name) || win32.isAbsolute(name) || /^[a-z]:/i.test(name))
    throw new Error(OUTSIDE)
}

export class DiskFolder implements SceneFolder {
  readonly #folder: string
  /** Paths of all files that were looked for, whether they are there or not. */
  readonly asked: string[] = []
  /** Of those, links out of the folder. */
  readonly unfollowed: string[] = []

  /** @param path of the scene file */
  constructor(path: string) {
    this.#folder = dirname(resolve(path))
  }

  async read(name: string, most: number): Promise<Uint8Array> {
    checkName(name)
    const place = resolve(this.#folder, name)
    if (!isWithin(this.#folder, place)) throw new Error(OUTSIDE)
    this.asked.push(place)
    const real = await realpath(place).catch((cause: unknown) => {
      throw new Error('its file was not found', { cause })
    })
    if (!isWithin(await realpath(this.#folder), real)) {
      this.unfollowed.push(place)
      throw new Error(`${OUTSIDE}, not a link out of it`)
    }
    return readPart(real, most)
  }
}

function isWithin(folder: string, place: string): boolean {
  const inside = relative(folder, place)
  return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}

/** The beginning of a regular file: at most `most` bytes. */
async function readPart(path: string, most: number): Promise<Uint8Array> {
  const file = await openRegular(path)
  try {
    const { size } = await file.stat()
    const bytes = Buffer.alloc(Math.min(size, most))
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, at, Math.min(bytes.length - at, STEP), at)
      if (bytesRead === 0) return bytes.subarray(0, at)
      at += bytesRead
    }
    return bytes
  } finally {
    await file.close()
  }
}

/** Bytes per read: the system limits them. */
const STEP = 1 << 30
