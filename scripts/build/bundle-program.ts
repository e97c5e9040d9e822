/**
 * Build step: bundles the program into a few files, because its 400 modules take three times as long to load. Packages
 * with native code or data files are left external.
 */
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { BUNDLE, moduleUrl } from '../../shared/node/program-files.ts'

const pathOf = (path: string): string => fileURLToPath(moduleUrl(path))

/** three's own bundle is one module of 1.4 MB, most of which stays; of its sources, the modules that are not used are left out. */
const threeSources: Plugin = {
  name: 'three-sources',
  setup: ({ onResolve, resolve }) =>
    onResolve({ filter: /^three$/ }, ({ kind, importer, resolveDir }) =>
      resolve('three/src/Three.js', { kind, importer, resolveDir }),
    ),
}

const COMMON: BuildOptions = {
  outdir: pathOf(BUNDLE),
  entryNames: '[name]',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  // Runs at every start. Names stay, and lines are short enough for useful stack traces.
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 160,
  external: ['lz4-napi', 'sharp', 'esbuild', 'draco3dgltf', 'playwright-core'],
  plugins: [threeSources],
  // For packages that are not ES modules and `require` parts of Node.js.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
}

rmSync(pathOf(BUNDLE), { recursive: true, force: true })
await build({
  ...COMMON,
  entryPoints: ['scripts/sortfirst.js', 'scenes/loading/scene-thread.js', 'worker/node/device-process.js'].map(pathOf),
  splitting: true,
  chunkNames: '[name]-[hash]',
})
// A thread has modules of its own, even if the program has loaded the same. One file with nothing but what it uses loads sooner than
// parts of the program, which contain what others use.
await build({
  ...COMMON,
  entryPoints: ['scripts/film/encoding-thread.js', 'worker/node/tracer-thread.js', 'master/planes/plane-thread.js'].map(
    pathOf,
  ),
})
