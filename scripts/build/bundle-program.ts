/**
 * Build step: bundles the program into a few files, because its 400 modules take three times as long to load. Packages
 * with native code or data files are left external.
 */
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { BUNDLE, moduleUrl } from '../../shared/node/program-files.ts'

const pathOf = (path: string): string => fileURLToPath(moduleUrl(path))

rmSync(pathOf(BUNDLE), { recursive: true, force: true })
await build({
  entryPoints: [
    'scripts/sortfirst.js',
    'scripts/library/scene-thread.js',
    'scripts/run/encoding-thread.js',
    'worker/node/tracer-thread.js',
    'worker/node/device-process.js',
  ].map(pathOf),
  outdir: pathOf(BUNDLE),
  entryNames: '[name]',
  chunkNames: '[name]-[hash]',
  ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning' },
  // Runs at every start. Names stay, and lines are short enough for useful stack traces.
  ...{ minifySyntax: true, minifyWhitespace: true, lineLimit: 160 },
  external: ['lz4-napi', 'sharp', 'esbuild', 'draco3dgltf', 'playwright-core'],
  // For packages that are not ES modules and `require` parts of Node.js.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
})
