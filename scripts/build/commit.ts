/** The commit that a build is of: the one that is checked out, or, where there is no clone, as in an image, the one that is said. */
import { spawnSync } from 'node:child_process'

/** Names of commits, short or not. */
const COMMIT = /^[0-9a-f]{7,40}$/

/**
 * Seven digits, with a + if files differ from it; undefined if it is not known.
 * @param root of the clone
 * @param told what the variable `SORTFIRST_COMMIT` says, which comes first
 */
export function commitOf(root: string, told: string | undefined): string | undefined {
  if (told) {
    if (!COMMIT.test(told)) throw new Error(`SORTFIRST_COMMIT: expected the name of a commit, got '${told}'`)
    return told.slice(0, 7)
  }
  const git = (...words: string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', ['-C', root, ...words], { encoding: 'utf8' })
    return status === 0 ? stdout.trim() : undefined
  }
  // A clone of this program, not of one that it lies in.
  if (git('rev-parse', '--show-prefix') !== '') return undefined
  const commit = git('rev-parse', 'HEAD')
  if (commit === undefined) return undefined
  return `${commit.slice(0, 7)}${git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '+'}`
}
