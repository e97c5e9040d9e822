import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startSpare, startWorkerProcess } from '../../../scripts/library/worker-process.ts'
import { PROGRAM, sortfirst } from '../../support/program.ts'

/** A busy machine takes long to start a process, and one that is not there yet hears nothing. */
const PATIENCE_MS = 300_000

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

it('is quoted with the sentence that it ended with, and without its log', async () => {
  const worker = startWorkerProcess('worker-1', [
    `ws://127.0.0.1:${await deadPort()}`,
    '--retry-for',
    '0',
    '--accelerator',
    'none',
  ])
  expect(await worker.ended).toMatch(/^exit code 1: no master answered/)
})

it('ends when it is told to, while it still looks for a master', async () => {
  const worker = startWorkerProcess('worker-1', [`ws://127.0.0.1:${await deadPort()}`, '--retry-for', '3600'])
  await worker.started
  worker.leave(PATIENCE_MS)
  expect(await worker.ended).toMatch(/^exit code 0/)
})

it.skipIf(process.platform === 'win32')('that is killed is not quoted: its log does not know why', async () => {
  const worker = startWorkerProcess('worker-1', [`ws://127.0.0.1:${await deadPort()}`, '--retry-for', '3600'])
  await once(worker.child.stderr!, 'data')
  worker.child.kill('SIGKILL')
  expect(await worker.ended).toBe('SIGKILL')
})

it.skipIf(process.platform === 'win32')('is killed when it is told to end and cannot', async () => {
  const worker = startWorkerProcess('worker-1', [`ws://127.0.0.1:${await deadPort()}`, '--retry-for', '3600'])
  await worker.started
  worker.child.kill('SIGSTOP')
  worker.leave(0)
  expect(await worker.ended).toMatch(/^SIGKILL/)
  // To one that has ended, it is said in vain.
  worker.leave()
})

it('may have been started before it was known what for', async () => {
  const spare = startSpare()!
  const worker = spare.become('worker-1', [`ws://127.0.0.1:${await deadPort()}`, '--retry-for', '3600'])
  await worker.started
  worker.leave(PATIENCE_MS)
  expect(await worker.ended).toMatch(/^exit code 0: .*worker closed: its standard input ended/)
})

it('is started anew when the spare one has ended', async () => {
  const spare = startSpare()!
  const address = `ws://127.0.0.1:${await deadPort()}`
  const first = spare.become('worker-1', [address, '--retry-for', '0'])
  expect(await first.ended).toMatch(/^exit code 1/)
  const second = spare.become('worker-1', [address, '--retry-for', '0'])
  expect(second.child.pid).not.toBe(first.child.pid)
  expect(await second.ended).toMatch(/^exit code 1: .*no master answered/)
})

it('that nobody needed ends with whoever started it, and does not keep that one', async () => {
  const modules = new URL('../../../scripts/library/worker-process.js', import.meta.url)
  const script = `(await import('${modules}')).startSpare()`
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  expect(spawnSync(process.execPath, [PROGRAM, 'spare'], { input: '' })).toMatchObject({ status: 0, signal: null })
})

it('that a refused run does not need ends with that run', async () => {
  const spares = () =>
    `${execFileSync('ps', ['-o', 'args=', '--ppid', `${process.pid}`])}`.match(/sortfirst\.js spare$/gm) ?? []
  const noneIsLeft = async () => {
    while (spares().length > 0) await new Promise(resolve => setImmediate(resolve))
  }
  // Those of other files' runs may be about to end.
  await noneIsLeft()
  expect((await sortfirst(['render', 'corner', '--size', 'none'])).code).toBe(2)
  await noneIsLeft()
})
