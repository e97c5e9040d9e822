import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
/** Functions whose last bit the language leaves to the platform. */
const INEXACT =
  /\bMath\.(?:a?(?:sin|cos|tan)h?|atan2|pow|exp|expm1|log|log2|log10|log1p|hypot|cbrt|random)\b|\*\*(?!\s*-?\d+\b)/g
/** Files whose numbers never come near a pixel. */
const NO_PIXELS = [
  'shared/protocol/cell-costs.ts',
  'shared/dashboard/drawing/gantt.ts',
  'shared/dashboard/drawing/layers.ts',
  'shared/dashboard/drawing/tile-map.ts',
  'shared/dashboard/film-eta.ts',
  'shared/dashboard/sample-grid.ts',
  'shared/dashboard/worker-colors.ts',
  // The cameras that a page flies are named in numbers, as those that people type.
  'shared/page/flight.ts',
  'shared/page/view-words.ts',
  'shared/page/warp-view.ts',
  // Its constants are whole numbers, and the same on every machine: tests hash what others have hashed.
  'shared/sha256.ts',
  'worker/browser/tab.ts',
  // Rays that an adapter is tried with.
  'worker/engine/webgpu/probe.ts',
]

it('makes no pixel with functions that differ between machines', () => {
  const used = ['worker', 'shared'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
      .flatMap(entry => {
        const path = join(entry.parentPath, entry.name)
        if (NO_PIXELS.some(file => path === join(root, file))) return []
        const code = readFileSync(path, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
        return [...code.matchAll(INEXACT)].map(match => `${path}: ${match[0]}`)
      }),
  )
  expect(used).toEqual([])
})
