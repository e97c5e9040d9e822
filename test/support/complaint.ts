/** What every complaint of the program looks like: one clear sentence, the right exit code, no stack trace. */
import { expect } from 'vitest'
import type { Outcome } from './program.ts'

/** What a program said, line by line, but for how long its steps take: on a busy machine any of them is a long one. */
export const saidIn = (stderr: string): string[] =>
  stderr
    .trim()
    .split('\n')
    .filter(line => line !== '' && !/: (\d+ s so far|took .*)$/.test(line))

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
