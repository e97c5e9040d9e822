/** Tests run on the compiled `dist`, the same files that users run, because worker threads and processes exist only there. */
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { secondTries } from './test/support/second-tries.ts'
import { soFar } from './test/support/so-far.ts'

/**
 * Small files that take long. What is begun last delays the end, and where no run is remembered, the largest files are begun first.
 * `level` counts all objects of its process again and again, and those of the files before it stay.
 */
const LONG =
  /\/(level|bench-pictures|motion|balance|sampling|no-cache-folder|two-runs|damaged-frames|compare-resume)\.test\.js$/

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))]
  }
}

const soFarReporter = soFar({
  write: line => console.log(line),
  now: () => performance.now(),
  repeat(wake, everyMs) {
    const timer = setInterval(wake, everyMs)
    return () => clearInterval(timer)
  },
})

/** File that gets the results, for programs. */
const { TESTS_JSON } = process.env

export default defineConfig({
  test: {
    include: ['dist/test/**/*.test.js'],
    // Node itself loads compiled files, so that coverage sees the same modules in tests, threads and processes.
    server: { deps: { external: [/\/dist\//] } },
    pool: 'forks',
    // Most of a process's time is spent loading modules, and these keep no state that tests could observe in each other.
    isolate: false,
    maxWorkers: '100%',
    sequence: { sequencer: LongFirst },
    reporters: [
      'default',
      soFarReporter,
      secondTries(line => console.log(line)),
      ...(TESTS_JSON ? [['json', { outputFile: TESTS_JSON }] as const] : []),
    ],
    globalSetup: ['dist/test/support/own-cache.js'],
    setupFiles: ['dist/test/support/flush-coverage.js', 'dist/test/support/equal-bytes.js'],
    // They end what hangs. A busy machine takes ten times as long as a quiet one, and that is no fault.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 300_000 } },
  },
})
