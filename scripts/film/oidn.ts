/**
 * The machine's own Open Image Denoise, run as its program `oidnDenoise`. It is found before the first frame is rendered. What it makes of a
 * picture depends on its version and on the processor or graphics card that it runs on.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../shared/errors.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { NoOidnError, OidnError } from './denoise-error.ts'
import { lastLine } from './last-line.ts'
import { pfmOf, readPfm } from './pfm.ts'

export interface Oidn {
  readonly command: string
  /** What summaries say of pictures that it made. */
  readonly label: string
}

/** Three values a pixel each, row-major from the top. */
export interface OidnPicture {
  readonly size: Size
  /** Linear radiance. */
  readonly light: Float32Array
  /** Mean colour of what camera rays hit. */
  readonly albedo: Float32Array
  /** In world space; 0 for nothing. */
  readonly normal: Float32Array
}

const LABEL = 'denoised by the oidnDenoise of this machine: pixels may differ where another one runs'
/** How long it may take to print its usage, ms. */
const USAGE_MS = 20_000
/** Much of what it says is progress; its last words are the error. */
const MOST_OUTPUT = 2 ** 20

/** @throws NoOidnError */
export async function findOidn(command = 'oidnDenoise'): Promise<Oidn> {
  await new Promise<void>((resolve, reject) => {
    execFile(command, ['--help'], { timeout: USAGE_MS }, (error, stdout, stderr) => {
      // It may end with any code of its own once it has said how it is used.
      if (!error || /usage/i.test(stdout + stderr)) resolve()
      else
        reject(
          new NoOidnError(error.code === 'ENOENT' ? 'none' : `one that fails (${lastLine(stderr) ?? error.message})`),
        )
    })
  })
  return { command, label: LABEL }
}

/**
 * Linear radiance without the noise; an aborted signal ends the program at once. Its files are in a folder of their own, which is removed.
 * @throws OidnError, the reason of `signal`
 */
export async function denoiseWithOidn(
  { command }: Oidn,
  { size, light, albedo, normal }: OidnPicture,
  signal: AbortSignal,
): Promise<Float32Array<ArrayBuffer>> {
  signal.throwIfAborted()
  const folder = await mkdtemp(join(tmpdir(), 'sortfirst-oidn-'))
  const at = (name: string) => join(folder, `${name}.pfm`)
  try {
    for (const [name, values] of Object.entries({ light, albedo, normal }))
      await writeFile(at(name), pfmOf(size, values), { signal })
    await run(command, ['--hdr', at('light'), '--alb', at('albedo'), '--nrm', at('normal'), '-o', at('clean')], signal)
    const clean = await readFile(at('clean'), { signal }).then(
      file => readPfm(file, size),
      () => undefined,
    )
    signal.throwIfAborted()
    if (!clean) throw new OidnError(`a picture of ${size.join('x')} from it`, 'none')
    return clean
  } catch (error) {
    // What is aborted fails in many ways.
    signal.throwIfAborted()
    throw error instanceof OidnError ? error : new OidnError('files of its pictures', messageOf(error), error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Resolves when the program has ended well; the folder is not in use then, nor when it rejects. */
function run(command: string, words: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = execFile(command, words, { maxBuffer: MOST_OUTPUT }, (error, stdout, stderr) => {
      signal.removeEventListener('abort', kill)
      if (!error) return resolve()
      const got = child.signalCode ?? (typeof error.code === 'number' ? `exit code ${error.code}` : error.message)
      const line = lastLine(stderr) ?? lastLine(stdout)
      reject(new OidnError('oidnDenoise to make a picture', line === undefined ? got : `${got} (${line})`, error))
    })
    const kill = () => child.kill('SIGKILL')
    signal.addEventListener('abort', kill)
    if (signal.aborted) kill()
  })
}
