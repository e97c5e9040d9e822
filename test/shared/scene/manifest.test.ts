import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../shared/node/sha256.ts'
import type { SceneDescription, SceneMesh } from '../../../shared/scene/description.ts'
import { holdScene, sceneOfParts } from '../../../shared/scene/held-scene.ts'
import {
  geometryOf,
  joinScene,
  MAX_PARTS,
  manifestBytes,
  partsOf,
  type SceneManifest,
  sceneManifestSchema,
  sceneName,
  splitScene,
} from '../../../shared/scene/manifest.ts'
import { MAX_SCENE_BYTES } from '../../../shared/scene/packed-layout.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import { PackedSceneError } from '../../../shared/scene/packed-scene-error.ts'
import { fullScene } from '../../support/full-scene.ts'

const hold = (of: SceneDescription) => holdScene(packScene(of), sha256)
const data = fullScene()
const scene = hold(data)
/** Kinds of the parts that the changed scene does not share with another. */
const changedKinds = (change: Partial<SceneDescription>, from: SceneDescription = data) => {
  const before = hold(from)
  const after = hold({ ...from, ...change })
  expect(after.hash).not.toBe(before.hash)
  return after.manifest.parts.filter(({ sha256: name }) => !before.parts.has(name)).map(({ kind }) => kind)
}

describe('a scene in parts', () => {
  it('is the same scene when it is joined, wherever its parts lie', () => {
    const shifted = new Map(
      [...scene.parts].map(([name, bytes]) => {
        const moved = new Uint8Array(bytes.length + 3)
        moved.set(bytes, 3)
        return [name, moved.subarray(3)]
      }),
    )
    const joined = joinScene(scene.manifest, part => shifted.get(part)!)
    expect({ ...joined, bytes: 0 }).toEqual({ ...data, bytes: 0 })
    expect(splitScene(joined, sha256)).toEqual({ manifest: scene.manifest, parts: new Map(scene.parts) })
    expect(partsOf(joined, scene.manifest)).toEqual(new Map(scene.parts))
    expect(Buffer.compare(joined.bytes, scene.bytes)).toBe(0)
    const { meshes, instances, centre } = data
    expect(geometryOf(scene.manifest, part => shifted.get(part)!)).toEqual({ meshes, instances, centre })
  })

  it('is joined where one of the same sizes was: only what differs is written', () => {
    const moved = hold({
      ...data,
      instances: data.instances.map(each => ({ ...each, transform: each.transform.map(x => x + 1) })),
    })
    const before = joinScene(scene.manifest, part => scene.parts.get(part)!).bytes
    const had = new Set(scene.parts.keys())
    const asked: string[] = []
    const there = joinScene(
      moved.manifest,
      part => {
        asked.push(part)
        return moved.parts.get(part)!
      },
      undefined,
      { manifest: scene.manifest, bytes: before },
    )
    expect(there.bytes).toBe(before)
    expect(Buffer.compare(there.bytes, moved.bytes)).toBe(0)
    // The look is read in any case.
    expect(asked.filter(part => had.has(part))).toEqual([moved.manifest.parts[0]!.sha256])
  })

  it('is not joined where one of other sizes was', () => {
    const more = hold({ ...data, instances: [...data.instances, data.instances[0]!] })
    const before = joinScene(scene.manifest, part => scene.parts.get(part)!).bytes
    const elsewhere = joinScene(more.manifest, part => more.parts.get(part)!, undefined, {
      manifest: scene.manifest,
      bytes: before,
    })
    expect(elsewhere.bytes).not.toBe(before)
    expect(Buffer.compare(elsewhere.bytes, more.bytes)).toBe(0)
    expect(Buffer.compare(before, scene.bytes)).toBe(0)
  })

  it('is named by its manifest, each part by its content', () => {
    expect(scene.hash).toBe(sceneName(scene.manifest, sha256))
    for (const { sha256: name, bytes } of scene.manifest.parts) {
      expect(sha256(scene.parts.get(name)!)).toBe(name)
      expect(scene.parts.get(name)).toHaveLength(bytes)
    }
  })

  it('changes in the parts that change, and in its name', () => {
    expect(changedKinds({ lights: [] })).toEqual(['look'])
    expect(changedKinds({ environment: { ...data.environment, texels: new Float32Array(6) } as never })).toEqual([
      'texels',
    ])
    const [first, ...others] = data.instances
    expect(changedKinds({ instances: [{ ...first!, transform: others[0]!.transform }, ...others] })).toEqual([
      'transforms',
    ])
    expect(changedKinds({ instances: [{ ...first!, materials: [1, 0] }, ...others] })).toEqual(['assignments'])
  })

  it('of many meshes changes in the run with the changed mesh', () => {
    const grid = (side: number): SceneMesh => ({
      attributes: ['position'],
      vertices: Float32Array.from({ length: side * 3 }, (_, i) => (i * 7919) % 1000),
      indices: Uint32Array.from({ length: side * 3 }, (_, i) => i % side),
      slots: new Uint16Array(side),
      slotCount: 1,
    })
    const sizes = [300_000, ...Array<number>(3000).fill(100), 200_000, ...Array<number>(2000).fill(100)]
    const many: SceneDescription = {
      ...data,
      meshes: sizes.map(grid),
      instances: sizes.map((_, mesh) => ({ ...data.instances[2]!, mesh })),
    }
    const held = hold(many)
    expect(held.manifest.parts.filter(({ kind }) => kind === 'vertices').map(({ bytes }) => bytes)).toEqual([
      ...[3_600_000, 1_048_800, 1_048_800, 1_048_800],
      ...[453_600, 2_400_000, 1_048_800, 1_048_800, 302_400],
    ])
    const moved = (number: number) => ({
      meshes: many.meshes.map((mesh, i) =>
        i === number ? { ...mesh, vertices: mesh.vertices.map(x => x + 1) } : mesh,
      ),
    })
    expect(changedKinds(moved(0), many)).toEqual(['vertices'])
    expect(changedKinds(moved(1500), many)).toEqual(['vertices'])
    // Another mesh before the large one leaves what follows that one alone.
    const more = { meshes: many.meshes.with(0, grid(310_000)) }
    expect(changedKinds(more, many)).toEqual(['meshes', 'vertices', 'indices', 'slots'])
    const joined = joinScene(held.manifest, part => held.parts.get(part)!)
    expect(Buffer.compare(joined.bytes, held.bytes)).toBe(0)
  })

  it('has few parts, however many large meshes there are', () => {
    const mesh = { ...data.meshes[1]!, indices: new Uint32Array(3 * 100_000), slots: new Uint16Array(100_000) }
    const many = { ...data, meshes: Array<SceneMesh>(300).fill(mesh), instances: [{ ...data.instances[2]!, mesh: 0 }] }
    const { parts } = hold(many).manifest
    expect(parts.length).toBeLessThan(150)
    expect(parts.length).toBeLessThan(MAX_PARTS)
  })

  it('goes where it is told when it is joined', () => {
    const shared = joinScene(
      scene.manifest,
      part => scene.parts.get(part)!,
      bytes => new Uint8Array(new SharedArrayBuffer(bytes)),
    )
    expect(shared.bytes.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(shared.meshes[0]!.indices.buffer).toBe(shared.bytes.buffer)
  })

  const withPart = (kind: string, bytes: Uint8Array) => {
    const name = sha256(bytes)
    const parts = scene.manifest.parts.map(part =>
      part.kind === kind ? { ...part, sha256: name, bytes: bytes.length } : part,
    )
    return sceneOfParts('00', { parts }, new Map([...scene.parts, [name, bytes]]))
  }
  const words = (...numbers: number[]) => new Uint8Array(Uint32Array.from(numbers).buffer)
  it.each<[string, string, Uint8Array]>([
    ['look: not JSON', 'look', Uint8Array.of(0x7b)],
    ['head: ', 'look', new TextEncoder().encode('{"centre":1}')],
    ['head: ', 'look', new TextEncoder().encode('null')],
    ['meshes: 20 bytes are not a whole number of elements', 'meshes', new Uint8Array(20)],
    ['mesh 1 has attributes 10', 'meshes', words(63, 3, 2, 2, 2, 3, 1, 1)],
    ['vertices: expected at least 90 elements, got 63', 'meshes', words(63, 3, 2, 2, 63, 2, 1, 1)],
    ['vertices: expected at least 77309411310 elements', 'meshes', words(63, 2 ** 32 - 1, 2, 2, 1, 3, 1, 1)],
    ['indices: expected at least 12 elements, got 9', 'meshes', words(63, 3, 2, 2, 1, 3, 2, 1)],
    ['24 numbers of transforms for 3 instances', 'transforms', new Uint8Array(192)],
    ['instance 1 names mesh 2 of 2', 'placements', words(0, 2, 1)],
    ['assignments: expected 5 elements, got 6', 'assignments', new Uint8Array(12)],
    ['vertices: 7 bytes are not a whole number of elements', 'vertices', new Uint8Array(7)],
    ['names vertex 4294967295', 'indices', new Uint8Array(36).fill(255)],
    ['names slot 65535', 'slots', new Uint8Array(6).fill(255)],
    ['channels of texels', 'texels', new Uint8Array(4)],
  ])('is refused when its parts contradict each other (%s)', (reason, kind, bytes) => {
    expect(() => withPart(kind, bytes).bytes).toThrow(PackedSceneError)
    expect(() => withPart(kind, bytes).bytes).toThrow(reason)
  })
})

describe('a manifest', () => {
  const { parts } = scene.manifest
  it.each<[string, unknown]>([
    ['without a part', { parts: parts.slice(1) }],
    ['with one twice', { parts: [...parts, parts.at(-1)] }],
    ['in another order', { parts: parts.toReversed() }],
    ['with an empty part', { parts: [{ ...parts[0], bytes: 0 }, ...parts.slice(1)] }],
    ['of too much', { parts: parts.map(part => ({ ...part, bytes: MAX_SCENE_BYTES })) }],
    ['of too many parts', { parts: parts.flatMap(part => Array(part.kind === 'vertices' ? MAX_PARTS : 1).fill(part)) }],
    ['that names a part by anything but a hash', { parts: [{ ...parts[0], sha256: 'look' }, ...parts.slice(1)] }],
  ])('is refused %s', (_, manifest) => {
    expect(sceneManifestSchema.safeParse(manifest).success).toBe(false)
  })

  it('is taken as it is made, with and without an environment map', () => {
    expect(sceneManifestSchema.parse(scene.manifest) as SceneManifest).toEqual(scene.manifest)
    expect(manifestBytes(scene.manifest)).toBeLessThan(scene.bytes.length)
    const sky = { kind: 'sky', zenith: [1, 1, 1], horizon: [1, 1, 1], ground: [1, 1, 1] } as const
    const { manifest } = hold({ ...data, environment: sky })
    expect(manifest.parts.map(({ kind }) => kind)).not.toContain('texels')
    expect(sceneManifestSchema.safeParse(manifest).success).toBe(true)
  })
})
