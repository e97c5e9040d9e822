/** `sortfirst inspect`, typed as a user would. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zipSync } from 'three/addons/libs/fflate.module.js'
import { afterAll, describe, expect, it } from 'vitest'
import { type Inspection, inspectionText } from '../../scripts/report/tables/inspection.ts'
import { motionText } from '../../scripts/run/film-length.ts'
import { expectSentence, saidIn } from '../support/complaint.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { sortfirst } from '../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
const lent = lentCluster()
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = (name: string, content: string) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const tent = fileURLToPath(new URL('../../../test/support/tent.obj', import.meta.url))

/** Two triangles that share a side; a third has no area. */
const sheet = file(
  'sheet.ply',
  'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n' +
    'element face 3\nproperty list uchar int vertex_indices\nend_header\n' +
    '0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n3 0 1 1\n',
)
const plated = file('plated.obj', 'mtllib none.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')

const empty = join(folder, 'empty', '/')
mkdirSync(empty)
const packed = join(folder, 'packed.zip')
writeFileSync(packed, zipSync({ 'tent/tent.obj': readFileSync(tent), 'tent/read me.txt': new Uint8Array(9) }))

async function inspected(scene: string): Promise<Inspection> {
  const { code, stdout, stderr } = await sortfirst(['inspect', scene, '--json'])
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as Inspection
}

/** What a scene without textures, animations and extensions has. */
const PLAIN = {
  textures: { count: 0, bytes: 0 },
  cameras: 0,
  animations: [],
  variants: [],
  extensions: [],
  ambientGaps: [],
  motion: null,
}
const SIZES = { workerBytes: expect.any(Number), packedBytes: expect.any(Number) }

describe('inspect --json', () => {
  it('tells what is in a built-in scene, all of which is its own', async () => {
    expect(await inspected('corner')).toEqual({
      ...PLAIN,
      ...SIZES,
      name: 'corner',
      format: 'built-in',
      degenerate: expect.any(Number),
      triangles: { unique: expect.any(Number), drawn: expect.any(Number) },
      meshes: expect.any(Number),
      instances: expect.any(Number),
      materials: expect.any(Number),
      lights: 1,
      environment: 'sky',
      added: { triangles: 0, lights: 0, sky: false },
      warnings: [],
      bounds: [
        [-2.6, -0.32, -2.6],
        [2.6, 1.9, 2.6],
      ],
    })
  })

  it('tells what is in an OBJ file, and apart from it what was added', async () => {
    expect(await inspected(tent)).toEqual({
      ...PLAIN,
      ...SIZES,
      name: 'tent.obj',
      format: 'obj',
      degenerate: 0,
      triangles: { unique: 4, drawn: 4 },
      meshes: 1,
      instances: 1,
      materials: 1,
      lights: 0,
      environment: 'sky',
      added: { triangles: expect.any(Number), lights: 1, sky: true },
      warnings: [],
      bounds: [
        [-1, 0, -1],
        [1, 1.5, 1],
      ],
    })
  })

  it('tells the same of a scene in a folder or an archive, as it is rendered', async () => {
    const whole = await inspected(tent)
    const alone = join(folder, 'alone')
    mkdirSync(alone)
    writeFileSync(join(alone, 'tent.obj'), readFileSync(tent))
    for (const scene of [packed, join(packed, 'tent/tent.obj'), alone]) expect(await inspected(scene)).toEqual(whole)
    const words = ['--out', join(folder, 'packed'), '--frames', '1', '--size', '48x27', '--json', ...lent()]
    const { code, stdout, stderr } = await sortfirst(['render', packed, ...words])
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ frames: 1 })
    // What is kept is not used any more when another scene comes.
    writeFileSync(join(alone, 'other.obj'), readFileSync(tent))
    expectSentence(await sortfirst(['inspect', alone]), 2, 'got other.obj, tent.obj')
  })

  it('tells what is in a PLY file, with triangles that are not traced', async () => {
    expect(await inspected(sheet)).toEqual({
      ...PLAIN,
      ...SIZES,
      name: 'sheet.ply',
      format: 'ply',
      degenerate: 1,
      triangles: { unique: 3, drawn: 3 },
      meshes: 1,
      instances: 1,
      materials: 1,
      lights: 0,
      environment: 'sky',
      added: { triangles: expect.any(Number), lights: 1, sky: true },
      warnings: [],
      bounds: [
        [0, 0, 0],
        [1, 1, 0],
      ],
    })
  })

  it('tells more triangles drawn than stored where a mesh is repeated', async () => {
    const { triangles, meshes, instances } = await inspected('crowd')
    expect(triangles.drawn).toBeGreaterThan(10 * triangles.unique)
    expect(instances).toBeGreaterThan(100 * meshes)
  })
})

describe('inspect', () => {
  it('prints a line for each kind of thing, and what was left out', async () => {
    const { code, stdout, stderr } = await sortfirst(['inspect', plated])
    expect(code, stderr).toBe(0)
    expect(saidIn(stderr)).toEqual([])
    const lines = stdout.split('\n').map(line => line.trim().replace(/ {2,}/, ': '))
    for (const line of ['scene: plated.obj (obj)', 'triangles: 1', 'textures: none', 'lights: none'])
      expect(lines).toContain(line)
    expect(stdout).toMatch(/^added +a floor of [\d,]{5,} triangles, a sun and a sky$/m)
    expect(stdout).toMatch(/^worker +about \d+\.\d MiB of memory with one thread; \d+ KiB sent to it$/m)
    expect(stdout).toMatch(/^warning: .*none\.mtl/m)
  })

  it('prints what only some formats have', () => {
    const text = inspectionText(
      {
        name: 'a.glb',
        format: 'glb',
        triangles: { unique: 1000, drawn: 2000 },
        meshes: 1,
        instances: 2,
        materials: 3,
        textures: { count: 2, bytes: 3 << 20 },
        lights: 1,
        cameras: 1,
        environment: 'map',
        animations: [{ name: 'walk', seconds: 1.25 }],
        motion: { seconds: 1.25 },
        variants: ['red', 'blue'],
        extensions: [
          { name: 'KHR_materials_ior', required: false, honoured: true },
          { name: 'KHR_other', required: true, honoured: false },
        ],
        added: { triangles: 0, lights: 0, sky: false },
        workerBytes: 5 << 20,
        packedBytes: 1 << 20,
        degenerate: 12,
        bounds: [
          [0, 0, 0],
          [1, 1, 1],
        ],
        warnings: ['something is missing'],
        ambientGaps: ['the ambient integrator does not show it'],
      },
      '1 × 1 × 1 units',
      motionText({ motion: { seconds: 1.25 } }),
    )
    for (const part of [
      '1,000 in meshes, 2,000 drawn; 12 degenerate triangles skipped',
      '2, 3.0 MiB decoded',
      'walk, 1.3 s',
      'for 1.3 s, 30 frames at 24 a second',
      'variants      red\n              blue\n',
      'KHR_materials_ior\n',
      'KHR_other, required, not supported',
      'an environment map',
      'warning: something is missing\n',
      'note: the ambient integrator does not show it\n',
    ])
      expect(text).toContain(part)
  })

  it('reads a scene that was kept as it reads the scene itself', async () => {
    const [first, second] = [await sortfirst(['inspect', tent, '--no-cache']), await sortfirst(['inspect', tent])]
    expect(second).toEqual(first)
    expect(await sortfirst(['inspect', tent])).toEqual(first)
  })

  it.each([
    ['an unknown scene', 'dargon', ["unknown scene 'dargon'", "did you mean 'dragon'"]],
    ['a file that is not there', './none.ply', ['none.ply: no such file']],
    ['a folder without a scene', empty, ['expected a scene file (.ply', 'got none']],
    ['a folder with several', `${folder}/`, ['expected one scene file in it, got bad.ply, plated.obj', 'name one']],
    ['a file that cannot be read', 'bad.ply', ['bad.ply']],
    ['a kind of file that is not known', 'words.txt', ['words.txt: expected one of the extensions', '.ply']],
  ])('refuses %s as render does', async (_, scene, parts) => {
    file('bad.ply', 'ply\nformat ascii 1.0\nelement vertex 9\n')
    file('words.txt', 'words')
    const path = /^\w+\.\w+$/.test(scene) ? join(folder, scene) : scene
    const outcome = await sortfirst(['inspect', path, '--json'])
    expectSentence(outcome, 2, ...parts)
    const rendered = await sortfirst(['render', path, '--out', join(folder, 'out'), ...lent()])
    expect(rendered.stderr.trim().split('\n').at(-1)).toBe(outcome.stderr.trim().split('\n').at(-1))
  })

  it('needs a scene', async () => {
    expectSentence(await sortfirst(['inspect']), 2, 'scene')
  })
})
