/**
 * A step of the build: the program as people run it, a few files instead of 400 modules, which take three times as long to load. Packages
 * with native code or files of their own stay where they are.
 */
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { BUNDLE, moduleUrl } from '../../shared/node/program-files.ts'

const pathOf = (path: string): string => fileURLToPath(moduleUrl(path))

rmSync(pathOf(BUNDLE), { recursive: true, force: true })
await build({
  entryPoints: ['scripts/sortfirst.js', 'scripts/library/scene-thread.js', 'worker/node/tracer-thread.js'].map(pathOf),
  outdir: pathOf(BUNDLE),
  entryNames: '[name]',
  chunkNames: '[name]-[hash]',
  ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning' },
  // What is read at every start. Names stay, and lines short enough that a stack trace says where.
  ...{ minifySyntax: true, minifyWhitespace: true, lineLimit: 160 },
  external: ['lz4-napi', 'sharp', 'esbuild'],
  // For packages that are no modules, and ask for parts of Node.js in their own way.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
})
