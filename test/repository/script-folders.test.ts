/** Folders of scripts/ are layers: none imports, directly or through others, a folder that imports it. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../scripts', import.meta.url))

/** Every import between two folders: the folders, and the files it was found in. */
const arrows = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
  .flatMap(entry => {
    const path = join(entry.parentPath, entry.name)
    const names = [...readFileSync(path, 'utf8').matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g)]
    return names.map(([, stated, loaded]) => ({ path, target: join(dirname(path), stated ?? loaded ?? '') }))
  })
  .map(({ path, target }) => ({
    from: relative(root, dirname(path)),
    to: relative(root, dirname(target)),
    text: `${relative(root, path)} imports ${relative(root, target)}`,
  }))
  .filter(({ from, to }) => from !== to && !to.startsWith('..'))

it('has no circle of folders', () => {
  expect(arrows.length).toBeGreaterThan(50)
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const { to } of arrows.filter(arrow => arrow.from === from)) if (!seen.has(to)) reach(to, seen.add(to))
    return seen
  }
  expect(arrows.filter(({ from, to }) => reach(to).has(from)).map(({ text }) => text)).toEqual([])
})
