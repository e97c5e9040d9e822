/** Which commit a build is of. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { commitOf } from '../../../scripts/build/commit.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  folders.push(folder)
  return folder
}

it('is the one that is checked out, with a + if files differ from it', () => {
  const folder = newFolder()
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { encoding: 'utf8' })
  git('init', '--quiet')
  expect(commitOf(folder, undefined)).toBeUndefined()
  writeFileSync(join(folder, 'a'), 'one')
  git('add', 'a')
  git('commit', '--quiet', '--message', 'first')
  const commit = git('rev-parse', 'HEAD').slice(0, 7)
  expect(commitOf(folder, undefined)).toBe(commit)
  writeFileSync(join(folder, 'built'), '')
  expect(commitOf(folder, undefined)).toBe(commit)
  writeFileSync(join(folder, 'a'), 'other')
  expect(commitOf(folder, undefined)).toBe(`${commit}+`)
  // A package that is installed in somebody's clone is not of that.
  mkdirSync(join(folder, 'inside'))
  expect(commitOf(join(folder, 'inside'), undefined)).toBeUndefined()
})

it('is the one that is said, and none where there is no clone', () => {
  const folder = newFolder()
  expect(commitOf(folder, undefined)).toBeUndefined()
  expect(commitOf(folder, '')).toBeUndefined()
  expect(commitOf(folder, 'abcdef0123456789abcdef0123456789abcdef01')).toBe('abcdef0')
  expect(() => commitOf(folder, 'main')).toThrow("SORTFIRST_COMMIT: expected the name of a commit, got 'main'")
})
