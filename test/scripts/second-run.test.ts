/** A second run of an unchanged file takes all that the first one has made, and says the same. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sortfirst } from '../support/program.ts'

let folder: string
let mesh: string
let cache: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  mesh = join(folder, 'a.obj')
  cache = join(folder, 'cache')
  // Its materials are missing, which is worth a warning.
  writeFileSync(mesh, 'mtllib none.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl skin\nf 1 2 3\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const render = async () => {
  const words = ['--frames', '1', '--size', '32x18', '--threads', '1', '--out', join(folder, 'out'), '--cache', cache]
  const { code, stdout, stderr } = await sortfirst(['render', mesh, '--json', ...words])
  expect(code).toBe(0)
  const { strategies, scene } = JSON.parse(stdout)
  const warnings = stderr.split('\n').filter(line => line.startsWith('warning'))
  return { hashes: strategies[0].frameSha256, scene, warnings }
}
const kept = () => readdirSync(cache).sort()

it('finds the scene packed and built after a run of one frame, and makes the same frame', async () => {
  const first = await render()
  expect(first.warnings).toHaveLength(1)
  const files = kept()
  expect(files.map(name => extname(name)).sort()).toEqual(['.facts', '.scene', '.tree'])
  expect(await render()).toEqual(first)
  expect(kept()).toEqual(files)
})

it('describes the same', async () => {
  const inspect = async () => (await sortfirst(['inspect', mesh, '--json', '--cache', cache])).stdout
  const first = await inspect()
  expect(JSON.parse(first).warnings).toHaveLength(1)
  expect(await inspect()).toBe(first)
})

it('does without a cache where none can be written, and where none is wanted', async () => {
  const first = await render()
  rmSync(cache, { recursive: true })
  writeFileSync(cache, 'a file')
  const { warnings, ...others } = await render()
  expect(others).toEqual({ hashes: first.hashes, scene: first.scene })
  expect(warnings).toEqual([expect.stringContaining(`cache ${cache}: expected a writable folder`), ...first.warnings])
  const { code } = await sortfirst(['inspect', mesh, '--no-cache'])
  expect(code).toBe(0)
})
