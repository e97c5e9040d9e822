/** Animations of glTF files: nodes, skins, morph targets; the same scene at a time, whatever was asked for before. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ImportMemo } from '../../../../scenes/import/import-memo.ts'
import { importThree } from '../../../../scenes/import/import-three.ts'
import type { CheckedLook } from '../../../../scenes/look/scene-look.ts'
import type { LoadedScene } from '../../../../scenes/scene-source.ts'
import { packScene } from '../../../../shared/scene/packed-scene.ts'
import { type GltfParts, glb, triangle } from '../../../support/gltf.ts'
import { gltfFolder, round } from './gltf-scenes.ts'
import { HALF, moving, severalMotions } from './moving-gltf.ts'

const { loaded } = gltfFolder()

const opened = (parts: GltfParts, look: CheckedLook = {}) => loaded(glb(parts), 'moving.glb', look)

/** Corners of the first triangle at a time, s. */
function cornersAt({ scene, motion }: LoadedScene, seconds: number): number[][] {
  motion?.setTime(seconds, 0)
  const { description } = importThree(scene)
  const { mesh, transform } = description.instances[0]!
  const { vertices, indices, attributes } = description.meshes[mesh]!
  const stride = attributes.includes('normal') ? 6 : 3
  return [...indices.subarray(0, 3)].map(vertex =>
    [0, 1, 2].map(axis => {
      const [a, b, c, d] = transform.slice(axis * 4, axis * 4 + 4) as [number, number, number, number]
      const [x, y, z] = vertices.subarray(vertex * stride, vertex * stride + 3)
      return round(a * x! + b * y! + c * z! + d + description.centre[axis]!)
    }),
  )
}

describe('an animation', () => {
  it.each([
    ['', [0, 0.5, 2.5, 3.5]],
    ['STEP', [0, 0, 1, 4]],
  ])('of translations, interpolated as %s, begins again after its length', async (interpolation, expected) => {
    const values = Float32Array.of(0, 0, 0, 1, 0, 0, 4, 0, 0, 3, 0, 0)
    const parts = moving('translation', Float32Array.of(0, 1, 2, 3), values, 'VEC3', interpolation)
    const loaded = await opened(parts)
    expect(loaded.motion!.seconds).toBe(3)
    for (const turn of [0, 3, 300])
      [0, 0.5, 1.5, 2.5].forEach((time, i) => {
        expect(cornersAt(loaded, time + turn)[0]![0]).toBe(expected[i])
      })
    expect(loaded.problems).toEqual([])
  })

  it('of rotations and scales, also in bytes', async () => {
    const turn = moving('rotation', Float32Array.of(0, 2), Int8Array.of(0, 0, 0, 127, 0, 0, 127, 0), 'VEC4', 'LINEAR', {
      normalized: true,
    })
    expect(cornersAt(await opened(turn), 1)[1]).toEqual([0, 1, 0])
    const grow = moving('scale', Float32Array.of(1, 2), Float32Array.of(1, 1, 1, 3, 1, 1), 'VEC3')
    const grown = await opened(grow)
    // Before its first key it is as it is there.
    expect([0.5, 1.5].map(time => cornersAt(grown, time)[1]![0])).toEqual([1, 2])
  })

  it('of splines has their tangents', async () => {
    // In, value, out of two keys: straight up, and a rotation that is not of unit length in between.
    const straight = moving(
      'translation',
      Float32Array.of(0, 2),
      Float32Array.of(9, 9, 9, 0, 0, 0, 0, 3, 0, 0, 3, 0, 0, 6, 0, 9, 9, 9),
      'VEC3',
      'CUBICSPLINE',
    )
    const line = await opened(straight)
    for (const time of [0, 0.3, 1, 1.9]) expect(cornersAt(line, time)[0]![1]).toBe(round(time * 3))
    const zeros = [0, 0, 0, 0]
    const turned = await opened(
      moving(
        'rotation',
        Float32Array.of(0, 1),
        Float32Array.of(...zeros, 0, 0, 0, 1, ...zeros, ...zeros, 0, 0, HALF, HALF, ...zeros),
        'VEC4',
        'CUBICSPLINE',
      ),
    )
    expect(cornersAt(turned, 0.5)[1]).toEqual([round(HALF), round(HALF), 0])
  })

  it('of one pose is that pose, and no motion', async () => {
    const parts = moving('translation', Float32Array.of(0), Float32Array.of(7, 0, 0), 'VEC3')
    const loaded = await opened(parts)
    expect(loaded.motion).toBeUndefined()
    expect(cornersAt(loaded, 0)[0]).toEqual([7, 0, 0])
    expect(loaded.subject.min.x).toBe(7)
  })

  it('moves cameras, of which there are always as many', async () => {
    const parts = moving('translation', Float32Array.of(0, 1, 2), Float32Array.of(0, 0, 0, 8, 0, 0, 8e12, 0, 0), 'VEC3')
    parts.document.cameras = [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }]
    parts.document.nodes.push({ camera: 0, translation: [0, 0, 5] }, { mesh: 0 })
    parts.document.nodes[0].children = [1]
    parts.document.scenes[0].nodes = [0, 2]
    const { motion, cameras } = await opened(parts)
    expect(motion!.cameras()).toEqual(cameras)
    motion!.setTime(0.5, 0)
    expect(motion!.cameras()[0]!.origin).toEqual([4, 0, 5])
    // Beyond all limits, it stays where it was at first.
    motion!.setTime(1.9, 0)
    expect(motion!.cameras()).toEqual(cameras)
  })
})

describe('a file with several animations', () => {
  const byteOf = ({ scene }: LoadedScene, memo: ImportMemo) => packScene(importThree(scene, memo).description).bytes

  it('is the same at a time, in whatever order times are asked for', async () => {
    const parts = severalMotions()
    const loaded = await opened(parts, { animation: 'all' })
    expect(loaded.motion!.seconds).toBe(2)
    const memo = new ImportMemo()
    byteOf(loaded, memo)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { minLength: 1, maxLength: 6 }),
        async times => {
          const fresh = await opened(parts, { animation: 'all' })
          fresh.motion!.setTime(times.at(-1)!, 0)
          for (const [frame, time] of times.entries()) loaded.motion!.setTime(time, frame)
          const [again, anew] = [importThree(loaded.scene, memo), importThree(fresh.scene, new ImportMemo(memo.centre))]
          expect(again).toEqual(anew)
          expect(packScene(again.description).bytes).toEqual(packScene(anew.description).bytes)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('is loaded as it is at time 0, and has that again after its length', async () => {
    const loaded = await opened(severalMotions(), { animation: 'all' })
    const memo = new ImportMemo()
    const first = byteOf(loaded, memo)
    loaded.motion!.setTime(1, 30)
    expect(byteOf(loaded, memo)).not.toEqual(first)
    loaded.motion!.setTime(2, 60)
    expect(byteOf(loaded, memo)).toEqual(first)
  })

  it('gives identical meshes for what does not move', async () => {
    const loaded = await opened(severalMotions())
    const memo = new ImportMemo()
    const [skin, still, other] = importThree(loaded.scene, memo).description.meshes
    loaded.motion!.setTime(0.5, 1)
    const later = importThree(loaded.scene, memo).description.meshes
    expect(later[0]).not.toBe(skin)
    // Its weights are the file's own.
    expect(later[1]).toBe(still)
    expect(later[2]).toBe(other)
  })

  it('are listed with their lengths, as the document or else the keys have them', async () => {
    const listed = async (parts: GltfParts) => (await opened(parts)).declared!.animations
    const names = ['bend', 'swell', 'animation 2']
    expect(await listed(severalMotions())).toEqual(names.map(name => ({ name, seconds: 2 })))
    const said = severalMotions()
    said.document.accessors[2].max = [2.5]
    expect(await listed(said)).toEqual(names.map(name => ({ name, seconds: 2.5 })))
    const wrong = severalMotions()
    wrong.document.accessors.push({ bufferView: 0, byteOffset: 99, componentType: 5126, count: 9, type: 'SCALAR' })
    wrong.document.animations[1].samplers[0].input = wrong.document.accessors.length - 1
    wrong.document.animations[2].name = 'line\nfeed'
    expect(await listed(wrong)).toMatchObject([
      { seconds: 2 },
      { name: 'swell', seconds: 0 },
      { name: 'line\uFFFDfeed' },
    ])
  })

  it('plays the first one, or those that are asked for by name or number', async () => {
    const bent = (loaded: LoadedScene) => {
      loaded.motion?.setTime(1, 0)
      const { meshes, instances } = importThree(loaded.scene).description
      return [
        round(meshes[instances[0]!.mesh]!.vertices[0]!) + round(meshes[instances[0]!.mesh]!.vertices[3]!),
        round(meshes[instances[1]!.mesh]!.vertices[2]!),
        instances[2]!.transform[0],
      ]
    }
    const look = async (animation?: string) => opened(severalMotions(), animation === undefined ? {} : { animation })
    const rest = bent(await look('none'))
    expect(rest).toEqual([1, 0.25, 1])
    const first = bent(await look())
    expect(first).not.toEqual(rest)
    expect(bent(await look('bend'))).toEqual(first)
    expect(bent(await look('0'))).toEqual(first)
    expect(bent(await look('swell'))).toEqual([1, 1, 1])
    expect(bent(await look('animation 2'))).toEqual([1, 0.25, 2])
    expect(bent(await look('2'))).toEqual([1, 0.25, 2])
    expect(bent(await look('all'))).toEqual([first[0], 1, 2])
    expect((await look('none')).motion).toBeUndefined()
    expect((await look()).problems).toEqual(["only its animation 'bend' is played: 'swell', 'animation 2' are not"])
    expect((await look('all')).problems).toEqual([])
    await expect(look('3')).rejects.toThrow(
      "unknown animation '3': expected one of bend, swell, animation 2, all, none",
    )
    await expect(opened(triangle(), { animation: 'walk' })).rejects.toThrow(
      'it has no animations, got --animation walk',
    )
    expect((await opened(triangle(), { animation: 'all' })).motion).toBeUndefined()
  })

  it('moves joints that are not in the scene, and shows nothing else of their tree', async () => {
    const all = severalMotions()
    const stray = structuredClone(all)
    stray.document.nodes[1].mesh = 0
    stray.document.scenes[0].nodes = [0, 3, 4]
    const [within, without] = [await opened(all), await opened(stray)]
    for (const seconds of [1, 0.3]) expect(cornersAt(without, seconds)).toEqual(cornersAt(within, seconds))
    expect(importThree(without.scene).description.instances).toHaveLength(3)
  })

  it('weighs targets that leave something out as if they had zeros there', async () => {
    const parts = severalMotions()
    const [primitive] = parts.document.meshes[2].primitives
    primitive.attributes.NORMAL = 5
    primitive.targets = [{}, { NORMAL: 6 }, { POSITION: 5 }]
    parts.document.meshes[2].weights = [1, 0, 0.5]
    parts.document.nodes[3].mesh = 2
    parts.document.animations.splice(1, 1)
    const { meshes, instances } = importThree((await opened(parts)).scene).description
    expect([...meshes[instances[1]!.mesh]!.vertices.subarray(0, 6)]).toEqual([0, 0, 0.5, 0, 0, 1])
  })
})
