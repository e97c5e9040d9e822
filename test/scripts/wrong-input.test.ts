/** Wrong input, typed as a user would: one clear sentence, the right exit code, no stack trace, nothing half done. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { expectSentence, saidIn } from '../support/complaint.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { sortfirst, start } from '../support/program.ts'
import { tlsFile } from '../support/tls.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const out = join(folder, 'out')
/** Renders on the cluster of the master that follows. */
const renderOn = ['render', 'corner', '--out', out, '--size', '16x9', '--frames', '1', '--master']
const quick = ['--out', out, '--size', '16x9', '--frames', '1', '--samples', '1']
const small = [...quick, '--workers', '1']
const lent = lentCluster()

const triangle =
  'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n'

it('a scene may be a folder with a plain name, unless a built-in scene has it', async () => {
  const place = mkdtempSync(join(folder, 'scenes-'))
  for (const name of ['good', 'corner', 'empty']) mkdirSync(join(place, name))
  for (const name of ['good', 'corner'])
    writeFileSync(join(place, name, 'mine.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')
  writeFileSync(join(place, 'plain'), 'text')
  const other = mkdtempSync(join(folder, 'scenes-'))
  mkdirSync(join(other, 'good'))
  writeFileSync(join(other, 'good', 'other.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')
  const inspect = (name: string, cwd = place) => sortfirst(['inspect', name, '--cache', join(folder, 'cache')], { cwd })
  expect((await inspect('good')).stdout).toContain('mine.obj')
  expect((await inspect('good', other)).stdout).toContain('other.obj')
  expect((await inspect('corner')).stdout).not.toContain('mine.obj')
  expectSentence(await inspect('empty'), 2, 'empty: expected a scene file')
  expectSentence(await inspect('plain'), 2, 'plain')
})

it('nothing is said of a run that is refused', async () => {
  expect((await sortfirst(['render', join(folder, 'none.obj'), ...small])).stderr.trim()).toMatch(
    /^sortfirst: [^\n]*none\.obj[^\n]*$/,
  )
  expect((await sortfirst(['render', 'dargon', ...small])).stderr.trim()).toMatch(/^sortfirst: [^\n]*$/)
})

it('a ready file of a worker is none of the user’s files', async () => {
  const precious = file('precious.txt', 'mine')
  expectSentence(
    await sortfirst(['worker', 'localhost:9', '--ready-file', precious]),
    2,
    '--ready-file: expected',
    precious,
  )
  expect(readFileSync(precious, 'utf8')).toBe('mine')
})

describe('a file that would replace another one of the run', () => {
  const place = join(folder, 'clash')
  const args = (command: string, ...more: string[]) => [command, 'corner', '--out', place, '--frames', '2', ...more]

  it.each<[string, string[], (string | RegExp)[]]>([
    [
      'the trace and the recording',
      args('render', '--trace', 'x', '--record', './x'),
      [/^sortfirst: --record: expected another file than that of --trace, got '\.\/x'$/],
    ],
    [
      'a frame',
      args('render', '--trace', join(place, '0001.png')),
      [/--trace: expected a file that the run does not write anyway, got '.*0001\.png'/],
    ],
    [
      'the list of frames',
      args('render', '--record', join(place, 'x', '..', 'render.json')),
      ['--record: expected a file'],
    ],
    [
      'a frame of a strategy',
      args('compare', '--strategies', 'pbt', '--trace', join(place, 'pbt', '0000.png')),
      ['--trace: expected'],
    ],
    ['a report', args('compare', '--record', join(place, 'report.html')), ['--record: expected a file that']],
  ])('is refused: %s', async (_, words, parts) => {
    const refused = await sortfirst(words, { cwd: folder })
    expectSentence(refused, 2, ...parts)
    expect(saidIn(refused.stderr)).toHaveLength(1)
    expect(existsSync(place)).toBe(false)
    expect(existsSync(join(folder, 'x'))).toBe(false)
  })

  it('may be any other one, or a device', async () => {
    const other = [...small, '--out', place]
    const traced = await sortfirst(['render', 'corner', ...other, '--trace', join(place, '0001.png')])
    expect(traced.code, traced.stderr).toBe(0)
    if (process.platform === 'win32') return
    const nowhere = ['--trace', '/dev/null', '--record', '/dev/null']
    expect((await sortfirst(['render', 'corner', ...other, ...nowhere])).code).toBe(0)
  })
})

/** The words of a line as a shell takes them; of a run, a small one. */
function typed(line: string): string[] {
  const [command, ...words] = line.match(/'[^']*'|\S+/g)!.map(word => word.replace(/^'(.*)'$/, '$1'))
  const isRun = command === 'render' || command === 'compare'
  return [command!, ...words.slice(0, 1), ...(isRun ? small : []), ...words.slice(1)]
}

describe('wrong words', () => {
  it.each<[string, ...(string | RegExp)[]]>([
    ['rendr dragon', /rendr/, /render/],
    ['render dragon --smaples 2', '--smaples', '--samples'],
    ['render', 'scene'],
    [
      'render dargon',
      "unknown scene 'dargon'",
      'dragon, corner, crowd, glass, lamps, still-life, or a file or folder that exists',
      "did you mean 'dragon'",
    ],
    [
      'render https://example.org/car.glb',
      'https://example.org/car.glb: expected a file of this machine, got an address; download it first',
    ],
    ['render dragon --strategy bpt', "unknown strategy 'bpt'", 'static-blocks', "did you mean 'pbt'"],
    ['compare dragon --strategies pbt,magic', "unknown strategy 'magic'"],
    ['compare dragon --strategies pbt,pbt', '--strategies: expected each strategy once'],
    ['render dragon --engine gpu', "unknown engine 'gpu'", 'wasm, wasm-fast, reference'],
    ['render dragon --engine reference --fast-math', '--fast-math needs --engine wasm'],
    ['worker host --engine reference --fast-math', '--fast-math needs --engine wasm'],
    ['render dragon --engine webgpu --fast-math', '--fast-math needs --engine wasm'],
    ['worker host --engine webgpu:nvidia --fast-math', '--fast-math needs --engine wasm'],
    ['render dragon --camera spiral', "unknown camera path 'spiral'", 'orbit'],
    ['render dragon --clock sun', "unknown clock 'sun'", 'cpu, wall'],
    ['render dragon --size 0x720', '--size: expected WIDTHxHEIGHT', "got '0x720'"],
    ['render dragon --size 1000000x1000000', '--size', '16384', "'1000000x1000000'"],
    ['render dragon --size 720p', "got '720p'"],
    ['render dragon --frames 0', '--frames: expected a whole number from 1', "got '0'"],
    ['render dragon --frames 1.5', "got '1.5'"],
    ...['render dragon', 'compare dragon', 'view dragon', 'inspect dragon', 'worker 127.0.0.1', 'reproduce 000'].map(
      (command): [string, string] => [
        `${command} --cache off`,
        "--cache: expected a folder, got 'off'; use --no-cache, or ./off",
      ],
    ),
    ['simulate dragon --cache None', "--cache: expected a folder, got 'None'; use --no-cache, or ./None"],
    ['render dragon --passes 0', '--passes: expected a whole number from 1 to 1024', "got '0'"],
    ['compare dragon --samples 4 --passes 5', '--passes: expected at most as many as --samples, 4, got 5'],
    [
      'render dragon --samples 4 --passes 1 --progressive',
      '--progressive: expected --passes above 1 with it',
      'got --passes 1',
    ],
    ['render dragon --samples 1 --progressive', '--progressive: expected --samples above 1 with it', 'got --samples 1'],
    ['compare dragon --progressive', '--progressive'],
    ['render dragon --in-flight 5', '--in-flight: expected a whole number from 1 to 4'],
    ['compare dragon --repeat 0', '--repeat: expected a whole number from 1 to 1000', "got '0'"],
    ['render dragon --workers 0', '--workers: expected a whole number'],
    ['render dragon --worker-cores much', '--worker-cores', "'auto', 'off'", "'much'"],
    ['render corner --worker-cores 0.1,0.2', '--worker-cores', 'got 2 shares'],
    ['render dragon --master ftp://127.0.0.1:7411', '--master: expected an address such as ws://'],
    [
      'render dragon --master ws://me:secret@127.0.0.1',
      '--master: expected an address such as ws://',
      'and nothing else',
      'SORTFIRST_TOKEN',
    ],
    [
      'master --listen 0.0.0.0:0',
      '--listen: expected a token with 0.0.0.0:0',
      'SORTFIRST_TOKEN or --token-file',
      '--insecure',
    ],
    ['master --token secret', '--token: expected the secret in SORTFIRST_TOKEN, or in a file with --token-file'],
    [
      'worker 127.0.0.1 --token-file missing',
      '--token-file: expected the path of a file with tokens',
      "'missing', which does not exist",
    ],
    ['master --tls-cert cert.pem', '--tls-cert needs --tls-key'],
    ['master --tls-key key.pem', '--tls-key needs --tls-cert'],
    [
      'master --tls-cert . --tls-key key.pem',
      '--tls-cert: expected the path of a file with a certificate',
      "'.', which is a folder",
    ],
    [`worker ws://127.0.0.1 --tls-ca ${tlsFile('cert.pem')}`, '--tls-ca: expected a master at wss:// with it'],
    [`render dragon --master 'ws://a b'`, '--master: expected an address', "'ws://a b'"],
    ['render dragon --master host --threads 2', '--threads cannot be combined with --master'],
    [`render dragon --out ''`, '--out: expected the path of a folder'],
    ['render dragon --master ws://127.0.0.1:1 --worker-cores 0.2', '--worker-cores cannot be combined with --master'],
    ['worker ws://', 'master: expected an address such as', "'ws://'"],
    ['master --listen here', "--listen: expected 'host:port'", "'here'"],
    ['worker 127.0.0.1 --threads 5000', '--threads: expected a whole number from 1 to 1024'],
    // For strategies.
    ['compare dragon --strategies all,pbt', "--strategies: expected 'all' on its own, or names, got 'all,pbt'"],
    ['compare dragon --strategies all --tile small', "--tile: expected a whole number from 1 to 4096, got 'small'"],
    ['render dragon --damping 1', '--damping: expected a share below 1', "got '1'"],
    ['render dragon --scatter colum', "unknown scatter unit 'colum'", 'tile, row, pixel'],
    ['render dragon --predictor trends', "unknown predictor 'trends'", 'adaptive-blend', "did you mean 'trend'"],
    ['render dragon --cell 7', '--cell: expected 0, 4, 8, 16 or 32'],
    [
      'render dragon --strategy static-blocks --scatter row',
      '--scatter row: expected a strategy that reads it',
      'got only static-blocks',
    ],
    [
      'compare dragon --strategies static-blocks,single-worker --no-stealing',
      '--no-stealing: expected a strategy that reads it',
      'got only static-blocks and single-worker',
    ],
    [
      'render dragon --strategy demand-driven --tile 1 --size 1280x720',
      '--tile: expected at least 4 for 1280x720 px in one pass, at most 66560 tiles, got 1, which makes 921600',
    ],
    [
      'compare dragon --strategies pbt,greedy-lb --tile 1 --size 1280x720',
      '--tile: expected at least 4 for 1280x720 px in one pass',
    ],
    [
      'render dragon --cell 4 --size 8192x8192',
      '--cell: expected one of 8, 16, 32 for 8192x8192 px, at most 1052672 cells, got 4',
    ],
    [
      'render dragon --output exr --passes 2 --aov albedo --samples 2 --size 8192x8192',
      "--size: expected frames that take at most 9 GiB of the master's memory, up to 3 of them at a time",
    ],
    [`render dragon --trace ''`, '--trace: expected the path of a file'],
  ])('%s', async (line, ...parts) => expectSentence(await sortfirst(typed(line)), 2, ...parts))
})

describe('wrong files', () => {
  it.each<[string, () => string, (string | RegExp)[]]>([
    [
      'one that is not there',
      () => join(folder, 'nowhere.ply'),
      ['nowhere.ply', /no such file|not found|does not exist/i],
    ],
    ['a folder', () => folder, [/folder|directory/]],
    ['an unknown kind', () => file('scene.blend', 'x'), ['.blend', '.ply', '.obj', '.stl']],
    ['an empty one', () => file('empty.ply', ''), ['empty.ply']],
    [
      'binary garbage',
      () =>
        file(
          'garbage.ply',
          Uint8Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256),
        ),
      ['garbage.ply'],
    ],
    [
      'binary garbage as STL',
      () =>
        file(
          'garbage.stl',
          Uint8Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256),
        ),
      ['garbage.stl'],
    ],
    ['a truncated one', () => file('short.ply', `${triangle}0 0 0\n1 0 0\n`), ['short.ply', /3|truncated|ends/]],
    [
      'a vertex that is no number',
      () => file('nan.ply', `${triangle}0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n`),
      ['nan.ply', /vertex/],
    ],
    [
      'a face without its vertex',
      () => file('index.ply', `${triangle}0 0 0\n1 0 0\n0 1 0\n3 0 1 9\n`),
      ['index.ply', /9/],
    ],
    ['no triangles', () => file('points.obj', 'v 0 0 0\nv 1 0 0\n'), ['points.obj', /triangle|face/]],
  ])('%s', async (_, path, parts) =>
    expectSentence(await sortfirst(['render', path(), ...quick, ...lent()]), 2, ...parts),
  )

  it('leaves no half-made file behind', () => {
    expect(existsSync(out) ? readdirSync(out) : []).toEqual([])
  })
})

describe('wrong places', () => {
  it('an output folder that is a file', async () => {
    const taken = file('taken', 'precious')
    expectSentence(
      await sortfirst(['render', 'corner', ...small, '--out', taken]),
      2,
      '--out',
      'expected a writable folder',
      'got a file',
    )
  })

  it('an output folder that cannot be made', async () => {
    const taken = file('solid', 'precious')
    expectSentence(
      await sortfirst(['render', 'corner', ...small, '--out', join(taken, 'below')]),
      2,
      '--out',
      'expected a writable folder',
    )
  })

  it('a trace that is a folder, or below a file', async () => {
    expectSentence(
      await sortfirst(['render', 'corner', ...small, '--trace', folder]),
      2,
      `--trace ${folder}: expected a writable file, got a folder`,
    )
    const below = join(file('flat', 'precious'), 'trace.json')
    expectSentence(
      await sortfirst(['compare', 'corner', ...small, '--trace', below]),
      2,
      `--trace ${below}: expected a writable file, got a file in place of its folder`,
    )
  })

  it('a port in use', async () => {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    expectSentence(
      await sortfirst(['master', '--listen', `127.0.0.1:${port}`]),
      1,
      `cannot listen on 127.0.0.1:${port}`,
      'in use',
    )
    server.close()
  })

  it('a master that is not there', async () => {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise(resolve => server.close(resolve))
    expectSentence(
      await sortfirst(['worker', `127.0.0.1:${port}`, '--retry-for', '0']),
      1,
      'no master answered at',
      `${port}`,
    )
    expectSentence(
      await sortfirst([...renderOn, `ws://127.0.0.1:${port}`]),
      1,
      'master ws://127.0.0.1',
      'sortfirst master',
    )
  })

  it('a master that takes workers with --fast-math only', async () => {
    const master = start(['master', '--listen', '127.0.0.1:0', '--fast-math'])
    const [url] = /ws:\S+/.exec(await master.line(/listens on/))!
    expectSentence(
      await sortfirst(['worker', url, '--name', 'anna']),
      1,
      /the master refused this worker: worker anna renders with kernel [\da-f]{16} \(wasm\), expected [\da-f]{16} \(wasm-fast\)/,
      'with --fast-math on both or on neither',
    )
    await master.line(/refused a peer: worker anna/)
    expect(await master.stop()).toBe(143)
  })

  it('no worker with the engine that was asked for', async () => {
    const master = start(['master', '--listen', '127.0.0.1:0'])
    const [url] = /ws:\S+/.exec(await master.line(/listens on/))!
    const worker = start(['worker', url, '--engine', 'reference'])
    await worker.line(/joined/)
    expectSentence(
      await sortfirst([...renderOn, url, '--wait', '0']),
      1,
      'got 0 (1 connected, 1 of them with another engine)',
    )
    await Promise.all([worker.stop(), master.stop()])
  })

  it('no worker within the time allowed', async () => {
    const master = start(['master', '--listen', '127.0.0.1:0'])
    const [url] = /ws:\S+/.exec(await master.line(/listens on/))!
    const outcome = await sortfirst([...renderOn, url, '--wait', '0'])
    expectSentence(outcome, 1, 'workers: expected 1 ready within 0 s, got 0 (0 connected)', 'sortfirst worker')
    expect(await master.stop()).toBe(143)
  })

  it('a master of another protocol version', async () => {
    // Speaks as a newer master would: refuses every hello in words.
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    server.on('connection', socket => {
      socket.once('message', () => {
        socket.send(
          JSON.stringify({
            type: 'goodbye',
            code: 'PROTOCOL_MISMATCH',
            reason: 'protocol version: expected 99, got 1',
          }),
        )
        socket.close(4000)
      })
    })
    await new Promise(resolve => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    expectSentence(
      await sortfirst(['worker', `127.0.0.1:${port}`]),
      1,
      'the master refused this worker',
      'expected 99, got 1',
    )
    expectSentence(await sortfirst([...renderOn, `ws://127.0.0.1:${port}`]), 1, 'expected 99, got 1')
    server.close()
  })
})
