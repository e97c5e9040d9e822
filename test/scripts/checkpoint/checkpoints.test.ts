/** When checkpoints are kept. */
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import type { CheckpointPorts } from '../../../scripts/checkpoint/checkpoints.ts'
import { Checkpoints } from '../../../scripts/checkpoint/checkpoints.ts'

it('set no alarm that outlives them: the program would wait for it', async () => {
  const alarms = new Set<() => void>()
  const unused = () => Promise.reject(new Error('nothing is to be kept'))
  const ports: CheckpointPorts = {
    folder: { path: tmpdir(), make: unused, write: unused, remove: unused, check: unused } as never,
    worker: { do: unused as never, close: () => Promise.resolve() },
    everyMs: 60_000,
    now: () => 0,
    alarm: wake => {
      alarms.add(wake)
      return () => alarms.delete(wake)
    },
    info: () => {},
    warn: () => {},
    encode: unused,
  }
  const of = { film: {}, kernel: 'k', size: [4, 4], channels: ['light'], look: {} } as never
  const checkpoints = new Checkpoints(of, ports)
  const nothing = () => Promise.resolve(undefined)
  checkpoints.begun(0, nothing)
  checkpoints.begun(1, nothing)
  expect(alarms.size).toBe(2)
  await checkpoints.givenUp(0)
  expect(alarms.size).toBe(1)
  await checkpoints.end()
  expect(alarms.size).toBe(0)
})
