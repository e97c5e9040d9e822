/** Broken scene files on the command line: one sentence that names the file and the part, exit code 2, and no output folder. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { expectSentence, saidIn } from '../support/complaint.ts'
import { type AnyGltf, glb, triangle } from '../support/gltf.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { sortfirst, sortfirstProcess } from '../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-broken-'))
const lent = lentCluster()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const changed = (change: (document: AnyGltf) => void) => () => glb(triangle(change))

const LIST =
  'ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n' +
  'property list uint uchar vertex_indices\nend_header\n0 0 0\n4000000000 0 0\n'

describe('a broken file', () => {
  it.each<[string, () => Uint8Array, string]>([
    ['cut.glb', () => glb(triangle()).subarray(0, 300), 'the file is truncated: expected '],
    [
      'wrong.glb',
      changed(document => Object.assign(document.nodes[0], { mesh: 'x' })),
      "nodes[0].mesh: expected a number, got 'x'",
    ],
    [
      'far.glb',
      changed(document => Object.assign(document.nodes[0], { translation: [1e300, 0, 0] })),
      "mesh 'sail': expected a place that is finite in single precision",
    ],
    [
      'bright.glb',
      changed(document => {
        document.extensions = { KHR_lights_punctual: { lights: [{ type: 'point', intensity: 1e300, name: 'lamp' }] } }
        document.nodes[0].extensions = { KHR_lights_punctual: { light: 0 } }
      }),
      "light 'lamp': expected light from 0 to 1000000000000",
    ],
    ['list.ply.gz', () => gzipSync(LIST), 'face 0: expected at most 67108864 corners, got 4000000000'],
  ])('%s', async (name, content, words) => {
    const path = join(folder, name)
    const out = join(folder, `${name}.out`)
    writeFileSync(path, content())
    const [rendered, inspected] = await Promise.all([
      sortfirst(['render', path, '--out', out, '--size', '16x9', '--frames', '1', ...lent()]),
      sortfirst(['inspect', path]),
    ])
    for (const outcome of [rendered, inspected]) {
      expectSentence(outcome, 2, words)
      expect(outcome.stderr.trim().split('\n').at(-1)).toContain(`sortfirst: ${path}: `)
    }
    expect(saidIn(inspected.stderr)).toHaveLength(1)
    expect(existsSync(out)).toBe(false)
  })
})

it('a file that takes more memory to read than there is', async () => {
  const path = join(folder, 'large.obj')
  writeFileSync(path, `${'v 0 0 0\n'.repeat(1_000_000)}f 1 2 3\n`)
  const env = { NODE_OPTIONS: '--max-old-space-size=40' }
  const outcome = await sortfirstProcess(['inspect', path, '--no-cache'], { env })
  expectSentence(outcome, 1, `sortfirst: ${path}: expected a scene that can be read in the memory of this program`)
})
