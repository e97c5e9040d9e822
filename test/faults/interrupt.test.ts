/**
 * One Ctrl-C, or a polite kill, ends every program, also while the one on the other end of its line does not answer. What a
 * program says when it ends.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectToCluster } from '../../scripts/library/remote-cluster.ts'
import { CancelledError } from '../../shared/errors.ts'
import { silentLog } from '../../shared/text/log.ts'
import { runWorker } from '../../worker/main.ts'
import { type Running, start } from '../support/program.ts'

const mesh = new URL('../../../test/support/tent.obj', import.meta.url).pathname
/** More frames than are ever made. */
const MANY = 50_000
let folder: string
let master: Running
let url: string
const running: Running[] = []
const servers: Server[] = []

const run = (args: string[]): Running => {
  const program = start(args)
  running.push(program)
  return program
}
const render = (name: string, frames: number, address = url, more: string[] = []): Running => {
  const quick = ['--size', '64x36', '--samples', '1', '--ambient-rays', '1', ...more]
  return run(['render', mesh, ...quick, '--frames', `${frames}`, '--out', join(folder, name), '--master', address])
}
/** Somebody who takes a connection and says nothing at all, as a master's machine does while the master is stopped. */
const mute = async (): Promise<{ address: string; called: Promise<unknown> }> => {
  const server = createServer()
  servers.push(server)
  const called = once(server, 'connection')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { address: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, called }
}
/** Without the programs' own limits most of these would take for ever. A close that is not answered: `contracts/channel.test.ts`. */
const expectEnd = async (program: Running, signal: NodeJS.Signals, code: number) =>
  expect(await program.stop(signal)).toBe(code)

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  master = run(['master', '--listen', '127.0.0.1:0'])
  url = /ws:\S+/.exec(await master.line(/listens on/))![0]
})
afterEach(async () => {
  await Promise.all(running.splice(0).map(program => program.stop('SIGKILL')))
  for (const server of servers.splice(0)) server.close()
  rmSync(folder, { recursive: true, force: true })
})

const hire = async (): Promise<Running> => {
  const worker = run(['worker', url, '--name', 'anna'])
  await worker.line(/joined/)
  return worker
}

describe('a polite kill', () => {
  it('ends a master whose worker is stopped', async () => {
    const worker = await hire()
    worker.child.kill('SIGSTOP')
    await expectEnd(master, 'SIGTERM', 143)
  })

  it('ends a worker whose master is stopped', async () => {
    const worker = await hire()
    master.child.kill('SIGSTOP')
    await expectEnd(worker, 'SIGTERM', 143)
  })

  it('ends a worker that has not reached its master yet', async () => {
    const { address, called } = await mute()
    const worker = run(['worker', address, '--retry-for', '600'])
    await called
    await expectEnd(worker, 'SIGTERM', 143)
  })
})

describe('the first Ctrl-C', () => {
  it('ends a client that shares the cluster with another one', async () => {
    await hire()
    const first = render('first', MANY)
    await first.line(/frame\s+2 /)
    const second = render('second', MANY)
    await second.line(/sharing the cluster with 1 other session/)
    await expectEnd(second, 'SIGINT', 130)
    await expectEnd(first, 'SIGINT', 130)
  })

  it('ends a client that waits for workers', async () => {
    const client = render('film', 2)
    await client.line(/waiting for 1 worker, for up to 60 s$/)
    await expectEnd(client, 'SIGINT', 130)
  })

  it('ends a client whose master is stopped in the middle of a film', async () => {
    await hire()
    const client = render('film', MANY)
    await client.line(/frame\s+2 /)
    master.child.kill('SIGSTOP')
    await expectEnd(client, 'SIGINT', 130)
  })

  it('ends a client that waits for a master that is gone', async () => {
    await hire()
    const client = render('film', MANY)
    await client.line(/frame\s+2 /)
    await master.stop('SIGKILL')
    await client.line(/the connection was lost.*; waiting for it, for up to 60 s$/)
    await expectEnd(client, 'SIGINT', 130)
    await client.line(/^\d+ of 50,000 frames are in .*film; the same command with --resume renders the others$/)
  })

  it('ends a client that has not reached its master yet', async () => {
    const { address, called } = await mute()
    const client = render('film', 2, address)
    await called
    await expectEnd(client, 'SIGINT', 130)
  })
})

it('a client that loses its master says how to go on', async () => {
  await hire()
  const client = render('film', MANY, url, ['--reconnect', '0'])
  await client.line(/frame\s+2 /)
  await master.stop('SIGKILL')
  expect(await client.ended).toBe(1)
  await client.line(/^\d+ of 50,000 frames are in .*film; the same command with --resume renders the others$/)
  await client.line(/^sortfirst: master ws:.*: the connection was lost/)
})

it('masters and workers log why they ended', async () => {
  const worker = await hire()
  await worker.stop('SIGINT')
  await worker.line(/worker closed: interrupted by SIGINT$/)
  await master.stop('SIGTERM')
  await master.line(/master closed: interrupted by SIGTERM$/)
})

it('whoever has not reached a master does not wait for the end of the handshake', async () => {
  const line = { deadlines: { handshakeMs: 1e9 } }
  const [one, other] = [await mute(), await mute()]
  const over = new AbortController()
  const worker = runWorker({ master: one.address, line }, silentLog, over.signal)
  const client = connectToCluster(other.address, line, over.signal)
  await Promise.all([one.called, other.called])
  over.abort()
  await worker
  await expect(client).rejects.toThrow(CancelledError)
})

it('a worker without a master says so at once', async () => {
  const { address } = await mute()
  const gone = once(servers[0]!, 'close')
  servers.splice(0)[0]!.close()
  await gone
  const worker = run(['worker', address])
  await worker.line(/no master at ws:\S+ yet \(connection refused\); trying for another 60 s$/)
})
