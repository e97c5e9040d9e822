/** The dependency ladder: shared ← scenes ← {master, worker} ← scripts, test; pure folders do no I/O; no cycles; no giants. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const FOLDERS = ['shared', 'scenes', 'worker', 'master', 'scripts', 'test'] as const
type Folder = (typeof FOLDERS)[number]

const MAY_IMPORT: Record<Folder, readonly Folder[]> = {
  shared: ['shared'],
  scenes: ['scenes', 'shared'],
  worker: ['worker', 'shared'],
  master: ['master', 'shared'],
  scripts: ['scripts', 'master', 'worker', 'scenes', 'shared'],
  test: FOLDERS,
}
/** Decisions: no I/O, no clock. */
const PURE = [
  'master/strategies',
  'master/costs',
  'master/scheduling',
  'master/assembly',
  'master/coverage',
  'master/simulator',
  'master/frames',
  'master/verification',
]

/** The kernel imports without an extension, as AssemblyScript wants it; programs that are started name what is compiled. */
const fileOf = (name: string) => `${name.replaceAll('\\', '/').replace(/\.[jt]s$/, '')}.ts`

const files = FOLDERS.flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
    .map(entry => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
).map(path => {
  const text = readFileSync(join(root, path), 'utf8')
  const names = [
    ...text.matchAll(/^(?:import|export)\b[^'"]*?from\s+['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)/gm),
  ].map(match => match[1] ?? match[2]!)
  const local = names.filter(name => name.startsWith('.')).map(name => fileOf(join(dirname(path), name)))
  return { path, text, packages: names.filter(name => !name.startsWith('.')), local }
})
const folderOf = (path: string) => path.split('/')[0] as Folder

describe('the tree', () => {
  it('is read at all', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(files.flatMap(file => file.local).length).toBeGreaterThan(100)
  })

  it('is read to its last import: each leads to a file', () => {
    const paths = new Set(files.map(({ path }) => path))
    const lost = files.flatMap(({ path, local }) =>
      local.filter(target => !paths.has(target)).map(target => `${path} imports ${target}`),
    )
    expect(lost).toEqual([])
    expect(files.find(({ path }) => path.endsWith('kernel/ambient/wave.ts'))?.local).toContain(
      'worker/engine/wasm/kernel/trace/trace.ts',
    )
  })

  it('has only the folders of the design', () => {
    const folders = readdirSync(root, { withFileTypes: true })
      .filter(entry => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(entry => entry.name)
    const made = ['node_modules', 'dist', 'out', 'coverage']
    expect(folders.filter(name => !made.includes(name)).sort()).toEqual([...FOLDERS].sort())
  })

  it('has no arrow against the ladder', () => {
    const wrong = files.flatMap(({ path, local }) =>
      local
        .filter(target => !MAY_IMPORT[folderOf(path)].includes(folderOf(target)))
        .map(target => `${path} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('has a kernel that imports nothing but itself, and that nothing else imports', () => {
    const kernel = 'worker/engine/wasm/kernel/'
    const inside = (path: string) => path.startsWith(kernel)
    const wrong = files.flatMap(({ path, packages, local }) => [
      ...local.filter(target => inside(path) && !inside(target)).map(target => `${path} imports ${target}`),
      ...packages.filter(() => inside(path)).map(name => `${path} imports ${name}`),
      ...local.filter(target => !inside(path) && inside(target)).map(target => `${path} imports ${target}`),
    ])
    expect(wrong).toEqual([])
  })

  it('has integrators that know nothing of each other, over surfaces that know of neither', () => {
    const kernel = 'worker/engine/wasm/kernel/'
    const roomOf = (path: string) => (path.startsWith(kernel) ? path.slice(kernel.length).split('/')[0]! : '')
    const MAY_NOT: Record<string, readonly string[]> = {
      ambient: ['path'],
      path: ['ambient'],
      surface: ['ambient', 'path'],
    }
    const wrong = files.flatMap(({ path, local }) =>
      local
        .filter(target => MAY_NOT[roomOf(path)]?.includes(roomOf(target)))
        .map(target => `${path} imports ${target}`),
    )
    expect(wrong).toEqual([])
    // Each of the rooms is there, and uses what it may.
    const uses = (room: string, other: string) =>
      files.some(({ path, local }) => roomOf(path) === room && local.some(target => roomOf(target) === other))
    expect([uses('ambient', 'surface'), uses('path', 'surface'), uses('surface', 'trace')]).toEqual([true, true, true])
  })

  it('runs shared anywhere: node: and native packages only under shared/**/node', () => {
    const nodeOnly = (name: string) => name.startsWith('node:') || ['ws', 'lz4-napi', 'sharp'].includes(name)
    const wrong = files
      .filter(({ path }) => folderOf(path) === 'shared' && !path.includes('/node/'))
      .filter(({ packages, local }) => packages.some(nodeOnly) || local.some(name => name.includes('/node/')))
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  it('traces anywhere: of the worker, only its Node rim needs Node', () => {
    // The process itself: its options and connection, and how it is held.
    const RIM = ['main', 'options', 'cpu-limit'].map(name => `worker/${name}.ts`)
    const isRim = (path: string) => path.includes('/node/') || RIM.includes(path)
    const global = /\b(?:process|Buffer|setImmediate|require|__dirname)\b\s*[.(]/
    const wrong = files
      .filter(({ path }) => folderOf(path) === 'worker' && !isRim(path))
      .filter(
        ({ packages, local, text }) =>
          packages.length > 0 || local.some(isRim) || global.test(text.replaceAll(/\/\*[\s\S]*?\*\//g, '')),
      )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  it('decides without I/O, clocks or chance', () => {
    const impure =
      /\bfrom 'node:|\bDate\.now|performance\.now|Math\.random|\bprocess\.|\bconsole\.|setTimeout|setInterval/
    const wrong = files.filter(
      ({ path, text }) =>
        PURE.some(folder => path.startsWith(`${folder}/`)) && impure.test(text.replaceAll(/\/\*[\s\S]*?\*\//g, '')),
    )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  it('has no import cycle', () => {
    const imports = new Map(files.map(({ path, local }) => [path, local]))
    const done = new Set<string>()
    const visit = (path: string, trail: readonly string[]): string[] => {
      if (trail.includes(path)) return [[...trail.slice(trail.indexOf(path)), path].join(' → ')]
      if (done.has(path)) return []
      const found = (imports.get(path) ?? []).flatMap(target => visit(target, [...trail, path]))
      done.add(path)
      return found
    }
    expect(files.flatMap(({ path }) => visit(path, []))).toEqual([])
  })

  it('has no file that needs a table of contents', () => {
    const isGenerated = (path: string) => path === 'worker/engine/wasm/kernel/records.ts'
    const long = files.filter(({ path, text }) => !isGenerated(path) && text.split('\n').length > 500)
    expect(long.map(({ path }) => path)).toEqual([])
  })
})
