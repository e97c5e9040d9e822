import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ReadyFile } from '../../../worker/node/ready-file.ts'

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

it('that cannot be written is a warning, once, and nothing else', () => {
  const path = join(folder, 'gone', 'ready')
  const file = new ReadyFile(path, log)
  for (let i = 0; i < 3; i++) {
    file.create()
    file.remove()
  }
  expect(warnings).toEqual([expect.stringMatching(/^health checks will not see this worker: .*ENOENT/)])
})
