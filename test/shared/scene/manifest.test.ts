import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../shared/node/sha256.ts'
import { holdScene, sceneOfParts } from '../../../shared/scene/held-scene.ts'
import {
  joinScene,
  MAX_SCENE_BYTES,
  manifestBytes,
  type SceneManifest,
  sceneManifestSchema,
  sceneName,
  splitScene,
} from '../../../shared/scene/manifest.ts'
import { PackedSceneError, type SceneData } from '../../../shared/scene/packed-layout.ts'
import { packScene, readPackedScene } from '../../../shared/scene/packed-scene.ts'
import { smallScene } from '../../support/small-scene.ts'

const scene = smallScene()
const data = readPackedScene(scene.bytes)
const nameOf = (of: SceneData) => holdScene(packScene(of), sha256)

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
    const again = joinScene(scene.manifest, part => scene.parts.get(part)!)
    expect(Buffer.compare(joined.bytes, again.bytes)).toBe(0)
  })

  it('is named by its manifest, each part by its content', () => {
    expect(scene.hash).toBe(sceneName(scene.manifest, sha256))
    for (const { sha256: name, bytes } of scene.manifest.parts) {
      expect(sha256(scene.parts.get(name)!)).toBe(name)
      expect(scene.parts.get(name)).toHaveLength(bytes)
    }
  })

  it('changes in the parts that change, and in its name', () => {
    const sun = { ...data.sun, irradiance: [1, 1, 1] as const }
    const other = nameOf({ ...data, sun })
    expect(other.hash).not.toBe(scene.hash)
    const changed = other.manifest.parts.filter(({ sha256: name }) => !scene.parts.has(name))
    expect(changed.map(({ kind }) => kind)).toEqual(['look'])
    const moved = data.positions.map(x => x + 1)
    const third = nameOf({ ...data, positions: moved }).manifest.parts.filter(part => !scene.parts.has(part.sha256))
    expect(third.map(({ kind }) => kind)).toEqual(['positions'])
  })

  it('goes where it is told when it is joined', () => {
    const shared = joinScene(
      scene.manifest,
      part => scene.parts.get(part)!,
      bytes => new Uint8Array(new SharedArrayBuffer(bytes)),
    )
    expect(shared.bytes.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(shared.indices.buffer).toBe(shared.bytes.buffer)
  })

  const withPart = (kind: string, bytes: Uint8Array) => {
    const name = sha256(bytes)
    const parts = scene.manifest.parts.map(part =>
      part.kind === kind ? { ...part, sha256: name, bytes: bytes.length } : part,
    )
    return sceneOfParts('00', { parts }, new Map([...scene.parts, [name, bytes]]))
  }
  it.each<[string, string, Uint8Array]>([
    ['look: not JSON', 'look', Uint8Array.of(0x7b)],
    ['head: ', 'look', new TextEncoder().encode('{"sky":1}')],
    ['positions: 7 bytes are not a whole number of elements', 'positions', new Uint8Array(7)],
    ['names vertex 4294967295', 'indices', new Uint8Array(72).fill(255)],
    ['do not pair', 'normals', new Uint8Array(12)],
    ['material ids for', 'material-ids', new Uint8Array(2)],
  ])('is refused when its parts contradict each other (%s)', (reason, kind, bytes) => {
    expect(() => withPart(kind, bytes).bytes).toThrow(PackedSceneError)
    expect(() => withPart(kind, bytes).bytes).toThrow(reason)
  })
})

describe('a manifest', () => {
  const { parts } = scene.manifest
  it.each<[string, unknown]>([
    ['without a part', { parts: parts.slice(1) }],
    ['with one twice', { parts: [...parts, parts[0]] }],
    ['in another order', { parts: parts.toReversed() }],
    ['with an empty part', { parts: [{ ...parts[0], bytes: 0 }, ...parts.slice(1)] }],
    ['of too much', { parts: parts.map(part => ({ ...part, bytes: MAX_SCENE_BYTES })) }],
    ['that names a part by anything but a hash', { parts: [{ ...parts[0], sha256: 'look' }, ...parts.slice(1)] }],
  ])('is refused %s', (_, manifest) => {
    expect(sceneManifestSchema.safeParse(manifest).success).toBe(false)
  })

  it('is taken as it is made', () => {
    expect(sceneManifestSchema.parse(scene.manifest) as SceneManifest).toEqual(scene.manifest)
    expect(manifestBytes(scene.manifest)).toBeLessThan(scene.bytes.length)
  })
})
