// The program as people run it: a few files instead of 400 modules, which take three times as long to load.
import { defineConfig } from 'rolldown'

export default defineConfig({
  input: {
    sortfirst: 'dist/scripts/sortfirst.js',
    'scene-thread': 'dist/scripts/library/scene-thread.js',
    'tracer-thread': 'dist/worker/node/tracer-thread.js',
  },
  // Packages with native code or files of their own stay where they are.
  external: ['ws', 'lz4-napi', 'sharp', 'three', /^three\//],
  platform: 'node',
  output: { dir: 'dist/bundle/program', format: 'esm', cleanDir: true, chunkFileNames: '[name]-[hash].js' },
})
