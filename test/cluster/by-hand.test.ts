/** A cluster of programs started by hand, as the README says: master, workers who come and go, clients. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectToCluster } from '../../scripts/library/remote-cluster.ts'
import { summarySchema } from '../../shared/frame/summary.ts'
import { sha256 } from '../../shared/node/sha256.ts'
import { type Running, sortfirst, start } from '../support/program.ts'
import { reportsOf, runSession, smallSession } from '../support/session.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
const mesh = new URL('../../../test/support/tent.obj', import.meta.url).pathname
const quick = ['--size', '64x36', '--samples', '1', '--ambient-rays', '1']
let master: Running
let url: string
const workers: Running[] = []

const hire = async (name: string): Promise<Running> => {
  const worker = start(['worker', url, '--name', name, '--ready-file', join(folder, `${name}.ready`)])
  workers.push(worker)
  await worker.line(/joined/)
  return worker
}

beforeAll(async () => {
  master = start(['master', '--listen', '127.0.0.1:0'])
  url = /ws:\S+/.exec(await master.line(/listens on/))![0]
  await Promise.all([hire('anna'), hire('bert')])
})
afterAll(async () => {
  await Promise.all(workers.map(worker => worker.stop()))
  await master.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('a cluster by hand', () => {
  it('renders for a client what an embedded cluster renders', async () => {
    const [there, here] = [join(folder, 'there'), join(folder, 'here')]
    const remote = await sortfirst([
      'render',
      mesh,
      ...quick,
      '--frames',
      '3',
      '--out',
      there,
      '--master',
      url,
      '--workers',
      '2',
      '--json',
    ])
    expect(remote.code, remote.stderr).toBe(0)
    const summary = summarySchema.parse(JSON.parse(remote.stdout))
    expect(summary.workers.map(worker => worker.name)).toEqual(['anna', 'bert'])
    expect(summary.pacing).toBeNull()
    const embedded = await sortfirst([
      'render',
      mesh,
      ...quick,
      '--frames',
      '3',
      '--out',
      here,
      '--workers',
      '1',
      '--json',
    ])
    expect(summarySchema.parse(JSON.parse(embedded.stdout)).strategies[0]?.frameSha256).toEqual(
      summary.strategies[0]?.frameSha256,
    )
    expect(readdirSync(there).sort()).toEqual([
      '0000.png',
      '0001.png',
      '0002.png',
      'frames.csv',
      'render.json',
      'summary.json',
    ])
    const pixels = await sharp(join(there, '0002.png')).raw().toBuffer()
    expect(sha256(pixels)).toBe(summary.strategies[0]?.frameSha256[2])
  })

  it('tells its health', async () => {
    const answer = await fetch(`${url.replace('ws:', 'http:')}/healthz`)
    expect(await answer.json()).toMatchObject({ status: 'ok', workers: [{ name: 'anna' }, { name: 'bert' }] })
    expect((await fetch(`${url.replace('ws:', 'http:')}/elsewhere`)).status).toBe(404)
    expect(readFileSync(join(folder, 'anna.ready'), 'utf8')).toBe('')
  })

  it('shares the cluster among two clients', async () => {
    const clients = await Promise.all([connectToCluster(url), connectToCluster(url)])
    const [one, two] = await Promise.all(clients.map(client => reportsOf(client, smallSession({ minWorkers: 2 }))))
    expect(one?.map(report => report.sha256)).toEqual(two?.map(report => report.sha256))
    await Promise.all(clients.map(client => client.close()))
  })

  it('ends the session of a client that goes away, and takes the next', async () => {
    const leaving = await connectToCluster(url)
    const long = smallSession({
      frames: Array.from({ length: 500 }, (_, frame) => ({ ...smallSession({}).frames[0]!, frame })),
    })
    await expect(
      reportsOf(leaving, long, report => (report.frame === 2 ? leaving.close() : undefined)),
    ).rejects.toThrow(/connection was lost/)
    const next = await connectToCluster(url)
    expect(await reportsOf(next, smallSession({}))).toHaveLength(3)
    await next.close()
  })

  it('uses a worker that comes, and does without one that goes', async () => {
    const client = await connectToCluster(url)
    let third: Running | undefined
    const frames = Array.from({ length: 2000 }, (_, frame) => ({ ...smallSession({}).frames[0]!, frame }))
    const seen = new Set<number>()
    const abort = new AbortController()
    await expect(
      runSession(
        client,
        smallSession({ frames, minWorkers: 2 }),
        {
          frame: async report => {
            if (report.frame === 1) {
              third = await hire('cleo')
              await master.line(/worker cleo holds the scene/)
            }
            if (report.workers.length === 3 && !seen.has(3)) await third?.stop()
            if (seen.has(3) && report.workers.length === 2) abort.abort()
            seen.add(report.workers.length)
          },
        },
        abort.signal,
      ),
    ).rejects.toThrow('cancelled')
    expect([...seen]).toEqual(expect.arrayContaining([2, 3]))
    expect(() => readFileSync(join(folder, 'cleo.ready'))).toThrow()
    await client.close()
  })
})

describe('an interrupted run', () => {
  /** So many that it is not done when it is interrupted after its first frames. */
  const FRAMES = 300

  it('leaves whole frames only, and is resumed with the others', async () => {
    const out = join(folder, 'film')
    const args = ['render', mesh, ...quick, '--frames', `${FRAMES}`, '--out', out, '--master', url]
    const run = start(args)
    await run.line(/frame\s+4 +\d+\//)
    expect(await run.stop('SIGINT')).toBe(130)
    const whole = readdirSync(out).filter(name => /^\d+\.png$/.test(name))
    expect(whole.length).toBeGreaterThanOrEqual(4)
    expect(whole.length).toBeLessThan(FRAMES)
    expect(readdirSync(out).filter(name => name.endsWith('.part'))).toEqual([])
    for (const name of whole) expect((await sharp(join(out, name)).raw().toBuffer()).length).toBe(64 * 36 * 3)

    const other = await sortfirst([...args, '--resume', '--size', '32x18'])
    expect(other.code).toBe(2)
    expect(other.stderr).toContain('expected the size of the existing frames, [64,36], got [32,18]')

    const rest = await sortfirst([...args, '--resume', '--json'])
    expect(rest.code, rest.stderr).toBe(0)
    expect(summarySchema.parse(JSON.parse(rest.stdout)).frames).toBe(FRAMES - whole.length)
    expect(readdirSync(out).filter(name => name.endsWith('.png'))).toHaveLength(FRAMES)
    expect((await sortfirst([...args, '--resume', '--json'])).stdout).toBe('null\n')
  })
})
