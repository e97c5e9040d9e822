/**
 * Builds another commit next to this one: a git worktree in a temporary folder, with this checkout's packages if the lock
 * files are equal.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf, OptionError } from '../../../shared/errors.ts'
import { moduleUrl } from '../../../shared/node/program-files.ts'
import { runCommand } from './run-command.ts'

/** Root of this checkout: the folder above `dist`. */
export const ROOT = fileURLToPath(moduleUrl('../'))

/** Files that a build needs in order to be measured, relative to its root. */
const NEEDED = ['dist/worker/engine/wasm/kernel.wasm', 'dist/scripts/bench/kernel/rounds.js']

/** What is compared with: an option, and its value. */
export interface OtherRef {
  readonly option: string
  /** A commit, branch or tag. */
  readonly ref: string
}

/**
 * Builds a ref, passes the root of the build to `use`, and always removes it afterwards.
 * @throws OptionError for a ref that does not exist, cannot be built, or has no wasm kernel to measure
 */
export async function withBuildOf<T>(
  { option, ref }: OtherRef,
  signal: AbortSignal,
  say: (line: string) => void,
  use: (root: string) => Promise<T>,
): Promise<T> {
  const run = (folder: string, command: string, ...args: string[]) => runCommand(folder, signal, command, args)
  const commit = await run(ROOT, 'git', 'rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`).catch(() => {
    signal.throwIfAborted()
    throw new OptionError(option, 'a commit, branch or tag of this git checkout', `'${ref}'`)
  })
  const folder = mkdtempSync(join(tmpdir(), 'sortfirst-compare-'))
  const root = join(folder, 'checkout')
  try {
    say(`building ${ref} (${commit.slice(0, 10)})`)
    try {
      await run(ROOT, 'git', 'worktree', 'add', '--detach', root, commit)
      if (sameLock(root)) symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'), 'dir')
      else await run(root, 'npm', 'ci')
      await run(root, 'npm', 'run', 'build')
    } catch (error) {
      signal.throwIfAborted()
      throw new OptionError(option, 'a commit that can be built', `'${ref}': ${complaintOf(error)}`)
    }
    if (!NEEDED.every(path => existsSync(join(root, path))))
      throw new OptionError(option, 'a commit with a wasm kernel and its bench', `'${ref}', which has none`)
    return await use(root)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    // Makes git forget the worktree, whose folder is gone; also after an interruption.
    await runCommand(ROOT, new AbortController().signal, 'git', ['worktree', 'prune'])
  }
}

/** The most informative line of a failed program's output. */
function complaintOf(error: unknown): string {
  const lines = messageOf(error)
    .split('\n')
    .map(line => line.trim())
  return lines.find(line => /\berror\b/i.test(line) && !/^npm /.test(line)) ?? lines[0] ?? ''
}

function sameLock(root: string): boolean {
  const [theirs, ours] = [root, ROOT].map(folder => join(folder, 'package-lock.json'))
  return readFileSync(theirs!, 'utf8') === readFileSync(ours!, 'utf8')
}

/** The same for the folder of a checkout that has been built already, which stays. @throws OptionError */
export async function withBuildIn<T>(
  { option, ref }: OtherRef,
  signal: AbortSignal,
  say: (line: string) => void,
  use: (root: string) => Promise<T>,
): Promise<T> {
  if (!statSync(ref, { throwIfNoEntry: false })?.isDirectory()) return withBuildOf({ option, ref }, signal, say, use)
  if (!existsSync(join(ref, NEEDED[0]!)))
    throw new OptionError(option, 'a checkout that has been built, or a commit', `the folder '${ref}'`)
  return use(resolve(ref))
}
