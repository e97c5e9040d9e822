/** glTF scenes on the command line and in the library: whose camera is used, what is told, and what is refused. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../../scripts/library/cluster.ts'
import { loadScene } from '../../scripts/library/ready-scene.ts'
import { render } from '../../scripts/library/render.ts'
import type { RenderOptions } from '../../scripts/library/render-options.ts'
import { summarySchema } from '../../shared/frame/summary.ts'
import { expectSentence } from '../support/complaint.ts'
import { glb, gltfText, triangle } from '../support/gltf.ts'
import { ETC1S } from '../support/ktx2.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { sortfirst } from '../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const cameras = triangle(document => {
  document.cameras = [
    { type: 'perspective', perspective: { yfov: 0.8, znear: 0.1 } },
    { type: 'orthographic', orthographic: { xmag: 1, ymag: 1, znear: 0, zfar: 100 } },
  ]
  document.nodes.push(
    { camera: 0, name: 'front', translation: [0, 0, 5] },
    { camera: 1, name: 'near', translation: [0.3, 0.3, 2] },
  )
  document.scenes[0].nodes = [0, 1, 2]
  document.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }]
  document.meshes[0].primitives[0].material = 0
  document.textures = [{ source: 0 }]
  document.images = [{ uri: 'nowhere.png' }]
})
const scene = join(folder, 'cameras.glb')
writeFileSync(scene, glb(cameras))
const plain = join(folder, 'plain.gltf')
writeFileSync(plain, gltfText(triangle()))

const picture = ['--size', '48x27', '--samples', '1', '--ambient-rays', '1']
const lent = lentCluster()
const run = (command: string, out: string, words: string[], file = scene) => {
  const cluster = command === 'render' ? lent() : []
  return sortfirst([command, file, ...picture, '--out', join(folder, out), '--json', ...cluster, ...words])
}

async function film(out: string, ...words: string[]) {
  const { code, stdout, stderr } = await run('render', out, words)
  expect(code, stderr).toBe(0)
  const summary = summarySchema.parse(JSON.parse(stdout))
  return { summary, stderr, hashes: summary.strategies[0]!.frameSha256 }
}

describe('a glTF scene', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster({ workers: 1, threads: 1, cache: false })
  })
  afterAll(() => cluster.close())

  const made = async (options: RenderOptions) => {
    const small = { size: [48, 27], samples: 1, ambientRays: 1, cluster } as const
    const all: string[] = []
    for await (const { report } of render(scene, { ...small, ...options })) all.push(report.sha256)
    return all
  }

  it('is seen by its first camera, once, or by the one that is named, in the library, too', async () => {
    const own = await film('own')
    expect(own.summary).toMatchObject({ frames: 1, camera: "the scene's camera 'front'" })
    expect(own.stderr).toContain('cameras.glb: image 0 ')
    const front = await film('front', '--camera-name', 'front', '--frames', '2')
    expect(front.summary.frames).toBe(2)
    expect(front.hashes[0]).toBe(own.hashes[0])
    const near = await film('near', '--camera-name', 'near')
    expect(near.summary).toMatchObject({ frames: 1, camera: "the scene's camera 'near'" })
    const wide = await film('wide', '--fov', '90')
    const orbit = await film('orbit', '--camera', 'orbit', '--frames', '1')
    expect(new Set([own, near, wide, orbit].map(({ hashes }) => hashes[0])).size).toBe(4)
    expect(await made({})).toEqual(own.hashes)
    expect(await made({ cameraName: 'near' })).toEqual(near.hashes)
    expect(await made({ camera: 'orbit' })).toEqual(orbit.hashes)
    const compared = await run('compare', 'compared', [
      ...['--camera-name', 'near', '--frames', '1', '--workers', '2', '--strategies', 'pbt,scatter'],
    ])
    expect(compared.code, compared.stderr).toBe(0)
    expect(summarySchema.parse(JSON.parse(compared.stdout)).strategies[0]!.frameSha256).toEqual(near.hashes)
  })

  it('tells the library its cameras', async () => {
    const ready = await loadScene(scene, { cache: false })
    expect(ready.cameras.map(({ name }) => name)).toEqual(['front', 'near'])
    await expect(made({ cameraName: 'back' })).rejects.toMatchObject({ code: 'UNKNOWN_NAME' })
    await expect(made({ cameraName: 'near', camera: 'orbit' })).rejects.toMatchObject({ code: 'BAD_RENDER_OPTION' })
  })
})

it.each<[string, string[], string, string[]]>([
  ['a camera that is not there', ['--camera-name', 'back'], scene, ["'back'", 'front, near']],
  ['a camera of a file without any', ['--camera-name', 'front'], plain, ['--camera-name', 'plain.gltf', 'has none']],
  [
    'two cameras',
    ['--camera-name', 'front', '--camera', 'orbit'],
    scene,
    ['--camera-name cannot be combined with --camera'],
  ],
  ['a camera and an eye', ['--camera-name', 'front', '--eye', '1,2,3'], scene, ['cannot be combined with --eye']],
  ['a field of view of parallel rays', ['--camera-name', 'near', '--fov', '40'], scene, ['--fov', 'perspective']],
])('%s is refused', async (_, words, file, parts) => {
  const { stderr, ...outcome } = await run('render', 'no', words, file)
  expectSentence({ ...outcome, stderr }, 2, ...parts)
})

it('pictures in KTX2 are decoded by the program, too', async () => {
  const pictured = triangle(document => {
    document.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }]
    document.meshes[0].primitives[0].material = 0
    document.textures = [{ extensions: { KHR_texture_basisu: { source: 0 } } }]
    document.images = [{ uri: `data:image/ktx2;base64,${ETC1S.toString('base64')}` }]
  })
  const path = join(folder, 'pictured.glb')
  writeFileSync(path, glb(pictured))
  const { code, stdout, stderr } = await sortfirst(['inspect', path, '--json'])
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ textures: { count: 1, bytes: 128 }, warnings: [] })
})

it('a broken file ends in one sentence', async () => {
  const broken = join(folder, 'broken.glb')
  writeFileSync(broken, glb(cameras).subarray(0, 200))
  expectSentence(await run('render', 'no', [], broken), 2, 'broken.glb: the file is truncated')
})
