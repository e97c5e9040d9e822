/**
 * A reporter of tests: which of them passed only when they were tried again (`--retry`), and why they failed before. Such a test, or what it
 * tests, goes by luck: nothing else would say so at the end of a run that passed.
 */
import type { Reporter, TestCase } from 'vitest/node'

/** What it needs of a test. */
export type Tried = Pick<TestCase, 'fullName'> & {
  readonly module: Pick<TestCase['module'], 'relativeModuleId'>
  diagnostic(): Pick<NonNullable<ReturnType<TestCase['diagnostic']>>, 'flaky'> | undefined
  result(): { readonly errors?: readonly { readonly message: string }[] | undefined }
}

export interface SecondTries extends Pick<Required<Reporter>, 'onTestRunEnd'> {
  onTestCaseResult(test: Tried): void
}

/** @param write takes a line */
export function secondTries(write: (line: string) => void): SecondTries {
  const lines: string[] = []
  return {
    onTestCaseResult(test) {
      if (!test.diagnostic()?.flaky) return
      lines.push(`  ${test.module.relativeModuleId} > ${test.fullName}`)
      for (const { message } of test.result().errors ?? []) lines.push(message.replace(/^/gm, '    '))
    },
    onTestRunEnd() {
      if (lines.length > 0) write(['passed only when tried again; find out why:', ...lines].join('\n'))
      lines.length = 0
    },
  }
}
