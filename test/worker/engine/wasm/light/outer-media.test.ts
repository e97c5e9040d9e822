/** Which sheets of a solid bound another one, too. */
import { describe, expect, it } from 'vitest'
import { comparedScenes } from '../../../../../scripts/bench/pictures/scenes/compared-scenes.ts'
import { type Triangles, VERTEX_FLOATS } from '../../../../../shared/scene/bake.ts'
import { putTriangle, WHOLE_WORDS } from '../../../../../shared/scene/triangle-bits.ts'
import { mediaOf } from '../../../../../worker/engine/wasm/light/media.ts'
import { outerMedia } from '../../../../../worker/engine/wasm/light/outer-media.ts'

const { scene } = comparedScenes().find(({ name }) => name === 'drinks')!
const media = mediaOf(scene.materials)

/** Some of the scene's triangles, in any order, moved. */
function some(numbers: readonly number[], shift = 0): Triangles {
  const vertices = new Float32Array(numbers.length * 3 * VERTEX_FLOATS)
  const corners = new Uint32Array(numbers.length * WHOLE_WORDS.words)
  numbers.forEach((number, i) => {
    for (let corner = 0; corner < 3; corner++) {
      for (let axis = 0; axis < 3; axis++)
        vertices[(i * 3 + corner) * VERTEX_FLOATS + axis] = scene.positions[number * 9 + corner * 3 + axis]! + shift
    }
    putTriangle(corners, WHOLE_WORDS, i, i * 3, i * 3 + 1, i * 3 + 2, scene.materialIds[number]!)
  })
  return { vertices, corners, bits: WHOLE_WORDS }
}

const all = [...scene.materialIds.keys()]

describe('outerMedia', () => {
  it.each([
    ['in the order of the scene', all, 0],
    ['in another order', all.toReversed(), 0],
    ['elsewhere', all, 3],
  ])('finds the surfaces that only one of two solids has, %s', (_, numbers, shift) => {
    const found = outerMedia(some(numbers, shift), numbers.length, media.numbers)!
    const expected = numbers.map(number => media.numbers[scene.outers!.get(number) ?? -1] ?? 0)
    expect([...found]).toEqual(expected)
    expect(new Set(expected).size).toBe(3)
  })

  it('finds none where all solids are closed', () => {
    const closed = all.filter(number => scene.positions[number * 9]! < 0.4)
    expect(closed.length).toBeGreaterThan(100)
    expect(outerMedia(some(closed), closed.length, media.numbers)).toBeUndefined()
  })
})

describe('mediaOf', () => {
  const [, glass] = scene.materials
  it('gives equal glass one number, and nothing to what is opaque, thin or air', () => {
    const materials = [
      { ...glass!, transmission: 0 },
      { ...glass!, ior: 1.5 },
      { ...glass!, ior: 1.6 },
      { ...glass!, ior: 1.5, roughness: 0.3, color: [0.5, 1, 1] as const },
      { ...glass!, ior: 1.5, thin: true },
      { ...glass!, ior: 1.5, transmission: 0.5 },
    ]
    expect(mediaOf(materials).numbers).toEqual([0, 1, 2, 1, 0, 1])
  })

  it('has no more numbers than fit a byte', () => {
    const { list, numbers } = mediaOf(Array.from({ length: 300 }, (_, i) => ({ ...glass!, ior: 1 + i / 100 })))
    expect([list.length, numbers[254], numbers[299]]).toEqual([256, 255, 255])
  })
})
