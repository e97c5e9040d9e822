/** Writes the coverage of a test file when it is done: the process that ran it may be ended before it could. */
import { takeCoverage } from 'node:v8'
import { afterAll } from 'vitest'

afterAll(() => {
  if (process.env.NODE_V8_COVERAGE) takeCoverage()
})
