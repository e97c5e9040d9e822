/** A file that a scene was read from is the same one only as long as it contains the same. */
import { execFileSync } from 'node:child_process'
import {
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { linkedFile, type SourceFile, sourceFile, unchanged } from '../../../scenes/loading/source-files.ts'
import { sha256 } from '../../../shared/node/sha256.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  path = join(folder, 'a.obj')
  writeFileSync(path, 'v 1 0 0')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** As seen a minute from now. */
const seen = (): Promise<SourceFile> => sourceFile(path, Date.now() + 60_000)
/** What would be found if its content were looked at: nothing like it. */
const unread = (file: SourceFile): SourceFile => ({ ...file, content: sha256(new Uint8Array()) })

it('is not read again while the system says that nothing has changed', async () => {
  const file = unread(await seen())
  expect(await unchanged(file)).toBe(file)
})

it('is read when it changed so lately that another change could bear the same time', async () => {
  const file = await sourceFile(path)
  expect(file.stamp).toBeUndefined()
  expect(await unchanged(file)).toEqual(file)
  expect(await unchanged(unread(file))).toBeUndefined()
})

it('is the same when it was only touched', async () => {
  const file = await seen()
  utimesSync(path, 1e9, 1e9)
  expect((await unchanged(file))?.content).toBe(file.content)
})

it.each([
  ['its content is of the same length', () => writeFileSync(path, 'v 2 0 0')],
  ['it is shorter', () => writeFileSync(path, 'v 1')],
  [
    'it was moved there',
    () => {
      writeFileSync(join(folder, 'b.obj'), 'v 2 0 0')
      renameSync(join(folder, 'b.obj'), path)
    },
  ],
  ['it is gone', () => rmSync(path)],
])('is another one when %s, whatever time it bears', async (_, change) => {
  const file = await seen()
  const { atime, mtime } = statSync(path)
  change()
  if (statSync(path, { throwIfNoEntry: false })) utimesSync(path, atime, mtime)
  expect(await unchanged(file)).toBeUndefined()
})

it('that was missing is the same while it is missing', async () => {
  rmSync(path)
  const file = await seen()
  expect(file).toEqual({ path, content: null })
  expect(await unchanged(file)).toBe(file)
  writeFileSync(path, 'v 1 0 0')
  expect(await unchanged(file)).toBeUndefined()
})

describe.skipIf(process.platform === 'win32')('what is not a regular file', () => {
  it.each<[string, () => void]>([
    ['a pipe', () => void execFileSync('mkfifo', [path])],
    ['a device', () => symlinkSync('/dev/zero', path)],
  ])('such as %s is never read: it is the same until there is a file', async (_, make) => {
    rmSync(path)
    make()
    const file = await seen()
    expect(file).toEqual({ path, content: null })
    expect(await unchanged(file)).toBe(file)
    rmSync(path)
    writeFileSync(path, 'v 1 0 0')
    expect(await unchanged(file)).toBeUndefined()
  })

  it('such as a link that its reader does not follow is the same while it leads to the same place', async () => {
    const [first, second] = [join(folder, 'b.obj'), join(folder, 'c.obj')]
    for (const place of [first, second]) writeFileSync(place, 'v 2 0 0')
    rmSync(path)
    symlinkSync(first, path)
    const file = await linkedFile(path)
    writeFileSync(first, 'v 3 0 0')
    expect(await unchanged(file)).toBe(file)
    rmSync(path)
    symlinkSync(second, path)
    expect(await unchanged(file)).toBeUndefined()
    rmSync(path)
    writeFileSync(path, 'v 2 0 0')
    expect(await unchanged(file)).toBeUndefined()
  })
})

it('of more bytes than any reader takes is not hashed', async () => {
  truncateSync(path, 2 ** 32 + 1)
  await expect(seen()).rejects.toThrow()
})
