/** Programs that are given a log that throws: nothing that they do depends on it. */

import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { connect, startCluster } from '../../scripts/library/cluster.ts'
import { startMaster } from '../../scripts/library/master.ts'
import { render } from '../../scripts/library/render.ts'
import { startWorker } from '../../scripts/library/worker.ts'
import type { Log } from '../../shared/text/log.ts'

const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

const mesh = fileURLToPath(new URL('../../../test/support/tent.obj', import.meta.url))
const quick = { size: [64, 36] as const, samples: 1, ambientRays: 1, frames: 3 }

/** Logs that throw, one at once and one later. */
const LOGS: [string, (lines: string[]) => Log][] = [
  [
    'throws',
    lines => {
      const fail = (text: string) => {
        lines.push(text)
        throw new Error('the disk is full')
      }
      return { info: fail, warn: fail }
    },
  ],
  [
    'rejects',
    lines => {
      const fail = async (text: string): Promise<void> => {
        lines.push(text)
        throw new Error('the disk is full')
      }
      return { info: fail, warn: fail }
    },
  ],
]

it.each(LOGS)('a master, its workers and clients go on with a log that %s', async (_, logTo) => {
  const lines: string[] = []
  const log = logTo(lines)
  const master = await startMaster({ listen: '127.0.0.1:0', log })
  endings.push(() => master.close())
  for (const name of ['anna', 'bert']) {
    const worker = startWorker({ master: master.url, name, threads: 1, cache: false, log })
    endings.push(() => worker.close())
  }
  const cluster = await connect(master.url, { workers: 2, reconnect: 1, log })
  endings.push(() => cluster.close())
  const frames: number[] = []
  for await (const { frame } of render(mesh, { ...quick, cluster, log })) frames.push(frame)
  expect(frames).toEqual([0, 1, 2])
  expect(
    master
      .connected()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['anna', 'bert'])
  // A master's, a worker's, and a client's.
  for (const words of [/worker anna joined/, /^joined ws:.* as anna$/, /workers are ready; tracing/])
    expect(lines.some(line => words.test(line))).toBe(true)
})

it.each(LOGS)('an embedded cluster goes on with a log that %s', async (_, logTo) => {
  const lines: string[] = []
  const log = logTo(lines)
  const cluster = await startCluster({ workers: 2, threads: 1, cache: false, log })
  endings.push(() => cluster.close())
  const frames: number[] = []
  for await (const { frame } of render(mesh, { ...quick, cluster, log })) {
    frames.push(frame)
    if (frame === 0) process.kill(cluster.processIds![0]!, 'SIGKILL')
  }
  expect(frames).toEqual([0, 1, 2])
  expect(lines.length).toBeGreaterThan(0)
})
