import { expect, it } from 'vitest'
import { secondTries, type Tried } from '../support/second-tries.ts'

const tried = (fullName: string, flaky: boolean, ...messages: string[]): Tried => ({
  fullName,
  module: { relativeModuleId: 'dist/test/film.test.js' },
  diagnostic: () => ({ flaky }),
  result: () => ({ errors: messages.map(message => ({ message })) }),
})

it('names tests that passed only when they were tried again, and says why they failed before', () => {
  const lines: string[] = []
  const reporter = secondTries(line => lines.push(line))
  reporter.onTestCaseResult(tried('a film > has frames', true, 'expected 1\nto be 0'))
  reporter.onTestCaseResult(tried('a film > has an end', false))
  reporter.onTestCaseResult(tried('a film > has sound', false, 'expected 3 to be 4'))
  reporter.onTestRunEnd([], [], 'passed')
  expect(lines).toEqual([
    'passed only when tried again; find out why:\n  dist/test/film.test.js > a film > has frames\n    expected 1\n    to be 0',
  ])
})

it('says what was wrong of a property, too', () => {
  const lines: string[] = []
  const reporter = secondTries(line => lines.push(line))
  const errors = [{ message: 'Property failed', cause: { message: 'expected 1 to be 2' } }]
  reporter.onTestCaseResult({ ...tried('a film', true), result: () => ({ errors }) })
  reporter.onTestRunEnd([], [], 'passed')
  expect(lines[0]).toContain('    Property failed\n    because: expected 1 to be 2')
})

it('is silent where every test passed at once', () => {
  const reporter = secondTries(line => expect.fail(line))
  reporter.onTestCaseResult(tried('a film > has frames', false))
  reporter.onTestRunEnd([], [], 'passed')
})
