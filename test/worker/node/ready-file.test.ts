import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { expectReadyFile, ReadyFile } from '../../../worker/node/ready-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const warnings: string[] = []
const log = { info: () => {}, warn: (line: string) => void warnings.push(line) }

it('is there from its creation to its removal', () => {
  const path = join(folder, 'ready')
  const file = new ReadyFile(path, log)
  file.create()
  file.create()
  expect(existsSync(path)).toBe(true)
  file.remove()
  file.remove()
  expect(existsSync(path)).toBe(false)
  expect(warnings).toEqual([])
})

it.each<[string, (path: string) => void, string]>([
  ['a file of somebody’s', path => writeFileSync(path, 'mine'), 'a file of 4 bytes'],
  ['a folder', path => mkdirSync(path), 'a folder'],
  ['a link', path => symlinkSync(join(folder, 'elsewhere'), path), 'a link'],
])('%s in its place is refused, and left as it is', (_, put, got) => {
  const path = join(folder, 'ready')
  const file = new ReadyFile(path, log)
  expectReadyFile(path)
  file.create()
  expectReadyFile(path)
  file.remove()
  put(path)
  expect(() => expectReadyFile(path)).toThrow(
    `--ready-file: expected a path at which there is nothing, or an empty file, got '${path}', ${got}; choose another path`,
  )
  file.create()
  file.remove()
  expect(warnings.splice(0)).toEqual([
    `health checks will not see this worker: ${path}: expected an empty file, got ${got}`,
  ])
  expect(readdirSync(folder)).toEqual(['ready'])
  if (lstatSync(path).isFile()) expect(readFileSync(path, 'utf8')).toBe('mine')
})

it('that cannot be written is a warning, once, and nothing else', () => {
  const path = join(folder, 'gone', 'ready')
  const file = new ReadyFile(path, log)
  for (let i = 0; i < 3; i++) {
    file.create()
    file.remove()
  }
  expect(warnings).toEqual([expect.stringMatching(/^health checks will not see this worker: .*ENOENT/)])
})
