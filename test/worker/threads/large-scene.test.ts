/** Scenes so large that threads share more of the work than the tree: baking, and the copy to the final memory. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { viewsOf } from '../../../shared/scene/packed-layout.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import type { WasmScene } from '../../../worker/engine/wasm/wasm-scene.ts'
import { engineByName } from '../../../worker/node/engines.ts'
import { startThreadPool } from '../../../worker/node/thread-pool.ts'
import type { ThreadPool } from '../../../worker/threads/thread-pool.ts'
import { traceTile } from '../support/engines.ts'
import { GREY, mountains, sceneOf, sharedBytes, viewOf } from '../support/meshes.ts'

const mesh = mountains(270)
const bytes = sharedBytes(sceneOf([{ mesh, material: GREY }]))
const engine = engineByName('wasm')

/** What one thread makes of it, as it is stored. */
function imageHere(): Uint8Array {
  const building = engine.begin(bytes, 1)
  engine.help(building)
  return engine.storage!.image(engine.finish(building) as WasmScene)
}

let pool: ThreadPool
beforeAll(async () => {
  pool = await startThreadPool({ threads: 3, engine: 'wasm' })
})
afterAll(() => pool.close())

it('have the bytes that one thread makes, also the second time, and with a thread that helps', async () => {
  const here = imageHere()
  for (const helpers of [0, 1]) {
    const { image } = await pool.loadScene(`with ${helpers}`, bytes, helpers)
    expect(Buffer.compare(image!, here)).toBe(0)
  }
})

it('are baked, built and copied by all threads, a stage after the other', () => {
  const stages: string[] = []
  let building = engine.begin(bytes, 3) as { readonly stage: string }
  for (let next: object | undefined = building; next; next = engine.next(building)) {
    building = next as typeof building
    stages.push(building.stage)
    engine.help(building)
  }
  expect(stages).toEqual(['bake', 'tree', 'copy'])
  expect(Buffer.compare(engine.storage!.image(engine.finish(building) as WasmScene), imageHere())).toBe(0)
})

it('are baked by one thread if they are of many small instances, or of instances alone', () => {
  const stageOf = (side: number, count: number): unknown => {
    const scene = viewsOf(sharedBytes(sceneOf([{ mesh: mountains(side), material: GREY }])))
    const { bytes } = packScene({ ...scene, instances: Array.from({ length: count }, () => scene.instances[0]!) })
    return engine.begin(bytes, 3)
  }
  expect(stageOf(270, 1)).toMatchObject({ stage: 'bake' })
  expect(stageOf(2, 1 << 15)).toMatchObject({ stage: 'tree' })
  expect(stageOf(270, 8)).toMatchObject({ stage: 'tree' })
})

it('are refitted to the same picture after they have been baked together', () => {
  const higher = { ...mesh, positions: mesh.positions.map((value, at) => (at % 3 === 1 ? 1.5 * value : value)) }
  const moved = sharedBytes(sceneOf([{ mesh: higher, material: GREY }]))
  const built = engine.finish(engine.begin(bytes, 3))
  const baking = engine.begin(moved, 3, { built, refit: true })
  engine.help(baking)
  const refitting = engine.next(baking)!
  expect(refitting).toMatchObject({ stage: 'tree', refitted: {} })
  const [size, rect] = [[64, 40], { x: 0, y: 0, w: 64, h: 40 }] as const
  const pictures = [engine.finish(refitting), engine.finish(engine.begin(moved, 1))].map(scene =>
    traceTile(engine.open(scene, 0), viewOf(size), rect),
  )
  expect(Buffer.compare(pictures[0]!, pictures[1]!)).toBe(0)
})

it('are finished by one thread, whatever the others have done', () => {
  const alone = engine.finish(engine.begin(bytes, 3)) as WasmScene
  expect(Buffer.compare(engine.storage!.image(alone), imageHere())).toBe(0)
})
