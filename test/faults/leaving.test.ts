/** Programs that are asked to end in the middle of their work, as data: who, how, and what the others are to notice of it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { summarySchema } from '../../shared/frame/summary.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { type Running, sortfirst, start } from '../support/program.ts'

const mesh = new URL('../../../test/support/tent.obj', import.meta.url).pathname
const lent = lentCluster()
const running: Running[] = []
let folder: string
let url: string
let master: Running

const run = (args: string[]): Running => {
  const program = start(args)
  running.push(program)
  return program
}
const hire = async (name: string, ...options: string[]): Promise<Running> => {
  const worker = run(['worker', url, '--name', name, ...options])
  await worker.line(/joined/)
  return worker
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  master = run(['master', '--listen', '127.0.0.1:0'])
  url = /ws:\S+/.exec(await master.line(/listens on/))![0]
})
afterEach(async () => {
  await Promise.all(running.splice(0).map(program => program.stop('SIGKILL')))
  rmSync(folder, { recursive: true, force: true })
})

interface Departure {
  readonly what: string
  readonly signal: NodeJS.Signals
  readonly code: number
  /** Of the worker. */
  readonly options: readonly string[]
}

const DEPARTURES: readonly Departure[] = [
  { what: 'at work', signal: 'SIGTERM', code: 143, options: [] },
  { what: 'interrupted by hand', signal: 'SIGINT', code: 130, options: [] },
  { what: 'that is paced', signal: 'SIGTERM', code: 143, options: ['--cores', '0.02'] },
]

describe.each(DEPARTURES)('a worker $what, told to end by $signal', ({ signal, code, options }) => {
  it('leaves before it is done, and is let go', async () => {
    const [leaver] = await Promise.all([hire('anna', ...options), hire('bert', ...options)])
    // An hour of work.
    const picture = ['--size', '1280x720', '--samples', '1024', '--ambient-rays', '64']
    const args = [mesh, ...picture, '--frames', '200', '--out', join(folder, 'film')]
    const client = run(['render', ...args, '--master', url, '--workers', '2'])
    await client.line(/workers warm up/)
    expect(await leaver!.stop(signal)).toBe(code)
    await leaver!.line(new RegExp(`worker closed: interrupted by ${signal}$`))
    await master.line(/worker anna leaves \(the worker was stopped\)/)
    await master.line(/worker anna left/)
  })
})

it('a film has the same bytes, and is whole, when workers leave in the middle', async () => {
  const picture = [mesh, '--size', '160x90', '--samples', '16', '--frames', '6', '--out']
  const [leaver] = await Promise.all([hire('anna'), hire('bert'), hire('cleo')])
  const film = run(['render', ...picture, join(folder, 'there'), '--master', url, '--workers', '3'])
  // Three are ready, as the film asks for.
  await film.line(/workers warm up/)
  expect(await leaver!.stop('SIGTERM')).toBe(143)
  const [there, here] = await Promise.all([
    film.ended,
    sortfirst(['render', ...picture, join(folder, 'here'), ...lent()]),
  ])
  expect(there, film.lines.join('\n')).toBe(0)
  expect(here.code, here.stderr).toBe(0)
  const sums = ['there', 'here'].map(name => {
    const summary = summarySchema.parse(JSON.parse(readFileSync(join(folder, name, 'summary.json'), 'utf8')))
    return summary.strategies[0]?.frameSha256
  })
  expect(sums[0]).toHaveLength(6)
  expect(sums[0]).toEqual(sums[1])
})
