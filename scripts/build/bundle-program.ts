/**
 * Build step: bundles the program and the library into a few files, because their 400 modules take three times as long to load, and
 * the package is smaller without them. Packages with native code or data files are left external.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import {
  ENGINE_MODULE,
  LOADER_MODULE,
  MODULE_HASHES,
  moduleFingerprint,
  moduleHash,
} from '../../shared/node/module-fingerprint.ts'
import { BUNDLE, COMMIT_FILE, moduleUrl } from '../../shared/node/program-files.ts'
import { compact } from '../../worker/engine/webgpu/compact.ts'
import { commitOf } from './commit.ts'
import { licencesOf } from './licences.ts'
import { twoThrees, withPackage } from './two-threes.ts'

const pathOf = (path: string): string => fileURLToPath(moduleUrl(path))

/** The page has a camera and controls of three's: from its bundle, they would bring three times as much with them. */
const partsOfThree: Plugin = {
  name: 'parts-of-three',
  setup: ({ onResolve, resolve }) =>
    onResolve({ filter: /^three$/ }, () =>
      resolve('three/src/Three.Core.js', { kind: 'import-statement', resolveDir: pathOf('..') }),
    ),
}

/**
 * Texts for people that bundlers take for code: comments and indentation of shaders, which are templates, and what fields of records mean (they are the
 * only strings with spaces in those modules). Four bundles have the records.
 */
const withoutExplanations: Plugin = {
  name: 'without-explanations',
  setup: ({ onLoad }) => {
    const edited = (filter: RegExp, edit: (text: string) => string) =>
      onLoad({ filter }, ({ path }) => ({ contents: edit(readFileSync(path, 'utf8')) }))
    edited(/worker[\\/]engine[\\/]webgpu[\\/]kernel[\\/].*\.js$/, compact)
    edited(/worker[\\/]engine[\\/]wasm[\\/]records[\\/].*\.js$/, text =>
      text.replaceAll(/'([^'\n]*)'/g, (whole, words: string) => (words.includes(' ') ? "''" : whole)),
    )
  },
}

const COMMON = {
  absWorkingDir: pathOf('..'),
  outdir: pathOf(BUNDLE),
  entryNames: '[name]',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  // Runs at every start. Functions and classes keep their names, and lines are short enough, for useful stack traces.
  minifySyntax: true,
  minifyWhitespace: true,
  minifyIdentifiers: true,
  keepNames: true,
  lineLimit: 160,
  external: ['lz4-napi', 'sharp', 'draco3dgltf', 'webgpu'],
  plugins: [twoThrees, withoutExplanations],
  // For packages that are not ES modules and `require` parts of Node.js.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  // Notices are gathered in one file.
  ...{ legalComments: 'external', metafile: true, write: false },
} as const satisfies BuildOptions

/** Names in the bundle, and modules. */
const PROGRAMS: Readonly<Record<string, string>> = {
  sortfirst: pathOf('scripts/sortfirst.js'),
  'scene-thread': pathOf('scenes/loading/scene-thread.js'),
  'device-process': pathOf('worker/node/device-process.js'),
  library: withPackage(pathOf('scripts/library/index.js')),
  'module-thread': withPackage(pathOf('scenes/loading/scene-thread.js')),
  // Starts once a film, and checks what it reads by the program's schemas.
  'checkpoint-thread': pathOf('scripts/checkpoint/checkpoint-thread.js'),
  // Starts with the first page that wants to know what other strategies would have taken.
  'guess-thread': pathOf('master/page/what-if/guess-thread.js'),
  // Node.js may load it by its name, into a thread.
  'resolve-three': pathOf('scenes/module/resolve-three.js'),
}
const THREADS = ['scripts/film/encoding-thread.js', 'worker/node/tracer-thread.js', 'master/planes/plane-thread.js']

/** Of an engine whose kernel is this one, in whatever program. */
const fingerprint = moduleFingerprint(ENGINE_MODULE, readFileSync(pathOf('worker/engine/wasm/kernel.wasm')))

const made = [
  await build({ ...COMMON, entryPoints: PROGRAMS, ...{ splitting: true, chunkNames: '[name]-[hash]' } }),
  // A thread has modules of its own, even if the program has loaded the same. One file with nothing but what it uses loads sooner than
  // parts of the program, which contain what others use.
  await build({ ...COMMON, entryPoints: THREADS.map(pathOf) }),
  // The master's page, and that of a tab that traces, for browsers of the last years.
  await build({
    ...COMMON,
    entryPoints: {
      page: pathOf('master/page/browser/main.js'),
      join: pathOf('master/page/browser/join.js'),
      tab: pathOf('worker/browser/main.js'),
    },
    ...{
      platform: 'browser' as const,
      target: 'es2022',
      minify: true,
      keepNames: false,
      banner: {},
      plugins: [partsOfThree, withoutExplanations],
    },
    define: { KERNEL_FINGERPRINT: JSON.stringify(fingerprint) },
  }),
]

const folder = pathOf(BUNDLE)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const notices = new Set<string>()
for (const { path, text, contents } of made.flatMap(({ outputFiles }) => outputFiles)) {
  if (!path.endsWith('.LEGAL.txt')) writeFileSync(folder + basename(path), contents)
  else for (const notice of text.split(/(?<=\*\/)\s*/)) if (notice.trim()) notices.add(notice.trim())
}
const pageFile = (name: string): string => pathOf(`../master/page/browser/${name}`)
// A page that is written, and has all inside: its dashboard is the page's.
const report = await build({
  ...COMMON,
  entryPoints: { report: pathOf('master/page/browser/report.js'), style: pageFile('dashboard/dashboard.css') },
  ...{ platform: 'browser', target: 'es2022', format: 'iife', minify: true, keepNames: false, banner: {} },
})
const reportFile = (name: string) => report.outputFiles.find(({ path }) => basename(path) === name)!.text.trim()
const inReport = { script: reportFile('report.js'), style: reportFile('style.css') }
writeFileSync(`${folder}report.json`, JSON.stringify(inReport))
for (const name of ['page.html', 'page.svg', 'join.html', 'join.css']) copyFileSync(pageFile(name), folder + name)
const styles = ['page.css', 'tools/tools.css', 'dashboard/dashboard.css'].map(name =>
  readFileSync(pageFile(name), 'utf8'),
)
writeFileSync(`${folder}page.css`, styles.join(''))
writeFileSync(
  `${folder}LICENCES.txt`,
  licencesOf(
    pathOf('..'),
    made.map(({ metafile }) => metafile),
    notices,
  ),
)
const hashes = [ENGINE_MODULE, LOADER_MODULE].map(path => [path, moduleHash(moduleUrl(path))])
writeFileSync(folder + MODULE_HASHES, JSON.stringify(Object.fromEntries(hashes)))

// Not in a program: built of another commit, equal programs are equal files.
const commit = commitOf(pathOf('..'), process.env.SORTFIRST_COMMIT)
if (commit !== undefined) writeFileSync(folder + COMMIT_FILE, `${commit}\n`)
