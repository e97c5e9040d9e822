/** Imports a scene's module, and says in one sentence why it cannot be. */
import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import * as nodeModule from 'node:module'
import { resolve as absolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '../../shared/errors.ts'
import { expectRegular } from '../../shared/node/regular-file.ts'
import { SceneFileIsFolderError, SceneFileMissingError, SceneFileUnreadableError, SceneModuleError } from '../errors.ts'
import { resolve, SCENE_MODULE } from './resolve-three.ts'

/** What a module exports, as it stands. Rejects with SceneModuleError, or with what is wrong with the file. */
export async function importModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' || error.code === 'ENOTDIR'
      ? new SceneFileMissingError(path)
      : new SceneFileUnreadableError(path, error)
  })
  if (found.isDirectory()) throw new SceneFileIsFolderError(path)
  try {
    expectRegular(found)
  } catch (error) {
    throw new SceneFileUnreadableError(path, error)
  }
  useOneThree()
  try {
    return await import(SCENE_MODULE + urlOf(path))
  } catch (error) {
    const place = placeIn(error, path) ?? (error instanceof SyntaxError ? await syntaxErrorIn(path) : undefined)
    throw moduleError(path, 'cannot be loaded', error, place)
  }
}

/** What the work of a module returns. @param what it does, for messages: "update(0, 7) threw" */
export async function fromModule<T>(path: string, what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof SceneModuleError ? error : moduleError(path, what, error, placeIn(error, path))
  }
}

const urlOf = (path: string): string => pathToFileURL(absolute(path)).href

/** Names in what modules throw may be of any length. */
const LONGEST_REASON = 400

function moduleError(path: string, what: string, error: unknown, place: string | undefined): SceneModuleError {
  const reason = messageOf(error).split('\n')[0]!.slice(0, LONGEST_REASON)
  const hint = /\b(document|window|self|navigator) is not defined|Request is not a constructor/.test(reason)
    ? NO_BROWSER
    : ''
  return new SceneModuleError(path, `${what}: ${reason || 'no reason given'}${place ? ` (${place})` : ''}${hint}`, {
    cause: error,
  })
}

const NO_BROWSER =
  '; there is no browser here: files are loaded with loadModel, loadTexture and loadEnvironment, which the default export is given'

/** The line of the module, or of the first file that is neither a package's nor ours, in which an error arose. */
function placeIn(error: unknown, path: string): string | undefined {
  const stack = error instanceof Error ? String(error.stack) : ''
  const frames = [...stack.matchAll(/(file:\/\/[^\s()]+?):(\d+)/g)].map(([, url, line]) => ({ url: url!, line: line! }))
  const own = urlOf(path)
  const inModule = frames.find(({ url }) => url === own)
  if (inModule) return `line ${inModule.line}`
  const root = new URL('../../', import.meta.url).href
  const other = frames.find(({ url }) => !url.includes('/node_modules/') && !url.startsWith(root))
  return other && `line ${other.line} of ${decodeURIComponent(other.url.slice(other.url.lastIndexOf('/') + 1))}`
}

/** Node.js keeps the line of a syntax error to itself, except when it checks a program. */
async function syntaxErrorIn(path: string): Promise<string | undefined> {
  const text = await readFile(path).catch(() => '')
  return new Promise(resolve => {
    const checking = execFile(process.execPath, ['--check', '--input-type=module', '-'], (_error, _stdout, stderr) => {
      const line = /^\[stdin\]:(\d+)$/m.exec(stderr)?.[1]
      resolve(line && `line ${line}`)
    })
    // It may have ended before it has read all.
    checking.stdin?.on('error', () => {}).end(text)
  })
}

interface SyncHooks {
  registerHooks?(hooks: { readonly resolve: typeof resolve }): void
}

let isRegistered = false

/** For the rest of this thread. Node.js 22 and later run the hook here, earlier ones in a thread of its own. */
function useOneThree(): void {
  if (isRegistered) return
  isRegistered = true
  const { registerHooks } = nodeModule as SyncHooks
  if (registerHooks) registerHooks({ resolve })
  else nodeModule.register('./resolve-three.js', import.meta.url)
}
