/** Pipes, devices, folders and links where files belong: one sentence, or the same as if nothing were there, and always an end. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openCached } from '../../shared/node/cache-folder.ts'
import { expectSentence, saidIn } from '../support/complaint.ts'
import { triangle } from '../support/gltf.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { sortfirst } from '../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-odd-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string): string => join(folder, name)
const small = ['--size', '16x9', '--frames', '1', '--samples', '1']
const lent = lentCluster()
const render = (...args: string[]) => sortfirst(['render', ...args, '--out', at('out'), ...small, ...lent()])
/** By a worker that writes what it has built. */
const renderCached = (cache: string) =>
  sortfirst(['render', 'corner', '--out', at('out'), ...small, '--workers', '1', '--cache', cache])

/** What is at a path instead of a file. */
const KINDS: readonly (readonly [what: string, make: (path: string) => void])[] = [
  ['a pipe', path => void execFileSync('mkfifo', [path])],
  ['a device', path => symlinkSync('/dev/zero', path)],
  ['a folder', path => mkdirSync(path)],
]

/** One of them at a path of its own with this name. */
function put(name: string, make: (path: string) => void): string {
  const path = join(mkdtempSync(at('in-')), name)
  make(path)
  return path
}

const OBJ = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'

/** A glTF file whose image is beside it. */
function gltf(uri: string): string {
  const { document, body } = triangle(all => {
    Object.assign(all, { images: [{ uri }], textures: [{ source: 0 }] })
    all.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }]
    all.meshes[0].primitives[0].material = 0
  })
  document.buffers[0].uri = `data:application/octet-stream;base64,${Buffer.from(body).toString('base64')}`
  return JSON.stringify(document)
}

describe.skipIf(process.platform === 'win32').each(KINDS)('%s', (what, make) => {
  // A folder may contain a scene, and has sentences of its own.
  const isFolder = what === 'a folder'

  it.skipIf(isFolder).each(['a.obj', 'a.gltf', 'a.glb', 'a.ply.gz', 'a.stl', 'a.zip', 'a.js'])(
    'as the scene %s is refused',
    async name => {
      const path = put(name, make)
      // One of them renders; starting a cluster for each would take most of the time.
      const refused = name === 'a.obj' ? await render(path) : await sortfirst(['inspect', path])
      expectSentence(refused, 2, `${path}: cannot be read: expected a regular file, got ${what}`)
    },
  )

  it.each(['a.hdr', 'a.exr'])('as the environment %s is refused', async name => {
    const path = put(name, make)
    expectSentence(await render('corner', '--environment', path), 2, path, /expected a (regular )?file, got /)
  })

  it.each<[string, string, (path: string) => string[]]>([
    ['a file of cameras', 'a.json', path => ['render', 'corner', '--camera', path]],
    ['a recording', 'a.ndjson', path => ['simulate', path]],
    ['a strategy', 'a.js', path => ['render', 'corner', '--strategy', path]],
    ['a file of tokens', 'secret', path => ['worker', 'localhost', '--token-file', path]],
    ['a certificate', 'a.pem', path => ['worker', 'wss://localhost', '--tls-ca', path]],
  ])('as %s is refused', async (_, name, args) => {
    const path = put(name, make)
    expectSentence(await sortfirst(args(path)), 2, path)
  })

  it('as a picture or a material file is not shown, and no obstacle to the cache', async () => {
    const picture = put('a.png', make)
    const place = join(picture, '..')
    writeFileSync(join(place, 'a.gltf'), gltf('a.png'))
    writeFileSync(join(place, 'a.obj'), `mtllib a.png\n${OBJ}`)
    const cache = ['--cache', join(place, 'cache')]
    for (const name of ['a.gltf', 'a.obj']) {
      const [first, second] = [
        await sortfirst(['inspect', join(place, name), '--json', ...cache]),
        await sortfirst(['inspect', join(place, name), '--json', ...cache]),
      ]
      if (first.code !== 0) expectSentence(first, 2, 'image 0')
      else expect(first.stdout).toContain('expected a')
      // A busy machine says that it takes long.
      expect([second.code, second.stdout]).toEqual([first.code, first.stdout])
      expect((await render(join(place, name), ...cache)).code).toBe(first.code)
    }
  })

  it('as a buffer of a glTF file is refused', async () => {
    const buffer = put('a.bin', make)
    const path = join(buffer, '..', 'a.gltf')
    const { document } = triangle(all => {
      all.buffers[0].uri = 'a.bin'
    })
    writeFileSync(path, JSON.stringify(document))
    const refused = await render(path)
    expectSentence(refused, 2, `${path}: buffer 0: expected a`, `'a.bin'`)
    expect(refused.stderr.match(/, got /g)).toHaveLength(1)
  })

  it('in the folder of a scene is not the scene', async () => {
    const place = join(put('b.gltf', make), '..')
    expectSentence(await render(place), 2, `${place}: expected a scene file`)
    writeFileSync(join(place, 'a.obj'), OBJ)
    expect((await render(place)).code).toBe(0)
  })

  it('in the cache is not a file of it', async () => {
    const cache = at(`cache of ${what}`)
    expect((await renderCached(cache)).code).toBe(0)
    const names = readdirSync(cache)
    expect(names.length).toBeGreaterThan(2)
    for (const name of names) {
      rmSync(join(cache, name))
      make(join(cache, name))
    }
    expect((await renderCached(cache)).code).toBe(0)
    for (const name of names) expect(await openCached(cache, name)).toBeUndefined()
    expect((await sortfirst(['cache', 'clear', '--cache', cache])).code).toBe(0)
    expect(readdirSync(cache)).toEqual(names)
  })

  it('in place of the cache is no obstacle', async () => {
    const path = put('cache', make)
    expect((await renderCached(path)).code).toBe(0)
    expect((await sortfirst(['cache', '--cache', path])).code).toBe(0)
  })

  it.skipIf(isFolder)('in place of the output folder is refused', async () => {
    const path = put('out', make)
    expectSentence(await sortfirst(['render', 'corner', '--out', path, ...small]), 2, `--out ${path}`)
  })

  it.each(['render', 'compare'])('in place of what %s --resume continues from is refused', async command => {
    const path = put(`${command}.json`, make)
    const refused = await sortfirst([command, 'corner', '--out', join(path, '..'), '--resume', ...small])
    const isLeft = isFolder ? 'expected a writable file, got a folder' : `cannot be read: expected a regular file, got`
    expectSentence(refused, 2, `${command}.json`, isLeft, what)
  })

  it.runIf(isFolder).each([
    ['render', '0001.png'],
    ['render', 'render.json'],
    ['render', 'summary.json'],
    ['compare', 'pbt/0000.png'],
    ['compare', 'report.html'],
  ])('in place of what %s writes, %s, is refused before anything starts', async (command, name) => {
    const out = mkdtempSync(at('out-'))
    mkdirSync(join(out, name), { recursive: true })
    const words = [command, 'corner', '--out', out, '--size', '16x9', '--frames', '2']
    const refused = await sortfirst(words)
    expectSentence(refused, 2, `${join(out, name)}: expected a writable file, got a folder; move it away`)
    expect(saidIn(refused.stderr)).toHaveLength(1)
    expect(readdirSync(join(out, name))).toEqual([])
  })

  it.runIf(isFolder)('that is in nobody’s place is none of a run’s business', async () => {
    const out = mkdtempSync(at('out-'))
    for (const name of ['0001.png', '0000.exr', 'film.mp4']) mkdirSync(join(out, name))
    const { code, stderr } = await sortfirst(['render', 'corner', '--out', out, ...small, ...lent()])
    expect(code, stderr).toBe(0)
  })
})

describe.skipIf(process.platform === 'win32')('a pipe to write into', () => {
  it('is refused when nobody reads it', async () => {
    const path = put('trace.json', KINDS[0]![1])
    expectSentence(
      await render('corner', '--trace', path),
      2,
      `--trace ${path}: expected a writable file, got a pipe that`,
    )
  })

  it('takes everything when somebody does', async () => {
    const path = put('trace.json', KINDS[0]![1])
    const reader = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'inherit'] })
    const text = (async () => (await reader.stdout.setEncoding('utf8').toArray()).join(''))()
    // A pipe has a reader once somebody else can open it for writing.
    const writer = await open(path, 'w')
    expect((await render('corner', '--trace', path)).code).toBe(0)
    await writer.close()
    expect(JSON.parse(await text)).toHaveProperty('traceEvents')
  })
})
