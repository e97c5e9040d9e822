/** Tests run on the compiled `dist`, the same files that users run, because worker threads and processes exist only there. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['dist/test/**/*.test.js'],
    // Node itself loads compiled files, so that coverage sees the same modules in tests, threads and processes.
    server: { deps: { external: [/\/dist\//] } },
    pool: 'forks',
    // Most of a process's time is spent loading modules, and these keep no state that tests could observe in each other.
    isolate: false,
    maxWorkers: '100%',
    globalSetup: ['dist/test/support/own-cache.js'],
    setupFiles: ['dist/test/support/flush-coverage.js', 'dist/test/support/equal-bytes.js'],
    // They end what hangs. A busy machine takes ten times as long as a quiet one, and that is no fault.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
