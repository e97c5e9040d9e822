import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ProcessName, thisProcess } from '../../../scripts/files/running-process.ts'
import { openWhole, removeLeftovers, writeWhole } from '../../../scripts/files/write-whole.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const own = thisProcess()
/** Puts a file there as a process writes it. */
function part({ place, pid, startedAt }: ProcessName, of = 'a.txt'): string {
  const name = `.${of}.${place}-${pid}-${startedAt}-01234567.part`
  writeFileSync(join(folder, name), 'x')
  return name
}

it('each writer has a part of its own', async () => {
  const path = join(folder, 'a.txt')
  const [first, second, third] = [await openWhole(path), await openWhole(path), await openWhole(path)]
  expect(readdirSync(folder)).toHaveLength(3)
  await first.write('first')
  await second.write('second')
  await third.discard()
  await second.finish()
  await first.finish()
  await second.discard()
  expect(readFileSync(path, 'utf8')).toBe('first')
  expect(readdirSync(folder)).toEqual(['a.txt'])
})

it.each([1, 85, 51])('a name may be as long as the system allows (%d)', async times => {
  const name = 'abcde'.repeat(times).slice(0, 255)
  await writeWhole(join(folder, name), 'x')
  expect(readdirSync(folder)).toEqual([name])
})

it('leftovers of processes that have ended are removed, and nothing else', async () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  const ended = { ...own, pid, startedAt: own.startedAt + 1 }
  const elsewhere = { place: 'f'.repeat(12), pid: 7, startedAt: 1 }
  const long = part(elsewhere, 'long-ago')
  utimesSync(join(folder, long), 7, 7)
  const other = part(ended, 'b.txt')
  const gone = part(ended)
  const users = ['.a.txt.part', '.a.txt.kept', 'a.part']
  for (const name of users) writeFileSync(join(folder, name), 'mine')
  const kept = [part(own), part(elsewhere), ...users].sort()
  await removeLeftovers(folder, 'a.txt')
  expect(readdirSync(folder)).not.toContain(gone)
  expect(readdirSync(folder)).toContain(other)
  await removeLeftovers(folder)
  expect(readdirSync(folder).sort()).toEqual(kept)
})
