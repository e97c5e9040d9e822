import { expect, it } from 'vitest'
import { boundedLog } from '../../../master/cluster/bounded-log.ts'

it('leaves out what is too much, and says how much that was', () => {
  let now = 0
  const lines: string[] = []
  const hear = (line: string) => void lines.push(line)
  const log = boundedLog({ info: hear, warn: hear }, { now: () => now }, { lines: 3, inMs: 1000 })
  for (let i = 0; i < 10; i++) (i % 2 ? log.info : log.warn)(`line ${i}`)
  expect(lines).toEqual(['line 0', 'line 1', 'line 2'])
  now = 1000
  log.info('later')
  expect(lines.slice(3)).toEqual(['7 lines were left out of this log: more than 3 in 1 s', 'later'])
})
