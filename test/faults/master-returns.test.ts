/** Masters that are killed and started again, or cut off, in the middle of a film: it goes on by itself, and has the same bytes. */
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { summarySchema } from '../../shared/frame/summary.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { type Running, sortfirst, start } from '../support/program.ts'
import { startRelay } from '../support/relay.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const inRepository = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const mesh = inRepository('test/support/tent.obj')
const quick = ['--size', '64x36', '--samples', '1', '--ambient-rays', '1']

const lent = lentCluster()
const running: Running[] = []
const run = (args: string[], env: Record<string, string> = {}): Running => {
  const program = start(args, env)
  running.push(program)
  return program
}
const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(program => program.stop('SIGKILL')))
  for (const end of endings.splice(0)) await end()
})

const startMaster = async (listen = '127.0.0.1:0', more: string[] = [], env: Record<string, string> = {}) => {
  const master = run(['master', '--listen', listen, ...more], env)
  const url = /ws:\S+/.exec(await master.line(/listens on/))![0]
  return { master, url, listen: url.replace('ws://', '') }
}
/** It takes its time, so that no film is over before its master is killed. */
const hire = async (url: string, name: string): Promise<Running> => {
  const worker = run(['worker', url, '--name', name, '--threads', '1', '--cores', '0.05'])
  await worker.line(/joined/)
  return worker
}
let outs = 0
const place = () => join(folder, `film-${outs++}`)

/** All files of a film but those with times in them. */
const filesOf = (out: string): Map<string, string> =>
  new Map(
    readdirSync(out)
      .filter(name => name !== 'summary.json' && name !== 'frames.csv')
      .sort()
      .map(name => [name, name === 'render.json' ? filmIn(out) : readFileSync(join(out, name)).toString('base64')]),
  )

/** What `render.json` says, whatever frames came first. */
function filmIn(out: string): string {
  const { written, ...film } = JSON.parse(readFileSync(join(out, 'render.json'), 'utf8')) as {
    written: { name: string }[]
  }
  return JSON.stringify({ ...film, written: written.toSorted((a, b) => (a.name < b.name ? -1 : 1)) })
}

/** The same film on a cluster that nothing happens to: made once. */
function undisturbed(film: string[]): Promise<Map<string, string>> {
  const known = calm.get(film.join()) ?? made(film)
  calm.set(film.join(), known)
  return known
}
const calm = new Map<string, Promise<Map<string, string>>>()

async function made(film: string[]): Promise<Map<string, string>> {
  const out = place()
  const { code, stderr } = await sortfirst(['render', ...film, ...lent(), '--out', out])
  expect(code, stderr).toBe(0)
  return filesOf(out)
}

const FRAMES = 24
const still = [mesh, ...quick, '--frames', `${FRAMES}`]

/** A module with a scene that takes next to no time to build. */
const turning = join(folder, 'turning.mjs')
writeFileSync(
  turning,
  `import { BoxGeometry, HemisphereLight, Mesh, MeshStandardMaterial, PerspectiveCamera, Scene } from 'three'
   const box = new Mesh(new BoxGeometry(), new MeshStandardMaterial())
   const camera = new PerspectiveCamera()
   camera.position.z = 5
   const scene = new Scene().add(box, new HemisphereLight(), camera)
   export default { scene, camera, seconds: 9, update(time) { box.rotation.y = time } }`,
)

describe('a film', () => {
  it.each<[string, string[]]>([
    ['of many frames, as a film, too', [...still, '--in-flight', '4', '--output', 'animated-webp', '--contact-sheet']],
    ['of a moving glTF file', [inRepository('scenes/examples/paper-boat.gltf'), ...quick, '--frames', '10']],
    ['of a moving module', [turning, ...quick, '--frames', '10']],
    [
      'of adaptive frames',
      [
        ...[mesh, '--size', '64x36', '--integrator', 'path', '--samples', '32', '--noise', '0.05', '--frames', '8'],
        ...['--output', 'png,exr', '--aov', 'samples'],
      ],
    ],
  ])('%s goes on when its master was killed and is back', async (_, film) => {
    const { master, url, listen } = await startMaster()
    const workers = await Promise.all([hire(url, 'anna'), hire(url, 'bert')])
    const out = place()
    const client = run(['render', ...film, '--master', url, '--workers', '2', '--out', out])
    await client.line(/frame\s+3 /)
    await master.stop('SIGKILL')
    await client.line(/master ws:\S+ the connection was lost.*; waiting for it, for up to 60 s$/)
    const back = await startMaster(listen)
    await client.line(/connected to the master again$/)
    expect(await client.ended).toBe(0)
    expect(filesOf(out)).toEqual(await undisturbed(film))
    // Workers brought what they had: nothing but scenes of single frames is built.
    for (const { lines } of workers) expect(lines.filter(line => /joined/.test(line)).length).toBeGreaterThanOrEqual(2)
    const holds = back.master.lines.filter(line => /holds the scene/.test(line))
    expect(holds.length).toBeGreaterThan(0)
    expect(holds.filter(line => !line.includes('already built'))).toEqual([])
    const summary = summarySchema.parse(JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')))
    expect(summary.workers.map(({ name }) => name)).toEqual(['anna', 'bert'])
  })

  it('goes on when its line was cut, on the same master', async () => {
    const { url } = await startMaster()
    await hire(url, 'anna')
    const relay = await startRelay(url)
    endings.push(relay.close)
    const out = place()
    const client = run(['render', ...still, '--master', relay.url, '--out', out])
    await client.line(/frame\s+3 /)
    relay.cut()
    await client.line(/connected to the master again$/)
    expect(await client.ended).toBe(0)
    expect(filesOf(out)).toEqual(await undisturbed(still))
  })

  it('ends at once when the master that is back wants another token', async () => {
    const { master, url, listen } = await startMaster()
    await hire(url, 'anna')
    const client = run(['render', ...still, '--master', url, '--out', place()])
    await client.line(/frame\s+3 /)
    await master.stop('SIGKILL')
    const secret = '0123456789abcdef0123456789abcdef'
    await startMaster(listen, [], { SORTFIRST_TOKEN: secret })
    expect(await client.ended).toBe(2)
    await client.line(/^sortfirst: master ws:\S+ expected a token, got none/)
  })

  it('whose master stays away says how to go on, and goes on so', async () => {
    const { master, url, listen } = await startMaster()
    await hire(url, 'anna')
    const out = place()
    const film = [...still, '--master', url, '--out', out]
    const client = run(['render', ...film, '--reconnect', '0.2'])
    await client.line(/frame\s+3 /)
    await master.stop('SIGKILL')
    expect(await client.ended).toBe(1)
    await client.line(
      new RegExp(`^\\d+ of ${FRAMES} frames are in .*; the same command with --resume renders the others$`),
    )
    await client.line(/^sortfirst: master ws:\S+ the connection was lost.* did not come back within 1 s \(.*\); check/)
    await startMaster(listen)
    const { code, stderr } = await sortfirst(['render', ...film, '--resume'])
    expect(code, stderr).toBe(0)
    expect(filesOf(out)).toEqual(await undisturbed(still))
  })
})

describe('at first', () => {
  it('a master with too many connections is waited for', async () => {
    const { url } = await startMaster('127.0.0.1:0', ['--max-connections', '1'])
    const worker = await hire(url, 'anna')
    const client = run(['render', ...still, '--master', url, '--out', place()])
    await client.line(/it has too many connections; .*waiting for it, for up to 60 s$/)
    await worker.stop('SIGKILL')
    await client.line(/waiting for 1 worker/)
  })

  it('one that is not there is not', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    server.close()
    await once(server, 'close')
    const { code, stderr } = await sortfirst(['render', mesh, '--master', `127.0.0.1:${port}`, '--out', place()])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^sortfirst: master ws:\S+: connection refused; check/m)
  })
})

it.each([
  [['--reconnect', '-1', '--master', '127.0.0.1'], /--reconnect: expected .*got/],
  [['--reconnect', '5'], /--reconnect needs --master/],
])('%s is wrong usage', async (args, words) => {
  const { code, stderr } = await sortfirst(['render', mesh, '--out', place(), ...args])
  expect(stderr).toMatch(words)
  expect(code).toBe(2)
})
