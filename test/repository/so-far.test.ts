import { expect, it } from 'vitest'
import { soFar } from '../support/so-far.ts'

function begun(files: number) {
  const lines: string[] = []
  let time = 0
  let wake: (() => void) | undefined
  const reporter = soFar({
    write: line => lines.push(line),
    now: () => time,
    repeat: (again, everyMs) => {
      wake = () => {
        time += everyMs
        again()
      }
      return () => {
        wake = undefined
      }
    },
  })
  reporter.onTestRunStart({ length: files })
  return { reporter, lines, wake: () => wake?.() }
}

it('says how long all tests take, and how far they have come', () => {
  const { reporter, lines, wake } = begun(900)
  expect(lines).toEqual([expect.stringMatching(/^900 files of tests: about a quarter of an hour/)])
  wake()
  reporter.onTestModuleEnd()
  wake()
  expect(lines.slice(1)).toEqual([
    '0 of 900 files of tests done, 30 s so far',
    '1 of 900 files of tests done, 60 s so far',
  ])
  reporter.onTestRunEnd([], [], 'passed')
  wake()
  expect(lines).toHaveLength(3)
})

it('does not know how long some of them take', () => {
  expect(begun(3).lines).toEqual([])
})
