/** The package as others have it: what it exports, and what is documented. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../../..')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/sortfirst'))
  for (const name of ['three', 'sharp'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(program: string, ...flags: string[]) {
  writeFileSync(join(folder, 'program.mjs'), program)
  return spawnSync(process.execPath, [...flags, 'program.mjs'], { cwd: folder, encoding: 'utf8', timeout: 250_000 })
}

const programs = [
  ...readFileSync(join(root, 'scripts/library/README.md'), 'utf8').matchAll(/```js\n([\s\S]*?)```/g),
].map(([, text]) => text!)

describe('the package', () => {
  it('can be imported, which does nothing', () => {
    const imported = run("import * as all from 'sortfirst'\nconsole.log(Object.keys(all).sort().join(' '))")
    expect(imported).toMatchObject({ status: 0, stderr: '' })
    expect(imported.stdout.trim()).toBe(
      'SortfirstError UsageError connect loadScene render startCluster startMaster startWorker',
    )
  })

  it('has three documented programs', () => expect(programs).toHaveLength(3))

  it.each([
    ['renders a file', 0, /^frame 2: \d+ ms$/m],
    ['renders a three.js scene on a cluster', 1, /^4 172800 \d\.\d\d [0-9a-f]{8}$/m],
    ['asks for channels', 2, /^172800 \d+\.\d+ \d+$/m],
  ])('is documented by a program that %s', (_, number, output) => {
    const ran = run(programs[number]!)
    expect(ran).toMatchObject({ status: 0, stderr: '' })
    expect(ran.stdout).toMatch(output)
  })
})
