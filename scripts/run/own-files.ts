/**
 * The files that a run writes into its output folder. Nothing else that it is asked for may have their names, and no folder may be in their
 * place: either would be found only when everything has been traced.
 */
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { OptionError } from '../../shared/errors.ts'
import { CONTACT_SHEET_FILE, FILM_FILES, frameFile, frameOf } from '../files/frame-names.ts'
import { OutputError } from '../files/output-error.ts'
import { MANIFEST_FILE } from '../film/manifest.ts'
import { endingsOf } from '../options/groups/output.ts'
import type { RunOptions } from '../options/run.ts'

export interface OwnFiles {
  /** Folders below the output folder that it writes into. */
  readonly folders: readonly string[]
  /** Whether it writes a file of this name into the output folder, or into a folder below. */
  has(name: string, below?: string): boolean
}

const SUMMARY = ['summary.json', 'frames.csv']

/** Those of `render`. */
export function renderedFiles(options: RunOptions): OwnFiles {
  const { films, contactSheet } = options
  const names = [MANIFEST_FILE, ...SUMMARY, ...films.map(film => FILM_FILES[film])]
  if (contactSheet) names.push(CONTACT_SHEET_FILE)
  const endings = endingsOf(options)
  return { folders: [], has: (name, below) => !below && (names.includes(name) || isFrame(name, options, endings)) }
}

/**
 * Those of `compare`.
 * @param folders of the strategies
 */
export function comparedFiles(options: RunOptions, folders: readonly string[]): OwnFiles {
  const names = ['compare.json', ...SUMMARY, 'frame-times.png', 'report.html']
  const ofStrategy = /^(run-\d+\.json|tiles\.webp|tiles-\d{4,}\.png)$/
  return {
    folders,
    has: (name, below) =>
      below === undefined ? names.includes(name) : ofStrategy.test(name) || isFrame(name, options, ['png']),
  }
}

function isFrame(
  name: string,
  { firstFrame, frames, isLengthOpen }: Pick<RunOptions, 'firstFrame' | 'frames' | 'isLengthOpen'>,
  endings: readonly string[],
): boolean {
  const frame = frameOf(name)
  if (frame === undefined || !endings.some(ending => frameFile(frame, ending) === name)) return false
  // How long it is may be known only when the scene has been loaded.
  return frame >= firstFrame && (isLengthOpen || frame < firstFrame + frames)
}

/** Refuses `--trace` and `--record` where one would replace the other, or what the run writes anyway. @throws OptionError */
export async function refuseClashes(
  { out, trace, record }: Pick<RunOptions, 'out' | 'trace' | 'record'>,
  own: OwnFiles,
): Promise<void> {
  const folder = await real(resolve(out))
  const seen = new Map<string, string>()
  for (const [option, path] of Object.entries({ '--trace': trace, '--record': record })) {
    // Devices and pipes take everything.
    if (path === undefined || (await stat(path).catch(() => undefined))?.isFile() === false) continue
    const place = join(await real(dirname(resolve(path))), basename(path))
    const other = seen.get(place)
    if (other !== undefined) throw new OptionError(option, `another file than that of ${other}`, `'${path}'`)
    seen.set(place, option)
    const below = relative(folder, dirname(place))
    const isOwn =
      below === '' ? own.has(basename(place)) : own.folders.includes(below) && own.has(basename(place), below)
    if (isOwn)
      throw new OptionError(option, 'a file that the run does not write anyway', `'${path}', one of its results`)
  }
}

/** The path without links, as far as it exists. */
async function real(path: string): Promise<string> {
  const found = await realpath(path).catch(() => undefined)
  return found ?? (dirname(path) === path ? path : join(await real(dirname(path)), basename(path)))
}

/** Refuses an output folder with folders in place of files of the run, or the other way round. @throws OutputError */
export async function expectRoom(out: string, own: OwnFiles): Promise<void> {
  for (const below of [undefined, ...own.folders]) {
    const folder = below === undefined ? out : join(out, below)
    const found = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTDIR') throw new OutputError(folder, 'folder', `a file${ADVICE}`)
      return []
    })
    for (const entry of found)
      if (entry.isDirectory() && own.has(entry.name, below))
        throw new OutputError(join(folder, entry.name), 'file', `a folder${ADVICE}`)
  }
}

const ADVICE = '; move it away or use another folder'
