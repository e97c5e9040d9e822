/** What every complaint of the program looks like: one clear sentence, the right exit code, no stack trace. */
import { expect } from 'vitest'
import type { Outcome } from './program.ts'

export function expectSentence(
  { code, stdout, stderr }: Outcome,
  exitCode: number,
  ...parts: readonly (string | RegExp)[]
): void {
  const complaint = stderr.trim().split('\n').at(-1)!
  for (const part of parts) expect(complaint).toMatch(part)
  expect(complaint).toMatch(/^sortfirst: \S/)
  expect(stderr).not.toMatch(/^\s+at /m)
  expect(stdout).toBe('')
  expect(code).toBe(exitCode)
}
