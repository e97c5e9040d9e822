/**
 * Trusted packed scenes: a scene that is packed or received is validated here once and trusted from then on. Time and memory are
 * proportional to its bytes.
 */
import * as z from 'zod'
import { atOnce, piecesOf, type Steps } from '../time/steps.ts'
import { bakedSize } from './bake.ts'
import { offsetOf, type SceneDescription, type SceneMesh, strideOf, type Transform } from './description.ts'
import { headSchema, isUnit, MAX_RADIANCE } from './look-schema.ts'
import { layOut, lookOf, type PackedHead, type PackedScene, type SceneLook, viewsOf } from './packed-layout.ts'
import { PackedSceneError } from './packed-scene-error.ts'
import { fillArrays, lengthsOf } from './scene-arrays.ts'
import { OTHERS } from './scene-names.ts'
import { texelBytes } from './texture.ts'

/** Triangles of all instances together: what follows numbers them, and a bit of a number is spoken for. */
export const MAX_TRIANGLES = 2 ** 31 - 2
const MAX_FLOAT = 3.4028234663852886e38

/**
 * Packs a scene into a new zeroed buffer from `allocate`.
 * @throws PackedSceneError if the scene contradicts itself
 */
export function packScene(
  scene: SceneDescription,
  allocate: (bytes: number) => Uint8Array = bytes => new Uint8Array(bytes),
): PackedScene {
  checkShape(scene)
  const { lengths, ...look } = headOf(scene)
  return readPackedScene(layOut(look, lengths, arrays => fillArrays(scene, arrays), allocate))
}

/** With its keys in the schema's order, so that equal looks have equal bytes. @throws PackedSceneError */
const headOf = (scene: SceneDescription): PackedHead => checkedHead({ ...lookOf(scene), lengths: lengthsOf(scene) })

/** What has been checked already: reaches of meshes, and texels of environments. */
export interface Checked {
  readonly meshes: WeakMap<SceneMesh, Reach>
  readonly texels: WeakSet<Float32Array>
}

/**
 * Checks a scene as packing does, but nothing twice; returns its look.
 * @throws PackedSceneError if the scene contradicts itself
 */
export function checkedLook(scene: SceneDescription, checked: Checked): SceneLook {
  checkShape(scene)
  const { lengths: _, ...look } = headOf(scene)
  atOnce(geometrySteps(scene, checked.meshes))
  checkTextures(scene)
  const { environment } = scene
  if (environment.kind === 'map' && !checked.texels.has(environment.texels)) {
    atOnce(environmentSteps(scene))
    checked.texels.add(environment.texels)
  }
  return look
}

/**
 * Views of a packed scene, which is fully validated because it may come from the network.
 * @throws PackedSceneError
 */
export const readPackedScene = (bytes: Uint8Array): PackedScene => atOnce(readingSteps(bytes))

/** The same in steps of milliseconds. @throws PackedSceneError */
export function* readingSteps(bytes: Uint8Array): Steps<PackedScene> {
  const scene = viewsOf(bytes, checkedHead)
  yield* geometrySteps(scene)
  checkTextures(scene)
  yield* environmentSteps(scene)
  return scene
}

/** What the tables of a packed scene cannot express, and a description can get wrong. */
function checkShape({ meshes, instances, textures }: SceneDescription): void {
  textures.forEach((texture, i) => {
    if (texture.texels.length !== texelBytes(texture))
      throw new PackedSceneError(`texture ${i}: expected ${texelBytes(texture)} bytes, got ${texture.texels.length}`)
  })
  meshes.forEach(({ attributes, vertices, indices, slots }, i) => {
    const what = `mesh ${i}: ${vertices.length} floats of vertices, ${indices.length} indices, ${slots.length} slots`
    if (vertices.length % strideOf(attributes) !== 0 || indices.length !== slots.length * 3)
      throw new PackedSceneError(`${what} do not match`)
  })
  instances.forEach(({ mesh, transform, materials, object = 0 }, i) => {
    // Stored as 16 bits, too.
    if (!(object >>> 0 <= OTHERS)) throw new PackedSceneError(`instance ${i} names object ${object} of ${OTHERS}`)
    if (transform.length !== 12)
      throw new PackedSceneError(`instance ${i} has a transform of ${transform.length} numbers, expected 12`)
    // Numbers of materials are stored as 16 bits, which would wrap around.
    if (materials.length !== meshes[mesh]?.slotCount || materials.some(material => !(material >>> 0 < 65536)))
      throw new PackedSceneError(`instance ${i}: its materials ${materials} do not match mesh ${mesh}`)
  })
}

function checkedHead(json: unknown): PackedHead {
  const head = headSchema.safeParse(json)
  if (!head.success) throw new PackedSceneError(`head: ${z.prettifyError(head.error).split('\n')[0]}`)
  return head.data as unknown as PackedHead
}

/** Checks what tracers rely on, so that their inner loops need no checks. */
function* geometrySteps(scene: SceneDescription, known = new WeakMap<SceneMesh, Reach>()): Steps<void> {
  const { meshes, instances, materials } = scene
  const { vertices, triangles } = bakedSize(scene)
  if (triangles === 0) throw new PackedSceneError('expected at least one triangle, got none')
  if (triangles > MAX_TRIANGLES)
    throw new PackedSceneError(`expected at most ${MAX_TRIANGLES} triangles in all instances, got ${triangles}`)
  if (vertices >= 2 ** 32)
    throw new PackedSceneError(`expected fewer than 2^32 vertices in all instances, got ${vertices}`)
  const reaches: Reach[] = []
  for (const [i, mesh] of meshes.entries()) {
    const reach = known.get(mesh) ?? (yield* meshSteps(mesh, i))
    known.set(mesh, reach)
    reaches.push(reach)
  }
  instances.forEach(({ mesh, transform, materials: assigned }, i) => {
    if (!fitsFloats(transform, reaches[mesh]!))
      throw new PackedSceneError(`instance ${i} is not finite in single precision`)
    for (const material of assigned)
      if (material >= materials.length)
        throw new PackedSceneError(`instance ${i} names material ${material} of ${materials.length}`)
  })
}

/** Largest absolute coordinates of a mesh. */
export type Reach = readonly [number, number, number]

/** Elements that are looked at in a step. */
const STEP = 2 ** 20

type Fail = (problem: string) => never

/** @throws PackedSceneError */
function* meshSteps(mesh: SceneMesh, number: number): Steps<Reach> {
  const { vertices, indices, slots, slotCount, attributes } = mesh
  const stride = strideOf(attributes)
  const count = vertices.length / stride
  const fail: Fail = problem => {
    throw new PackedSceneError(`mesh ${number}: ${problem}`)
  }
  let reach: Reach = [0, 0, 0]
  for (const [from, to] of piecesOf(vertices.length, STEP - (STEP % stride))) {
    checkFinite(mesh, from, to, fail)
    checkUnits(mesh, 'normal', from, to, fail)
    checkUnits(mesh, 'tangent', from, to, fail)
    checkColors(mesh, from, to, fail)
    reach = reachOf(vertices, stride, from, to, reach)
    yield
  }
  for (const [from, to] of piecesOf(indices.length, STEP)) {
    for (let i = from; i < to; i++)
      if (indices[i]! >= count) fail(`triangle ${Math.floor(i / 3)} names vertex ${indices[i]} of ${count}`)
    yield
  }
  if (slotCount < 1 || slotCount > 65536) fail(`expected 1 to 65536 slots, got ${slotCount}`)
  for (const [from, to] of piecesOf(slots.length, STEP)) {
    for (let i = from; i < to; i++)
      if (slots[i]! >= slotCount) fail(`triangle ${i} names slot ${slots[i]} of ${slotCount}`)
    yield
  }
  return reach
}

function checkFinite({ vertices, attributes }: SceneMesh, from: number, to: number, fail: Fail): void {
  for (let i = from; i < to; i++) {
    const value = vertices[i]!
    if (value - value !== 0) fail(`vertex ${Math.floor(i / strideOf(attributes))} is not finite`)
  }
}

function checkUnits(mesh: SceneMesh, attribute: 'normal' | 'tangent', from: number, to: number, fail: Fail): void {
  const { vertices, attributes } = mesh
  const stride = strideOf(attributes)
  const first = offsetOf(mesh, attribute)
  if (first === undefined) return
  for (let at = from + first; at < to; at += stride) {
    const x = vertices[at]!
    const y = vertices[at + 1]!
    const z = vertices[at + 2]!
    if (!isUnit(x, y, z) && (x !== 0 || y !== 0 || z !== 0))
      fail(`the ${attribute} of vertex ${(at - first) / stride} is ${x}, ${y}, ${z}: expected a unit vector, or zeros`)
    if (attribute === 'tangent' && Math.abs(vertices[at + 3]!) !== 1)
      fail(`the tangent of vertex ${(at - first) / stride} has handedness ${vertices[at + 3]}: expected 1 or -1`)
  }
}

function checkColors(mesh: SceneMesh, from: number, to: number, fail: Fail): void {
  const { vertices, attributes } = mesh
  const stride = strideOf(attributes)
  const first = offsetOf(mesh, 'color')
  if (first === undefined) return
  for (let at = from + first; at < to; at += stride)
    for (let channel = at; channel < at + 4; channel++)
      if (!(vertices[channel]! >= 0 && vertices[channel]! <= 1))
        fail(`the colour of vertex ${(at - first) / stride} has ${vertices[channel]}: expected 0 to 1`)
}

function reachOf(vertices: Float32Array, stride: number, from: number, to: number, before: Reach): Reach {
  let [x, y, z] = before
  for (let at = from; at < to; at += stride) {
    x = Math.max(x, Math.abs(vertices[at]!))
    y = Math.max(y, Math.abs(vertices[at + 1]!))
    z = Math.max(z, Math.abs(vertices[at + 2]!))
  }
  return [x, y, z]
}

/** Whether no vertex within reach is transformed to more than a float holds. Written so that NaN is not. */
function fitsFloats(transform: Transform, [x, y, z]: Reach): boolean {
  for (let row = 0; row < 12; row += 4) {
    const [a, b, c, d] = [transform[row]!, transform[row + 1]!, transform[row + 2]!, transform[row + 3]!]
    if (!(Math.abs(a) * x + Math.abs(b) * y + Math.abs(c) * z + Math.abs(d) <= MAX_FLOAT)) return false
    if (!(Math.abs(a) + Math.abs(b) + Math.abs(c) < Number.POSITIVE_INFINITY)) return false
  }
  return true
}

function checkTextures({ materials, textures }: SceneDescription): void {
  materials.forEach(({ maps }, i) => {
    for (const { texture } of Object.values(maps))
      if (texture >= textures.length)
        throw new PackedSceneError(`material ${i} names texture ${texture} of ${textures.length}`)
  })
}

function* environmentSteps({ environment }: SceneDescription): Steps<void> {
  if (environment.kind === 'sky') return
  const { width, height, texels } = environment
  if (texels.length !== width * height * 3)
    throw new PackedSceneError(`environment: ${texels.length} channels of texels for ${width} × ${height}`)
  for (const [from, to] of piecesOf(texels.length, STEP)) {
    for (let i = from; i < to; i++)
      if (!(texels[i]! >= 0 && texels[i]! <= MAX_RADIANCE))
        throw new PackedSceneError(
          `environment: texel ${Math.floor(i / 3)} has ${texels[i]}: expected 0 to ${MAX_RADIANCE}`,
        )
    yield
  }
}
