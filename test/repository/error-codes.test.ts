/** Every error code stands in ARCHITECTURE.md's table, and the table has no other. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

it('documents exactly the error codes there are', () => {
  const sources = ['shared', 'scenes', 'worker', 'master', 'scripts'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
      .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
  )
  const used = new Set(
    sources.flatMap(text => [...text.matchAll(/readonly code(?:: string)? = '([A-Z_]+)'/g)].map(match => match[1])),
  )
  const documented = [...readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(
    match => match[1],
  )
  expect(used.size).toBeGreaterThan(10)
  expect([...documented].sort()).toEqual([...used].sort())
})
