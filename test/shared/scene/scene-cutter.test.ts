import { describe, expect, it, vi } from 'vitest'
import { importThree } from '../../../scenes/import/import-three.ts'
import { openScene } from '../../../scenes/open-scene.ts'
import { sha256 } from '../../../shared/node/sha256.ts'
import { type SceneDescription, strideOf } from '../../../shared/scene/description.ts'
import { holdScene } from '../../../shared/scene/held-scene.ts'
import { packScene, readPackedScene } from '../../../shared/scene/packed-scene.ts'
import { SceneCutter } from '../../../shared/scene/scene-cutter.ts'
import { scene } from '../../support/session.ts'

const tent = readPackedScene(scene.bytes)
const moved = (description: SceneDescription, x: number): SceneDescription => ({
  ...description,
  instances: description.instances.map((instance, i) =>
    i === 0 ? { ...instance, transform: instance.transform.map((n, j) => (j === 3 ? n + x : n)) } : instance,
  ),
})
/** The first mesh bent. */
const bent = (description: SceneDescription): SceneDescription => ({
  ...description,
  meshes: description.meshes.map((mesh, i) => {
    if (i > 0) return mesh
    const vertices = Float32Array.from(mesh.vertices)
    vertices[1]! += 0.25
    return { ...mesh, vertices }
  }),
})

describe('a scene that is cut', () => {
  it.each(['still-life', 'lamps', 'glass'])('has the parts of the packed scene: %s', async name => {
    const { description } = importThree((await openScene(name)).scene)
    const { hash, manifest, parts } = holdScene(packScene(description), sha256)
    const cut = new SceneCutter(sha256).cut(description)
    expect(cut.hash).toBe(hash)
    expect(cut.manifest).toEqual(manifest)
    for (const [name, bytes] of cut.fresh) expect(Buffer.compare(bytes, parts.get(name)!)).toBe(0)
    expect([...cut.fresh.keys()].toSorted()).toEqual([...parts.keys()].toSorted())
  })

  it('has only the parts that the one before did not have', () => {
    const cutter = new SceneCutter(sha256)
    cutter.cut(tent)
    const kindsOf = ({ manifest, fresh }: ReturnType<SceneCutter['cut']>) =>
      manifest.parts.filter(part => fresh.has(part.sha256)).map(({ kind }) => kind)
    expect(kindsOf(cutter.cut(tent))).toEqual([])
    expect(kindsOf(cutter.cut(moved(tent, 1)))).toEqual(['transforms'])
    expect(kindsOf(cutter.cut(bent(moved(tent, 1))))).toEqual(['vertices'])
    expect(kindsOf(cutter.cut(tent))).toEqual(['transforms', 'vertices'])
  })

  it('is the same whatever was cut before, and hashes what is the same only once', () => {
    const hashed = vi.fn(sha256)
    const cutter = new SceneCutter(hashed)
    const films = [tent, moved(tent, 1), bent(tent), moved(tent, 1), tent]
    for (const [i, each] of films.entries()) {
      hashed.mockClear()
      expect(cutter.cut(each).manifest).toEqual(new SceneCutter(sha256).cut(each).manifest)
      // Look, five tables and the manifest; in between, one part of vertices.
      if (i > 0) expect(hashed.mock.calls.length).toBe(7 + (each === films[2] || i === 3 ? 1 : 0))
    }
  })

  it('is refused as when it is packed', () => {
    const [mesh] = tent.meshes
    const broken = {
      ...tent,
      meshes: [
        {
          ...mesh!,
          vertices: mesh!.vertices.map((value, i) => (i === strideOf(mesh!.attributes) ? Number.NaN : value)),
        },
      ],
    }
    const cutter = new SceneCutter(sha256)
    expect(() => cutter.cut(broken)).toThrow(/vertex 1 is not finite/)
    expect(() => cutter.cut({ ...tent, instances: tent.instances.map(each => ({ ...each, mesh: 7 })) })).toThrow(
      /do not match mesh 7/,
    )
  })
})
