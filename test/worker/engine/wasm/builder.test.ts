import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AmbientScene } from '../../../../shared/scene/ambient-look.ts'
import { triangleCount, VERTEX_FLOATS } from '../../../../shared/scene/bake.ts'
import { SceneTooLargeError } from '../../../../worker/engine/errors.ts'
import { KernelMemory, MAX_BYTES } from '../../../../worker/engine/wasm/memory.ts'
import { header } from '../../../../worker/engine/wasm/records/access.ts'
import { placesOf } from '../../../../worker/engine/wasm/scene-header.ts'
import { loadWasmEngine } from '../../../../worker/node/load-kernel.ts'
import { cornersOf, materialsOf } from '../../../support/triangles.ts'
import { GREY, mixedScene, mountains, quad, sharedBytes, soup, sphere, unbakedScene } from '../../support/meshes.ts'
import {
  build,
  builderOver,
  kernelModule,
  memoryWith,
  moved,
  refit,
  structureBytes,
  verticesIn,
} from './builder-harness.ts'
import { expectedCost, faultsOf, isTriangle4, nodesOf, slotsOf } from './structure.ts'

/** Words of a build's state, see `kernel/build/state.ts`. */
const [NEXT_RECORD, NEXT_TASK, TASK_LIST, RECORDS, NEXT_CHUNK] = [0, 3, 11, 16, 27]
/** See `kernel/build/chunks.ts`. */
const CHUNK_BYTES = 8192
/** Levels of nodes that no tree exceeds, see `kernel/build/workspace.ts`. */
const MAX_LEVELS = 74

const trianglesOf = (positions: readonly number[]) => unbakedScene([{ mesh: soup(positions), material: GREY }])
const row = (count: number, triangle: (i: number) => number[]) =>
  trianglesOf(Array.from({ length: count }, (_, i) => triangle(i)).flat())
/** Small triangles at places that look random, in a cube of such a size. */
const cloud = (count: number, size: number, thickness = size) =>
  row(count, i => {
    const at = [0.754877, 0.56984, 0.430159].map((step, axis) => ((i * step) % 1) * (axis < 2 ? size : thickness))
    return [0, 1, 2].flatMap(k => at.map((x, axis) => x + (k === axis ? 0.03 : 0) * (axis < 2 ? size : thickness)))
  })
/** The scene with each coordinate of its vertices, by its place among the floats, moved. */
const movedVertices = (scene: AmbientScene, move: (x: number, at: number) => number): AmbientScene => ({
  ...scene,
  vertices: scene.vertices.map((value, at) => (at % VERTEX_FLOATS < 3 ? move(value, at) : value)),
})

const NOTHING_MUCH = trianglesOf([0, 0, 0, 1, 0, 0, 0, 1, 0])
const SCENES: readonly [string, AmbientScene][] = [
  ['a scene of many parts', mixedScene()],
  ['one triangle', NOTHING_MUCH],
  ['two triangles at one place', row(2, () => [0, 0, 0, 1, 0, 0, 0, 1, 0])],
  ['five triangles', row(5, i => [i, 0, 0, i + 1, 0, 0, i, 1, 0])],
  ['a flat floor', unbakedScene([{ mesh: quad([-1, 0, 1], [2, 0, 0], [0, 0, -2]), material: GREY }])],
  ['a sphere far away', unbakedScene([{ mesh: sphere([1e7, -1e7, 1e7], 5, 4), material: GREY }])],
  ['a hundred thousand triangles at one place', row(100_000, () => [0, 0, 0, 1, 0, 0, 0, 1, 0])],
  ['points at one place', row(50, () => [0, 0, 0, 0, 0, 0, 0, 0, 0])],
  ['lines and points', row(200, i => (i % 2 ? [i, 0, 0, i, 1, 0, i, 2, 0] : [i, i, i, i, i, i, i, i, i]))],
  ['a line of points', row(3000, i => [i, 0, 0, i, 0, 0, i, 0, 0])],
  ['a flat cloud', cloud(5000, 1, 0)],
  ['a cloud as large as 1e12', cloud(5000, 1e12)],
  ['a cloud as large as 3e38', cloud(1000, 3e38)],
  ['a cloud as small as 1e-40', cloud(1000, 1e-40)],
  // Each is so much larger than all before it that every split cuts off one: the deepest tree there can be.
  ['sizes from 1e-37 to 1e37', row(250, i => [0, 0, 0, 1e-37 * 2 ** i, 0, 0, 0, 1e-37 * 2 ** i, 0])],
  ['coordinates on a doubling grid', row(240, i => [2 ** (i - 120), 0, 0, 2 ** (i - 120), 1, 0, 2 ** (i - 120), 0, 1])],
  // Large enough to be split among threads.
  ['a fine sphere', unbakedScene([{ mesh: sphere([0, 0, 0], 1, 6), material: GREY }])],
]

const faults = (memory: KernelMemory, scene: AmbientScene) =>
  faultsOf(memory, triangleCount(scene), triangle => cornersOf(scene, triangle).flat())

describe.each(SCENES)('the tree of %s', (_, scene) => {
  const memory = build(scene)

  it('has every triangle in one triangle4, and boxes that hold what is in them', () => {
    expect(faults(memory, scene)).toEqual([])
  })

  it('is no deeper than it may be, with an expected cost', () => {
    expect(header(memory, 'depth')).toBeLessThanOrEqual(MAX_LEVELS)
    const { nodes, triangle4s } = expectedCost(memory)
    expect(nodes).toBeGreaterThanOrEqual(1)
    expect(nodes + triangle4s).toBeLessThan(Number.POSITIVE_INFINITY)
  })

  it('has the same bytes when it is built again', () => {
    expect(structureBytes(build(scene)).equals(structureBytes(memory))).toBe(true)
  })

  it('has the same bytes after a refit that moves nothing', () => {
    const before = structureBytes(memory)
    refit(memory)
    expect(structureBytes(memory).equals(before)).toBe(true)
  })
})

describe('building with helpers', () => {
  const scene = unbakedScene([
    { mesh: mountains(100), material: GREY },
    { mesh: sphere([0, 2, 0], 1, 5), material: GREY },
  ])
  const alone = structureBytes(build(scene))

  it('gives the same bytes with two instances in turn', () => {
    const { memory, end } = memoryWith(scene)
    const [first, second] = [builderOver(memory), builderOver(memory)]
    expect(first.buildBegin(end)).toBeGreaterThan(4)
    second.buildHelp()
    first.buildHelp()
    second.buildHelp()
    expect(structureBytes(moved(memory, second.buildFinish(end))).equals(alone)).toBe(true)
  })

  it('gives the same bytes when nobody helps before the end', () => {
    const { memory, end } = memoryWith(scene)
    const kernel = builderOver(memory)
    kernel.buildBegin(end)
    expect(structureBytes(moved(memory, kernel.buildFinish(end))).equals(alone)).toBe(true)
  })

  it('gives the same bytes with three threads at once', async () => {
    const { memory, end } = memoryWith(scene)
    const kernel = builderOver(memory)
    kernel.buildBegin(end)
    const helpers = [1, 2].map(() => {
      const workerData = { module: kernelModule, memory: memory.memory }
      return new Worker(new URL('./builder-helper.js', import.meta.url), { workerData })
    })
    const ended = Promise.all(helpers.map(helper => once(helper, 'exit')))
    await Promise.all(helpers.map(helper => once(helper, 'online')))
    kernel.buildHelp()
    await ended
    expect(structureBytes(moved(memory, kernel.buildFinish(end))).equals(alone)).toBe(true)
  })

  it('can be repeated in the same memory', () => {
    const { memory, end } = memoryWith(scene)
    const kernel = builderOver(memory)
    for (let round = 0; round < 2; round++) {
      kernel.buildBegin(end)
      kernel.buildHelp()
      expect(structureBytes(moved(memory, kernel.buildFinish(end))).equals(alone)).toBe(true)
    }
  })
})

describe('a helper that traps', () => {
  it('leaves nobody waiting for what it had taken', async () => {
    const engine = loadWasmEngine('wasm')
    const scene = mixedScene()
    const building = engine.begin(sharedBytes(scene), 2)
    const words = new Int32Array(building.memory.buffer)
    const state = header(new KernelMemory(building.memory), 'building') >> 2
    // All records are somebody's work already: a helper finds none to make, and waits for its first task.
    words[state + NEXT_RECORD] = triangleCount(scene)
    const workerData = { module: kernelModule, memory: building.memory }
    const waiting = new Worker(new URL('./builder-helper.js', import.meta.url), { workerData })
    const ended = once(waiting, 'exit')
    while (Atomics.load(words, state + NEXT_TASK) === 0) await nextTurn()
    words[state + TASK_LIST] = -64
    expect(() => engine.help(building)).toThrow('memory access out of bounds')
    expect(await ended).toEqual([0])
  })
})

describe('the tree of a scan', () => {
  const scene = unbakedScene([{ mesh: mountains(150), material: GREY }])
  const memory = build(scene)

  it('fills its triangle4s and takes little memory', () => {
    const triangles = triangleCount(scene)
    expect(triangles / header(memory, 'triangle4Count')).toBeGreaterThan(3.7)
    expect(header(memory, 'structureBytes') / triangles).toBeLessThan(57)
  })

  it('costs a random ray far less than testing everything', () => {
    const { nodes, triangle4s } = expectedCost(memory)
    expect(nodes).toBeGreaterThan(1)
    expect(nodes).toBeLessThan(15)
    expect(triangle4s).toBeLessThan(10)
  })
})

describe('the tree of a cloud and a triangle far away, which is not in a sample of them', () => {
  it('costs little more than that of the cloud', () => {
    const [count, far] = [20_000, 1000]
    const alone = cloud(count, 1)
    const corners = Array.from({ length: count }, (_, i) => cornersOf(alone, i).flat())
    corners[count / 2 + 1] = [far, far, far, far, far + 1, far, far, far, far + 1]
    const both = trianglesOf(corners.flat())
    // Relative to the box of the cloud, whose sides are 1.03.
    const cost = builderOver(build(alone)).treeCost()
    const ofBoth = builderOver(build(both)).treeCost() * (far / 1.03) ** 2
    expect(ofBoth).toBeGreaterThan(cost * 0.9)
    expect(ofBoth).toBeLessThan(cost * 1.2)
  })
})

describe('a clear material', () => {
  it('sets the clear bit of its triangles, and of no others', () => {
    const scene = mixedScene()
    const memory = build(scene)
    const clear = new Uint8Array(triangleCount(scene))
    for (const { children } of nodesOf(memory)) {
      for (const { word } of children) {
        if (!isTriangle4(word)) continue
        for (const slot of slotsOf(memory, word))
          if (slot.triangle !== undefined) clear[slot.triangle] = Number(slot.clear)
      }
    }
    expect([...clear]).toEqual(materialsOf(scene).map(id => Number(scene.materials[id]!.kind === 'glass')))
  })
})

describe('a refit', () => {
  it('takes up moved vertices', () => {
    const scene = unbakedScene([{ mesh: sphere([0, 0, 0], 1, 5), material: GREY }])
    const memory = build(scene)
    const bent = movedVertices(scene, (x, at) => 3 * x + Math.sin(7 * scene.vertices[at - (at % VERTEX_FLOATS)]!))
    verticesIn(memory).set(bent.vertices)
    refit(memory)
    expect(faults(memory, bent).filter(fault => fault !== 'children are not in order')).toEqual([])
  })

  it('costs what the tree did where nothing has moved, and more where everything has', () => {
    const scene = unbakedScene([{ mesh: sphere([0, 0, 0], 1, 5), material: GREY }])
    const memory = build(scene)
    const before = builderOver(memory).treeCost()
    expect(before).toBeGreaterThan(1)
    expect(refit(memory)).toBe(before)
    const torn = movedVertices(scene, (x, at) => x + Math.sin(at * 12.9898) * 2)
    verticesIn(memory).set(torn.vertices)
    expect(refit(memory)).toBeGreaterThan(3 * before)
  })

  it('leaves the shape of the tree, by which it is told from another', () => {
    const scene = unbakedScene([{ mesh: sphere([0, 0, 0], 1, 5), material: GREY }])
    const bent = movedVertices(scene, (x, at) => x * (1 + (at % 3)))
    const memory = build(scene)
    const shape = builderOver(memory).treeShape()
    verticesIn(memory).set(bent.vertices)
    refit(memory)
    expect(builderOver(memory).treeShape()).toBe(shape)
    expect(builderOver(build(bent)).treeShape()).not.toBe(shape)
  })

  it('has the same bytes with any number of threads', () => {
    const scene = unbakedScene([{ mesh: sphere([0, 0, 0], 1, 7), material: GREY }])
    const bent = movedVertices(scene, x => 3 * x + 1)
    const [alone, shared] = [build(scene), build(scene)]
    for (const memory of [alone, shared]) verticesIn(memory).set(bent.vertices)
    refit(alone)
    const kernels = [1, 2, 3].map(() => builderOver(shared))
    kernels[0]!.refitBegin(Math.ceil(shared.bytes.length / 128) * 128)
    for (const kernel of kernels) kernel.refitHelp()
    kernels[0]!.refitFinish()
    expect(structureBytes(shared).equals(structureBytes(alone))).toBe(true)
  })

  it('widens boxes by what is the largest coordinate now', () => {
    const scene = mixedScene()
    const memory = build(scene)
    const far = movedVertices(scene, x => x + 1e6)
    verticesIn(memory).set(far.vertices)
    refit(memory)
    expect(faults(memory, far)).toEqual([])
  })
})

describe('a memory that cannot grow', () => {
  const scene = unbakedScene([{ mesh: sphere([0, 0, 0], 1, 6), material: GREY }])
  /** Pages of a memory with so many bytes for each triangle, besides what a build needs of any scene. */
  const pagesOf = (scene: AmbientScene, bytesPerTriangle: number) => {
    const least = memoryWith(NOTHING_MUCH)
    builderOver(least.memory).buildBegin(least.end)
    const others = least.memory.bytes.length - least.end
    return Math.ceil((memoryWith(scene).end + others + bytesPerTriangle * triangleCount(scene)) / 65536)
  }

  it('is told at the beginning when the records do not fit', () => {
    const pages = memoryWith(scene).memory.bytes.length / 65536
    for (const more of [0, 4, 40]) {
      const { memory, end } = memoryWith(scene, pages + more)
      expect(builderOver(memory).buildBegin(end)).toBe(0)
    }
  })

  it('gives the same bytes in as little as most meshes need', () => {
    // Enough for most: 83 bytes for each triangle instead of 127.
    const { memory, end } = memoryWith(scene, pagesOf(scene, 83))
    const kernel = builderOver(memory)
    expect(kernel.buildBegin(end)).toBeGreaterThan(0)
    expect(structureBytes(moved(memory, kernel.buildFinish(end))).equals(structureBytes(build(scene)))).toBe(true)
    expect(builderOver(memoryWith(scene, pagesOf(scene, 79)).memory).buildBegin(end)).toBe(0)
  })

  it('of 4 GiB has room for 40 million triangles of a closed mesh, which have half as many vertices', () => {
    const closed = { vertices: 20_000_000, triangles: 40_000_000 }
    const { memory, end } = memoryWith(NOTHING_MUCH)
    builderOver(memory).buildBegin(end)
    const others = memory.bytes.length - end
    const needed = placesOf(closed, 1).end + others + 83 * closed.triangles
    expect(needed).toBeLessThan(MAX_BYTES)
    // Not many more: 83 bytes are what the test above finds to be least.
    expect((needed / closed.triangles) * 41_000_000).toBeGreaterThan(MAX_BYTES)
  })

  it('is told at the end when the structure does not fit', () => {
    // So large that their areas overflow: 66 bytes of structure for each.
    const large = cloud(20_000, 3e38)
    const { memory, end } = memoryWith(large, pagesOf(large, 83))
    const kernel = builderOver(memory)
    expect(kernel.buildBegin(end)).toBeGreaterThan(0)
    kernel.buildHelp()
    expect(kernel.buildFinish(end)).toBe(0)
  })

  it('is told, too, by a thread that begins when others have taken all room for the tree', () => {
    const { memory, end } = memoryWith(scene)
    const kernel = builderOver(memory)
    kernel.buildBegin(end)
    const words = new Int32Array(memory.memory.buffer)
    const state = header(memory, 'building') >> 2
    words[state + NEXT_CHUNK] = words[state + RECORDS]!
    kernel.buildHelp()
    expect(kernel.buildFinish(end)).toBe(0)
  })

  it('is told at the end when there is no room for the tree', async () => {
    const engine = loadWasmEngine('wasm')
    const building = engine.begin(sharedBytes(mixedScene()), 2)
    const words = new Int32Array(building.memory.buffer)
    const state = header(new KernelMemory(building.memory), 'building') >> 2
    // As if all but one chunk of nodes had been taken.
    words[state + NEXT_CHUNK] = words[state + RECORDS]! - CHUNK_BYTES
    const workerData = { module: kernelModule, memory: building.memory }
    const helper = new Worker(new URL('./builder-helper.js', import.meta.url), { workerData })
    const ended = once(helper, 'exit')
    engine.help(building)
    expect(await ended).toEqual([0])
    expect(() => engine.finish(building)).toThrow(SceneTooLargeError)
  })
})

describe('random triangles', () => {
  it('are all found', () => {
    const coordinate = fc.float({ min: -1000, max: 1000, noNaN: true })
    const corners = fc.array(coordinate, { minLength: 9, maxLength: 9 })
    fc.assert(
      fc.property(fc.array(corners, { minLength: 1, maxLength: 100 }), all => {
        const scene = trianglesOf(all.flat())
        expect(faults(build(scene), scene)).toEqual([])
      }),
      { numRuns: 50 },
    )
  })
})
