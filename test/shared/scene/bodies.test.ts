import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../shared/node/sha256.ts'
import { BODY_NUMBERS, BodyReader } from '../../../shared/scene/bodies.ts'
import { type SceneDescription, strideOf } from '../../../shared/scene/description.ts'
import { holdScene } from '../../../shared/scene/held-scene.ts'
import { packScene, readPackedScene } from '../../../shared/scene/packed-scene.ts'
import { scene } from '../../support/session.ts'

const plain = readPackedScene(scene.bytes)
const read = (reader: BodyReader, description: SceneDescription) => {
  const { manifest, parts } = holdScene(packScene(description), sha256)
  return reader.read(manifest, part => parts.get(part)!)!
}

describe('the bodies of a scene', () => {
  it('are the boxes of its instances, and where they are in the world', () => {
    const [mesh] = plain.meshes
    const vertices = Float32Array.from(mesh!.vertices)
    const moved = [2, 0, 0, 5, 0, 2, 0, 6, 0, 0, 2, 7]
    const description = {
      ...plain,
      meshes: [{ ...mesh!, vertices }],
      instances: [plain.instances[0]!, { ...plain.instances[0]!, transform: moved }].map(one => ({ ...one, mesh: 0 })),
      centre: [0, 0, 16] as const,
    }
    const bodies = read(new BodyReader(), description)
    expect(bodies.length).toBe(2 * BODY_NUMBERS)
    const stride = strideOf(mesh!.attributes)
    const along = (axis: number) => [...vertices].filter((_, i) => i % stride === axis)
    expect([...bodies.subarray(BODY_NUMBERS)]).toEqual([
      ...[0, 1, 2].map(axis => Math.min(...along(axis))),
      ...[0, 1, 2].map(axis => Math.max(...along(axis))),
      ...[2, 0, 0, 5, 0, 2, 0, 6, 0, 0, 2, 7 + 16],
    ])
  })

  it('are the same from a reader that has seen other scenes', () => {
    const wide = {
      ...plain,
      meshes: plain.meshes.map(mesh => ({ ...mesh, vertices: mesh.vertices.map((value, i) => (i === 0 ? 9 : value)) })),
    }
    const reader = new BodyReader()
    const [first, second, again] = [plain, wide, plain].map(each => read(reader, each))
    expect(second).toEqual(read(new BodyReader(), wide))
    expect(second).not.toEqual(first)
    expect(again).toEqual(first)
  })
})
