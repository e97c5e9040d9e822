import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { startWorkerProcess } from '../../../scripts/library/worker-process.ts'

/** A port where nobody answers. */
async function deadPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

it('ends by itself when it finds no master, though whoever started it is still there', async () => {
  const worker = startWorkerProcess('worker-1', [`ws://127.0.0.1:${await deadPort()}`, '--retry-for', '0'])
  expect(await worker.ended).toMatch(/^exit code 1: .*no master answered/)
})

it('ends when it is told to, while it still looks for a master', async () => {
  const worker = startWorkerProcess('worker-1', [`ws://127.0.0.1:${await deadPort()}`, '--retry-for', '3600'])
  await worker.started
  worker.leave()
  expect(await worker.ended).toMatch(/^exit code 0/)
})
