/** Which files are compared. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { gltfPaths } from '../../../../../scripts/bench/pictures/three/gltf-paths.ts'
import { OptionError } from '../../../../../shared/errors.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  for (const below of ['b', 'none']) mkdirSync(join(folder, below))
  for (const name of ['z.glb', 'a.GLTF', 'a.bin', 'b/c.gltf', 'none/a.obj']) writeFileSync(join(folder, name), '')
})
afterAll(() => rmSync(folder, { recursive: true }))

it('are those of a folder and its subfolders, in order', async () => {
  const found = await gltfPaths([folder], '--files')
  expect(found.map(({ name }) => name)).toEqual(['a.GLTF', join('b', 'c.gltf'), 'z.glb'])
  expect(found.map(({ path }) => path)).toEqual(found.map(({ name }) => join(folder, name)))
})

it('are those that are named, each once', async () => {
  const path = join(folder, 'z.glb')
  const found = await gltfPaths([path, folder, path], '--files')
  expect(found.map(({ name }) => name)).toEqual(['z.glb', 'a.GLTF', join('b', 'c.gltf')])
})

it.each([
  ['lost.glb', "expected glTF files or folders of them, got '.*lost.glb', which does not exist"],
  ['a.bin', "expected files that end in .glb or .gltf, got '.*a.bin'"],
  ['none', "expected a folder with .glb or .gltf files in it, got '.*none', which has none"],
])('are not %s', async (name, problem) => {
  const finding = gltfPaths([join(folder, name)], '--files')
  await expect(finding).rejects.toThrow(OptionError)
  await expect(finding).rejects.toThrow(new RegExp(`^--files: ${problem}$`))
})
