/** Tokens work from files, the environment and pipes, and show up nowhere: not in what programs print, write, or are started with. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedCluster, startEmbeddedCluster } from '../../scripts/library/embedded-cluster.ts'
import { connectToCluster } from '../../scripts/library/remote-cluster.ts'
import { type SpareWorker, startSpare } from '../../scripts/library/worker-process.ts'
import { AccessDeniedError } from '../../shared/access/access-denied.ts'
import { silentLog } from '../../shared/text/log.ts'
import { type Running, sortfirst, start } from '../support/program.ts'
import { reportsOf, smallSession } from '../support/session.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
const mesh = new URL('../../../test/support/tent.obj', import.meta.url).pathname
const quick = ['--size', '64x36', '--samples', '1', '--ambient-rays', '1', '--frames', '2']
const secrets = { worker: 'worker-'.repeat(5), client: 'client-'.repeat(5), viewer: 'viewer-'.repeat(5) }
/** What may not appear anywhere. */
const SECRET = /(worker-){3}|(client-){3}|(viewer-){3}/

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const hasProc = existsSync('/proc/self/cmdline')
/** The arguments of every process of this machine that can be seen. */
const commandLines = (): string[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')
      } catch {
        // It has ended.
        return []
      }
    })

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a cluster with a secret for each right', () => {
  let master: Running
  let worker: Running
  let url = ''
  beforeAll(async () => {
    const all = file(
      'master',
      Object.entries(secrets)
        .map(line => line.join('='))
        .join('\n'),
    )
    master = start(['master', '--listen', '0.0.0.0:0', '--token-file', all])
    const [, port] = /ws:\/\/0\.0\.0\.0:(\d+)/.exec(await master.line(/listens on/))!
    url = `ws://127.0.0.1:${port}`
    worker = start(['worker', url, '--name', 'anna', '--no-cache'], { SORTFIRST_TOKEN: secrets.worker })
    await worker.line(/joined/)
  })
  afterAll(async () => {
    await worker.stop()
    await master.stop()
  })

  it('writes and prints none of them', async () => {
    const client = ['--master', url, '--token-file', file('client', `client=${secrets.client}\n`), '--json']
    const out = join(folder, 'out')
    const said: string[] = []
    const run = async (args: string[], env: Record<string, string> = {}): Promise<number | null> => {
      const { code, stdout, stderr } = await sortfirst(args, { env })
      said.push(stdout, stderr)
      return code
    }
    const [render, compare] = [join(out, 'render'), join(out, 'compare')]
    const trace = ['--trace', join(out, 'trace.json'), '--record', join(out, 'run.ndjson')]
    expect(await run(['render', mesh, ...quick, ...client, ...trace, '--out', render])).toBe(0)
    expect(await run(['compare', mesh, ...quick, ...client, '--out', compare])).toBe(0)
    const byVariable = ['render', mesh, ...quick, '--master', url, '--out', join(out, 'more')]
    expect(await run(byVariable, { SORTFIRST_TOKEN: secrets.client })).toBe(0)
    // Wrong in every way.
    expect(await run(byVariable, { SORTFIRST_TOKEN: secrets.worker })).toBe(1)
    expect(await run(byVariable, { SORTFIRST_TOKEN: secrets.viewer })).toBe(2)
    expect(await run(byVariable, { SORTFIRST_TOKEN: `x${secrets.client}` })).toBe(2)
    expect(await run(byVariable, { SORTFIRST_TOKEN: `${secrets.client} ${secrets.client}` })).toBe(2)
    expect(
      await run([...byVariable, '--token-file', join(folder, 'client')], { SORTFIRST_TOKEN: secrets.client }),
    ).toBe(2)
    expect(await run(['render', mesh, '--master', url.replace('//', `//me:${secrets.client}@`)])).toBe(2)
    expect(await run(['render', mesh, '--master', `${url}/?token=${secrets.client}`])).toBe(2)
    expect(await run(['render', mesh, '--master', url, '--token', secrets.client])).toBe(2)
    expect(await run(['worker', url], { SORTFIRST_TOKEN: secrets.client })).toBe(1)
    expect(await run(['worker', url, '--token-file', join(folder, 'client')])).toBe(2)

    const health = await fetch(`${url.replace('ws:', 'http:')}/healthz`, {
      headers: { authorization: `Bearer ${secrets.viewer}` },
    })
    said.push(JSON.stringify([...health.headers]), await health.text(), ...master.lines, ...worker.lines)
    const written = readdirSync(out, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
    for (const name of ['summary.json', 'report.html', 'render.json', 'trace.json', 'run.ndjson'])
      expect(written.some(path => path.endsWith(name))).toBe(true)
    for (const text of [...said, ...written, ...written.map(path => readFileSync(path, 'latin1'))])
      expect(SECRET.exec(text)).toBeNull()
    expect(said.join('').length).toBeGreaterThan(1000)
  })

  it.skipIf(!hasProc)('starts no process with one of them', () => {
    const lines = commandLines()
    expect(lines.filter(line => line.includes(url))).not.toEqual([])
    expect(lines.filter(line => SECRET.test(line))).toEqual([])
  })
})

describe.each<[string, () => SpareWorker | undefined]>([
  ['started for it', () => undefined],
  ['started before', startSpare],
])('an embedded cluster with a worker %s', (_, spare) => {
  it.skipIf(!hasProc)('has a secret of its own, which nobody else can see, and lets nobody else in', async () => {
    const pacing = { speeds: [1, 1], shares: null }
    let cluster: EmbeddedCluster | undefined
    try {
      // As where a user has a token for another master.
      process.env.SORTFIRST_TOKEN = secrets.client
      cluster = await startEmbeddedCluster({ pacing, threads: 1, engine: 'wasm' }, silentLog, spare())
      expect(await reportsOf(cluster, smallSession({ minWorkers: 2 }))).toHaveLength(3)
      const environments = cluster.processes.map(({ pid }) => readFileSync(`/proc/${pid}/environ`, 'latin1'))
      const [secret = ''] = environments.flatMap(text => /SORTFIRST_TOKEN=([0-9a-f]{64})/.exec(text)?.[1] ?? [])
      expect(secret).toHaveLength(64)
      expect(commandLines().filter(line => line.includes(secret))).toEqual([])
      const [address = ''] = /ws:[^\0]+/.exec(readFileSync(`/proc/${cluster.processes[1]!.pid}/cmdline`, 'latin1'))!
      await expect(connectToCluster(address)).rejects.toBeInstanceOf(AccessDeniedError)
      const run = connectToCluster(address, { token: secret })
      await (await run).close()
    } finally {
      delete process.env.SORTFIRST_TOKEN
      await cluster?.close()
    }
  })
})
