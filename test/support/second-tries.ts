/**
 * A reporter of tests: which of them passed only when they were tried again (`--retry`), and why they failed before. Such a test, or what it
 * tests, goes by luck: nothing else would say so at the end of a run that passed.
 */
import type { Reporter, TestCase } from 'vitest/node'

/** What it needs of a test. */
export type Tried = Pick<TestCase, 'fullName'> & {
  readonly module: Pick<TestCase['module'], 'relativeModuleId'>
  diagnostic(): Pick<NonNullable<ReturnType<TestCase['diagnostic']>>, 'flaky'> | undefined
  result(): { readonly errors?: readonly Failure[] | undefined }
}

/** A property says in its cause what was wrong. */
interface Failure {
  readonly message: string
  readonly cause?: unknown
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
      for (const { message, cause } of test.result().errors ?? []) {
        lines.push(message.replace(/^/gm, '    '))
        if (hasMessage(cause)) lines.push(`because: ${cause.message}`.replace(/^/gm, '    '))
      }
    },
    onTestRunEnd() {
      if (lines.length > 0) write(['passed only when tried again; find out why:', ...lines].join('\n'))
      lines.length = 0
    },
  }
}

const hasMessage = (cause: unknown): cause is { readonly message: string } =>
  typeof cause === 'object' && cause !== null && 'message' in cause
