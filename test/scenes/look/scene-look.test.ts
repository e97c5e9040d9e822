import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Color, Object3D, Vector3 } from 'three'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUILT_IN_SCENES } from '../../../scenes/index.ts'
import { colorFromWords } from '../../../scenes/look/color-words.ts'
import { UP_AXES } from '../../../scenes/look/look-words.ts'
import { type CheckedLook, checkLook, type SceneLook } from '../../../scenes/look/scene-look.ts'
import { turnedUp } from '../../../scenes/look/up-axis.ts'
import { openScene } from '../../../scenes/open-scene.ts'
import { triangleCount } from '../../../shared/scene/bake.ts'
import { type BakedThree, bakedThree } from '../../support/baked.ts'
import { verticesOf } from '../../support/triangles.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** Three corners at different distances from the origin, and a fourth. */
const corners = 'v 1 0 0\nv 0 2 0\nv 0 0 3\nv 1 2 3\n'
const plain = file('plain.obj', `${corners}f 1 2 3\nf 2 4 3\n`)
file('paint.mtl', 'newmtl green\nKd 0 1 0\nnewmtl pane\nKd 1 1 1\nillum 4\n')
const painted = file('painted.obj', `mtllib paint.mtl\n${corners}usemtl green\nf 1 2 3\nusemtl pane\nf 2 4 3\n`)

async function dataOf(path: string, look: SceneLook): Promise<BakedThree['data']> {
  const { data, problems } = bakedThree((await openScene(path, checkLook(look, path))).scene)
  expect(problems).toEqual([])
  return data
}

describe('a colour in words', () => {
  it('is what three.js takes it for', () => {
    for (const word of ['tomato', 'RebeccaPurple', 'black', 'white', '#1e90ff', '#ABC', ' skyblue ']) {
      const { r, g, b } = new Color(word.trim().toLowerCase())
      const color = colorFromWords(word)!
      expect(Math.abs(color[0] - r) + Math.abs(color[1] - g) + Math.abs(color[2] - b), word).toBeLessThan(1e-6)
    }
  })

  it.each(['', 'whitish', '#12345', '#12345g', 'toString', 'rgb(1,2,3)'])("'%s' is none", word =>
    expect(colorFromWords(word)).toBe(undefined),
  )
})

describe('a mesh with another axis up', () => {
  it.each(UP_AXES)('%s points up, and left stays left', axis => {
    const object = turnedUp(new Object3D(), axis)
    const turned = (x: number, y: number, z: number) => new Vector3(x, y, z).applyMatrix4(object.matrix)
    const sign = axis.startsWith('-') ? -1 : 1
    const [x, y, z] = ['x', 'y', 'z'].map(each => (axis.endsWith(each) ? sign : 0))
    expect(turned(x!, y!, z!).toArray().map(Math.round)).toEqual([0, 1, 0])
    expect(object.matrix.determinant()).toBe(1)
  })

  it('has its floor and its subject where it then is, to the last bit', async () => {
    const loaded = await openScene(plain, { up: 'z' })
    expect(loaded.subject.min.toArray().map(each => each + 0)).toEqual([0, 0, -2])
    expect(loaded.subject.max.toArray()).toEqual([1, 3, 0])
    const vertices = verticesOf(await dataOf(plain, { up: 'z', floor: false }))
    // As they were: 1 0 0, 0 2 0, 0 0 3; x y z is x z -y now.
    expect(vertices.slice(0, 3).map(({ position }) => position)).toEqual([
      [1, 0, 0],
      [0, 0, -2],
      [0, 3, 0],
    ])
  })
})

describe('a mesh file', () => {
  it('stands alone where no floor is wanted, with the same cameras', async () => {
    expect(triangleCount(await dataOf(plain, { floor: false }))).toBe(2)
    expect(triangleCount(await dataOf(plain, {}))).toBeGreaterThan(333)
    expect((await openScene(plain, { floor: false })).subject).toEqual((await openScene(plain)).subject)
  })

  it('is made of what is asked for', async () => {
    const first = async (path: string, look: SceneLook) => (await dataOf(path, { floor: false, ...look })).materials
    const [own] = await first(plain, {})
    expect(await first(plain, { material: 'matte' })).toEqual([{ kind: 'matte', color: own!.color }])
    expect(await first(plain, { material: 'coated' })).toEqual([own])
    expect(await first(plain, { material: 'metal' })).toEqual([{ kind: 'mirror', color: [0.94, 0.92, 0.88] }])
    expect(await first(plain, { material: 'glass', color: [0.5, 1, 1] })).toEqual([
      { kind: 'glass', color: [0.5, 1, 1], ior: 1.5 },
    ])
    expect(await first(plain, { color: '#ff0000' })).toEqual([{ ...own, color: [1, 0, 0] }])
    const before = await first(painted, {})
    expect(before.map(({ kind }) => kind)).toEqual(['matte', 'glass'])
    expect((await first(painted, { color: 'blue' })).map(({ kind, color }) => [kind, color])).toEqual([
      ['matte', [0, 0, 1]],
      ['glass', [0, 0, 1]],
    ])
    // Glass that was glass keeps its own colour.
    expect((await first(painted, { material: 'glass' }))[1]).toEqual(before[1])
  })
})

// The dragon is large; the lamps' room has no sun.
describe.each([
  plain,
  ...BUILT_IN_SCENES.filter(({ name }) => !['dragon', 'lamps'].includes(name)).map(({ name }) => name),
])('the light of %s', source => {
  let before: BakedThree['data']
  beforeAll(async () => {
    before = await dataOf(source, {})
  })

  it('comes from where it is wanted, and is as strong as before', async () => {
    const after = await dataOf(source, { sun: [90, 30] })
    expect(after.sun.irradiance).toEqual(before.sun.irradiance)
    const [x, y, z] = after.sun.direction
    expect([x, y]).toEqual([expect.closeTo(Math.sqrt(0.75), 12), expect.closeTo(0.5, 12)])
    expect(z).toBeCloseTo(0, 12)
    expect(after.sky).toEqual(before.sky)
  })

  it('may be the same all around', async () => {
    const after = await dataOf(source, { background: [2, 0.5, 0] })
    const color = [2, 0.5, 0]
    expect(after.sky).toEqual({ kind: 'sky', zenith: color, horizon: color, ground: color })
    expect(after.sun).toEqual(before.sun)
  })
})

describe('a built-in scene', () => {
  it.each(BUILT_IN_SCENES.filter(({ name }) => name !== 'dragon'))('$name has a floor or says so', async source => {
    const { scene } = await source.load()
    expect(scene.getObjectByName('floor') !== undefined).toBe(source.floor)
    const without = () => openScene(source.name, checkLook({ floor: false }, source.name))
    if (source.floor) expect((await without()).scene.getObjectByName('floor')).toBe(undefined)
    else await expect(async () => without()).rejects.toThrow(`floor: expected a scene with a floor`)
  })
})

it('a look that says nothing changes nothing', async () => {
  for (const source of [plain, 'corner'])
    expect(bakedThree((await openScene(source, {})).scene).data).toEqual(
      bakedThree((await openScene(source)).scene).data,
    )
  const nothing: CheckedLook = checkLook({ up: undefined, color: undefined }, plain)
  expect(nothing).toEqual({})
})

it.each<[string, object, string]>([
  ['an axis', { up: 'w' }, "up: expected one of x, y, z, -x, -y, -z, got 'w'"],
  ['a floor', { floor: 'no' }, "floor: expected true or false, got 'no'"],
  ['a material', { material: 'wood' }, "material: expected one of matte, coated, metal, glass, got 'wood'"],
  ['a sun of one number', { sun: [1] }, 'sun: expected azimuth and elevation in degrees'],
  ['a sun beyond the zenith', { sun: [0, 91] }, "elevation -90 to 90, or one of file, default, none, got '0,91'"],
  [
    'a colour',
    { color: 'whitish' },
    'color: expected a colour such as tomato or #ff6347, or linear red, green and blue from 0 to 1',
  ],
  ['a colour that makes light', { color: [2, 0, 0] }, "from 0 to 1, got '2,0,0'"],
  ['a background in bytes', { background: [255, 255, 255] }, "from 0 to 100, got '255,255,255'"],
  ['a background of two', { background: [1, 1] }, 'background: expected a colour'],
  ['a background that is no number', { background: [Number.NaN, 1, 1] }, 'background: expected a colour'],
])('%s that is none is refused', (_, look, problem) => expect(() => checkLook(look, plain)).toThrow(problem))

it('built-in meshes are as they are', () => {
  expect(checkLook({ up: 'y' }, 'corner')).toEqual({ up: 'y' })
  for (const look of [{ up: 'z' }, { material: 'glass' }, { color: 'red' }] as const)
    expect(() => checkLook(look, 'dragon')).toThrow(/^(up|material|color): expected a mesh file: the scene 'dragon'/)
})
