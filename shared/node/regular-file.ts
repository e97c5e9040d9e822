/**
 * Reading files that users name. Opening a pipe waits for its other end, reading a device may never end, and neither can be
 * interrupted: only regular files are opened, and links to them.
 */
import { constants, readFileSync, type Stats, statSync } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'

/** Rejects as the system does, or with an Error in words that fit after what the file is for: `expected a regular file, got a pipe`. */
export async function openRegular(path: string): Promise<FileHandle> {
  expectRegular(await stat(path))
  // Should a pipe have taken its place since, nobody waits for it.
  return open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
}

/** The whole file. Rejects as `openRegular` does. */
export async function readRegular(path: string): Promise<Buffer> {
  const file = await openRegular(path)
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/**
 * The text of a file with tokens or certificates, or from the pipe that a shell has connected: `<(command)`, `/dev/stdin`.
 * @throws as `openRegular` rejects
 */
export function readCredentialSync(path: string): string {
  const found = statSync(path)
  if (!(found.isFIFO() && /^\/(dev|proc)\//.test(path))) expectRegular(found)
  return readFileSync(path, 'utf8')
}

/** @throws Error */
export function expectRegular(found: Stats): void {
  if (found.isFile()) return
  const kind = found.isDirectory() ? 'folder' : found.isFIFO() ? 'pipe' : found.isSocket() ? 'socket' : 'device'
  const error = new Error(`expected a regular file, got a ${kind}`)
  throw kind === 'folder' ? Object.assign(error, { code: 'EISDIR' }) : error
}
