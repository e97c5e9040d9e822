/** `sortfirst drain`: a worker leaves because a client asks its master, and a film goes on without it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectSentence } from '../support/complaint.ts'
import { type Running, sortfirst, start } from '../support/program.ts'

const mesh = new URL('../../../test/support/tent.obj', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
const secrets = { worker: 'worker-'.repeat(5), client: 'client-'.repeat(5), operate: 'operate-'.repeat(5) }
const all = Object.entries(secrets)
  .map(line => line.join('='))
  .join('\n')
const running: Running[] = []
let url: string

const run = (right: keyof typeof secrets | 'all', args: string[]): Running => {
  const program = start(args, { SORTFIRST_TOKEN: right === 'all' ? all : secrets[right] })
  running.push(program)
  return program
}
const drain = (name: string, token: string, ...options: string[]) =>
  sortfirst(['drain', name, '--master', url, ...options], { env: { SORTFIRST_TOKEN: token } })
const workers = new Map<string, Running>()

beforeAll(async () => {
  const master = run('all', ['master', '--listen', '127.0.0.1:0'])
  url = /ws:\S+/.exec(await master.line(/listens on/))![0]
  for (const name of ['anna', 'bert', 'cleo']) workers.set(name, run('worker', ['worker', url, '--name', name]))
  await Promise.all([...workers.values()].map(worker => worker.line(/joined/)))
})
afterAll(async () => {
  await Promise.all(running.map(program => program.stop('SIGKILL')))
  rmSync(folder, { recursive: true, force: true })
})

it('lets a worker leave in the middle of a film, says what happened, and the worker ends', async () => {
  const film = ['--size', '160x90', '--samples', '8', '--frames', '6', '--out', join(folder, 'film')]
  const client = run('client', ['render', mesh, ...film, '--master', url, '--workers', '3'])
  await client.line(/3 workers are ready/)
  const { code, stdout, stderr } = await drain('anna', secrets.operate)
  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(
    /^anna \(w\d\) has left after [\d.]+ m?s: it .*\nthere remain 2 workers by name: bert, cleo\n$/,
  )
  expect(await workers.get('anna')!.ended).toBe(0)
  expect(await client.ended, client.lines.join('\n')).toBe(0)
})

it('says the same for programs', async () => {
  const { code, stdout } = await drain('bert', all, '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    worker: 'bert',
    left: [{ finished: 0, ms: expect.any(Number), id: expect.stringMatching(/^w\d$/) }],
    remaining: ['cleo'],
  })
})

it('names the workers that there are for one that there is not', async () => {
  const unknown = await drain('clio', secrets.operate)
  expectSentence(unknown, 2, "unknown worker 'clio': expected one of cleo; did you mean 'cleo'?")
})

it('is refused to whoever has the token of a worker or a client', async () => {
  expectSentence(await drain('cleo', secrets.worker), 2, 'expected the token of a client')
  expectSentence(
    await drain('cleo', secrets.client),
    2,
    "expected a token with the right 'operate', got that of a client",
  )
  expectSentence(await drain('cleo', `client=${secrets.client}`), 2, 'expected a line operate=…')
  expect((await drain('cleo', secrets.operate)).code).toBe(0)
  expectSentence(await drain('cleo', secrets.operate), 2, 'it has none at all')
})
