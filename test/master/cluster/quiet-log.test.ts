import { expect, it } from 'vitest'
import { quietLog } from '../../../master/cluster/quiet-log.ts'

it('passes on a few warnings at a time, and counts the others', () => {
  const said: string[] = []
  const alarms: (() => void)[] = []
  const log = { info: (text: string) => said.push(`info ${text}`), warn: (text: string) => said.push(text) }
  const quiet = quietLog(log, wake => alarms.push(wake), { lines: 2, everyMs: 10_000 })
  for (let i = 1; i <= 100_000; i++) quiet.warn(`w${i}`)
  quiet.info('i')
  expect(said.splice(0)).toEqual(['w1', 'w2', 'info i'])
  expect(alarms).toHaveLength(1)
  alarms.pop()?.()
  expect(said.splice(0)).toEqual(['99998 more like these in the last 10 s'])
  quiet.warn('later')
  expect(said.splice(0)).toEqual(['later'])
  alarms.pop()?.()
  expect(said).toEqual([])
  expect(alarms).toEqual([])
})
