import {
  ClampToEdgeWrapping,
  DataTexture,
  FloatType,
  MeshLambertMaterial,
  MirroredRepeatWrapping,
  RepeatWrapping,
  SRGBColorSpace,
  Texture,
} from 'three'
import { describe, expect, it } from 'vitest'
import { MaterialTable } from '../../../../scenes/import/materials/map-material.ts'
import { obstacleOf, TextureTable } from '../../../../scenes/import/materials/map-texture.ts'

const texels = Uint8Array.from({ length: 24 }, (_, i) => i)
const picture = (change: (texture: DataTexture) => void = () => {}): DataTexture => {
  const texture = new DataTexture(texels, 2, 3)
  change(texture)
  return texture
}

describe('a texture of three', () => {
  it('keeps its texels, its wrapping and its colour space', () => {
    const table = new TextureTable()
    const use = table.useOf(
      picture(texture => {
        texture.wrapS = RepeatWrapping
        texture.wrapT = MirroredRepeatWrapping
        texture.colorSpace = SRGBColorSpace
      }),
    )
    expect(use).toEqual({ texture: 0, set: 0, transform: [1, 0, 0, 0, 1, 0] })
    expect(table.textures).toEqual([
      { width: 2, height: 3, wrapU: 'repeat', wrapV: 'mirror', srgb: true, nearest: true, texels },
    ])
  })

  it('that is flipped, moved, turned and repeated is looked up where three looks it up', () => {
    const texture = picture(each => {
      each.flipY = true
      each.offset.set(0.1, 0.2)
      each.repeat.set(2, 3)
      each.rotation = 0.3
    })
    const [a, b, c, d, e, f] = new TextureTable().useOf(texture)!.transform
    for (const [u, v] of [
      [0, 0],
      [0.3, 0.9],
    ] as const) {
      const [x, y] = [u, v].map(Number) as [number, number]
      const { elements: m } = texture.matrix
      expect(a * x + b * y + c).toBeCloseTo(m[0]! * x + m[3]! * y + m[6]!, 12)
      // three counts rows from the bottom of a flipped picture.
      expect(d * x + e * y + f).toBeCloseTo(1 - (m[1]! * x + m[4]! * y + m[7]!), 12)
    }
  })

  it('is there once for each way in which its picture is used', () => {
    const table = new TextureTable()
    const first = picture()
    const clone = first.clone()
    clone.offset.set(0.5, 0)
    const clamped = first.clone()
    clamped.wrapS = first.wrapS === ClampToEdgeWrapping ? RepeatWrapping : ClampToEdgeWrapping
    expect([first, clone, clamped, first].map(texture => table.useOf(texture)!.texture)).toEqual([0, 0, 1, 0])
    expect(table.textures).toHaveLength(2)
  })

  it.each<[string, Texture, string]>([
    ['without pixels', new Texture(), 'has no pixels in memory'],
    ['of floats', new DataTexture(new Float32Array(24), 2, 3, undefined, FloatType), 'has no pixels in memory'],
    ['with too few pixels', new DataTexture(new Uint8Array(20), 2, 3), 'has no pixels in memory'],
    ['with the third set of coordinates', picture(each => (each.channel = 2)), 'another set'],
    ['that is repeated beyond measure', picture(each => each.repeat.set(Infinity, 1)), 'moved or repeated by more'],
  ])('%s is not used, and the scene says so', (_, texture, why) => {
    expect(obstacleOf(texture)).toContain(why)
    expect(new TextureTable().useOf(texture)).toBeUndefined()
    const problems: string[] = []
    const table = new MaterialTable(problems)
    table.numberOf(new MeshLambertMaterial({ map: texture }), 'mesh')
    table.tellUnused()
    expect(problems).toEqual(['1 texture (color) is not used'])
    expect(table.materials[0]!.maps.color).toBeUndefined()
  })
})
