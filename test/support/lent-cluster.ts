/**
 * A master and a worker of this process, lent to the commands of a test file that need a cluster and do not mind which: without a worker
 * process of its own, a small film takes a quarter of the time.
 */
import { afterAll, beforeAll } from 'vitest'
import { startMaster } from '../../scripts/library/master.ts'
import { startWorker } from '../../scripts/library/worker.ts'

/** To be called while tests are declared. @returns the words of a command that has it render, which exist when tests run */
export function lentCluster(): () => readonly string[] {
  let words: readonly string[] = []
  let close = async () => {}
  beforeAll(async () => {
    const master = await startMaster({ listen: '127.0.0.1:0' })
    const worker = startWorker({ master: master.url, threads: 1, cache: false })
    words = ['--master', master.url]
    close = async () => {
      await worker.close()
      await master.close()
    }
  })
  afterAll(() => close())
  return () => words
}
