import {
  Color,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshNormalMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  Texture,
} from 'three'
import { describe, expect, it } from 'vitest'
import { MaterialTable, mapMaterial } from '../../scenes/map-material.ts'
import { coated, glass, matte, mirror } from '../../scenes/surfaces.ts'

const linear = new Color(0.25, 0.5, 0.75)
const color = [0.25, 0.5, 0.75]

describe('three materials', () => {
  it.each([
    [
      'transmission',
      new MeshPhysicalMaterial({ color: linear, transmission: 0.4, ior: 1.7 }),
      { kind: 'glass', color, ior: 1.7 },
    ],
    [
      'smooth metal',
      new MeshStandardMaterial({ color: linear, metalness: 0.5, roughness: 0.29 }),
      { kind: 'mirror', color },
    ],
    [
      'rough metal',
      new MeshStandardMaterial({ color: linear, metalness: 1, roughness: 0.3 }),
      { kind: 'matte', color },
    ],
    ['a clear coat', new MeshPhysicalMaterial({ color: linear, clearcoat: 0.2 }), { kind: 'coated', color, ior: 1.5 }],
    ['standard', new MeshStandardMaterial({ color: linear }), { kind: 'matte', color }],
    ['Lambert', new MeshLambertMaterial({ color: linear }), { kind: 'matte', color }],
    ['basic', new MeshBasicMaterial({ color: linear }), { kind: 'matte', color }],
    ['no colour', new MeshNormalMaterial(), { kind: 'matte', color: [0.5, 0.5, 0.5] }],
  ])('%s', (_, material, expected) => {
    expect(mapMaterial(material)).toEqual(expected)
  })

  it('come back from the surfaces of built-in scenes as they were meant', () => {
    expect(mapMaterial(matte([0.25, 0.5, 0.75]))).toEqual({ kind: 'matte', color })
    expect(mapMaterial(coated([0.25, 0.5, 0.75], 1.6))).toEqual({ kind: 'coated', color, ior: 1.6 })
    expect(mapMaterial(mirror([0.25, 0.5, 0.75]))).toEqual({ kind: 'mirror', color })
    expect(mapMaterial(glass([0.25, 0.5, 0.75], 1.8))).toEqual({ kind: 'glass', color, ior: 1.8 })
  })

  it('have their colours clamped, their refraction bounded', () => {
    const wild = new MeshPhysicalMaterial({ color: new Color(-1, 7, Number.NaN), transmission: 1 })
    wild.ior = Number.NaN
    expect(mapMaterial(wild)).toEqual({ kind: 'glass', color: [0, 1, 0], ior: 1 })
    wild.ior = 99
    expect(mapMaterial(wild)).toMatchObject({ ior: 4 })
    expect(mapMaterial(wild, new Color(0.5, 0.5, 0.5))).toMatchObject({ color: [0, 1, 0] })
  })

  it('get one number if they look alike', () => {
    const table = new MaterialTable([])
    const white = new MeshBasicMaterial({ color: new Color(1, 1, 1) })
    expect(table.numberOf(white, 'a')).toBe(0)
    expect(table.numberOf(new MeshLambertMaterial({ color: new Color(1, 1, 1) }), 'b')).toBe(0)
    expect(table.numberOf(white, 'c', new Color(1, 0, 0))).toBe(1)
    expect(table.materials).toHaveLength(2)
  })

  it('tell once what they ask for and do not get', () => {
    const problems: string[] = []
    const table = new MaterialTable(problems)
    const material = new MeshStandardMaterial({ map: new Texture(), emissive: 0xff0000, vertexColors: true })
    material.name = 'lamp'
    table.numberOf(material, "mesh 'a'")
    table.numberOf(material, "mesh 'b'")
    expect(problems).toEqual([
      "material 'lamp' of mesh 'a': textures are not supported, only its plain colour",
      "material 'lamp' of mesh 'a': vertex colours are not supported, only its plain colour",
      "material 'lamp' of mesh 'a': its emission is not supported",
    ])
  })
})
