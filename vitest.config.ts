/** Tests run over the compiled `dist`, the very files that users run: worker threads and processes exist only there. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['dist/test/**/*.test.js'],
    // Compiled files are loaded by Node itself, so that coverage sees the same modules in tests, threads and processes.
    server: { deps: { external: [/\/dist\//] } },
    pool: 'forks',
    // Most of a process's time goes into loading modules, and those here keep no state that tests could see of each other.
    isolate: false,
    maxWorkers: '100%',
    globalSetup: ['dist/test/support/own-cache.js'],
    setupFiles: ['dist/test/support/flush-coverage.js'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
