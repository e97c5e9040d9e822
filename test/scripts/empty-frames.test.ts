/** Films that show nothing for a while: such a frame is what surrounds the scene, and the film goes on. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../../scripts/library/cluster.ts'
import { loadScene, type ReadyScene } from '../../scripts/library/ready-scene.ts'
import { render } from '../../scripts/library/render.ts'
import type { RenderOptions } from '../../scripts/library/render-options.ts'
import { moving, withArrays } from '../scenes/files/gltf/moving-gltf.ts'
import { type AnyGltf, type GltfParts, glb } from '../support/gltf.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ workers: 2, threads: 1, cache: false })
})
afterAll(async () => {
  await cluster.close()
  rmSync(folder, { recursive: true, force: true })
})

const loaded = (name: string, content: Uint8Array | string): Promise<ReadyScene> => {
  writeFileSync(join(folder, name), content)
  return loadScene(join(folder, name), { cache: false })
}

const TIMES = Float32Array.of(0, 1, 2, 3, 4)
/** At even frames of one per second, or at odd ones, there is nothing. */
const shown = (first: number) => [first, 1 - first, first, 1 - first, first]
const triples = (values: readonly number[]) => Float32Array.from(values.flatMap(each => [each, each, each]))
/** Of what is far behind the camera there is nothing to see either. */
const behind = (first: number) => Float32Array.from(shown(first).flatMap(there => [0, 0, there ? 0 : 100]))

/** With a camera, and so without a floor. */
function seen(parts: GltfParts, change: (document: AnyGltf) => void = () => {}): GltfParts {
  const { document } = parts
  document.cameras = [{ type: 'perspective', perspective: { yfov: 0.6, znear: 0.1, zfar: 1000 } }]
  document.scenes[0].nodes.push(document.nodes.push({ camera: 0, translation: [0.3, 0.3, 4] }) - 1)
  change(document)
  return parts
}

const scaled = (first: number) => seen(moving('scale', TIMES, triples(shown(first)), 'VEC3', 'STEP'))
const moved = (first: number) => seen(moving('translation', TIMES, behind(first), 'VEC3', 'STEP'))
const hidden = (first: number) =>
  seen(
    withArrays(
      [
        [TIMES, 'SCALAR'],
        [Uint8Array.from(shown(first)), 'SCALAR'],
      ],
      document => {
        const pointer = '/nodes/0/extensions/KHR_node_visibility/visible'
        document.animations = [
          {
            samplers: [{ input: 2, output: 3, interpolation: 'STEP' }],
            channels: [{ sampler: 0, target: { path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } } }],
          },
        ]
      },
    ),
  )

const hashes = async (scene: ReadyScene, options: RenderOptions = {}): Promise<string[]> => {
  const all: string[] = []
  const quality = { size: [48, 27], samples: 4, fps: 1, frames: 4 } as const
  for await (const { report } of render(scene, { ...quality, cluster, ...options })) all.push(report.sha256)
  return all
}

describe.each([1, 0])('a film with something in every second frame, %i of it in the first', first => {
  const scenes: ReadyScene[] = []
  beforeAll(async () => {
    for (const [name, parts] of Object.entries({ moved, scaled, hidden }))
      scenes.push(await loaded(`${name}.glb`, glb(parts(first))))
  })
  afterAll(async () => {
    for (const scene of scenes) await scene.close?.()
  })

  it.each<[string, RenderOptions]>([
    ['', {}],
    ['by the path tracer, with another strategy', { integrator: 'path', strategy: 'pbt' }],
    ['from its coverage', { strategy: 'coverage-prepass' }],
    ['over the time of each', { shutter: 1, timeSteps: 2, fps: 2, frames: 6 }],
  ])('has all its frames, and the sky alone in those %s', async (_, options) => {
    const [behind, ...films] = scenes
    const expected = await hashes(behind!, options)
    expect(new Set(expected).size).toBeGreaterThan(1)
    expect(expected).toHaveLength((options.frames as number | undefined) ?? 4)
    for (const film of films) expect(await hashes(film, options), film.name).toEqual(expected)
  })
})

it('frames of a film that begins with nothing are the same alone', async () => {
  const scene = await loaded('begins.glb', glb(scaled(0)))
  const film = await hashes(scene)
  await scene.close?.()
  expect(await hashes(scene, { frames: [3] })).toEqual([film[3]])
  await scene.close?.()
})

it('a scene that begins with nothing is as large as what is seen first, and says so', async () => {
  const { subject, triangles, problems, contents } = await loaded('later.glb', glb(scaled(0)))
  expect(subject).toEqual([
    [0, 0, 0],
    [1, 1, 0],
  ])
  expect(triangles).toBe(0)
  expect(contents).toMatchObject({ triangles: { unique: 0, drawn: 0 }, added: { triangles: 0 } })
  expect(problems).toEqual(['nothing of it is seen at time 0: its size is that at 1 s'])
})

it.each<[string, string, Uint8Array | string, string]>([
  ['a file', 'never.glb', glb(seen(moving('scale', TIMES, new Float32Array(15), 'VEC3'))), 'all have zero area'],
  [
    'a still',
    'still.glb',
    glb(
      seen(moving('scale', TIMES, triples([0, 0, 0, 0, 0]), 'VEC3'), d => {
        d.animations = []
        d.nodes[0].scale = [0, 0, 0]
      }),
    ),
    'all have zero area',
  ],
  [
    'a module',
    'never.mjs',
    "import * as THREE from 'three'\nexport default { scene: new THREE.Scene(), update() {} }",
    'at no time has it any',
  ],
])('%s with nothing at any time is refused', async (_, name, content, why) => {
  await expect(loaded(name, content)).rejects.toMatchObject({
    code: 'SCENE_EMPTY',
    exitCode: 2,
    message: expect.stringContaining(`expected at least one triangle, got none: ${why}`),
  })
})

it('a module may add what it shows in the middle of its film', async () => {
  const scene = await loaded(
    'late.mjs',
    `import * as THREE from 'three'
     const [scene, box] = [new THREE.Scene(), new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial({ color: 'red' }))]
     export default { scene, seconds: 4, update(time) { if (time >= 2) scene.add(box); else box.removeFromParent() } }`,
  )
  expect(scene.subject[1]).toEqual([0.5, 0.5, 0.5])
  const [first, second, ...later] = await hashes(scene)
  await scene.close?.()
  expect(second).toBe(first)
  expect(later).toHaveLength(2)
  expect(later).not.toContain(first)
})
