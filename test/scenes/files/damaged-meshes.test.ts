/** OBJ, MTL, PLY and STL files and archives without a fault, damaged at random, as in `damaged-gltf.test.ts`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { zipSync } from 'three/addons/libs/fflate.module.js'
import { afterAll, describe, expect, it } from 'vitest'
import { byteDamage, damaged, damagedText } from '../../support/damage.ts'
import { endsWell, RUNS } from '../../support/ends-well.ts'
import { picture } from './named-files.ts'
import { binaryPly, bytesOf, plyOf } from './ply/ply-bytes.ts'
import { binaryStl, textStl } from './stl-bytes.ts'

const root = mkdtempSync(join(tmpdir(), 'sortfirst-damaged-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const MTL =
  'newmtl m\nKd 1 0 0\nKe 0 0 1\nd 0.5\nPr 0.5\nillum 2\nmap_Kd -s 2 2 1 -o 0 1 -clamp on red.png\nbump -bm 0.5 red.png\n' +
  'map_d -imfchan r red.png\nnewmtl n\nNi 1.5\nillum 4\nKs 1 1 1\nNs 300\n'
const OBJ =
  'mtllib m.mtl\no part\nv 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0\nv 1 1 2\nvt 0 0\nvt 1 1\nvn 0 0 1\nusemtl m\ng a b\ns 1\n' +
  'f 1/1/1 2/2/1 3/1/1\nusemtl n\nf -3//1 -2//1 -1//1\nl 1 2\n'
const CORNERS = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [1, 1, 2],
]
const MESH = {
  vertices: CORNERS,
  faces: [
    [0, 1, 2],
    [2, 1, 3],
    [0, 1, 3, 2],
  ],
}
const COLORED = [
  {
    name: 'vertex',
    properties: ['x', 'y', 'z', 'nx', 'ny', 'nz'].map(name => ['float', name] as const),
    rows: CORNERS.map(corner => [...corner, 0, 0, 1]),
  },
  { name: 'extra', properties: [['list uchar short', 'of']] as const, rows: [[[1, 2]], [[]]] },
  { name: 'tristrips', properties: [['list int int', 'vertex_indices']] as const, rows: [[[0, 1, 2, -1, 1, 2, 3]]] },
]
const FACETS = [
  [0, 0, 0, 1, 0, 0, 0, 1, 0],
  [0, 0, 0, 1, 0, 0, 0, 1, 2],
]
const red = await picture([255, 0, 0, 128])
const SET = { 'm.mtl': bytesOf(MTL), 'red.png': red }

const FILES: readonly (readonly [name: string, content: Uint8Array])[] = [
  ['part.obj', bytesOf(OBJ)],
  ['text.ply', plyOf('ascii', COLORED)],
  ['little.ply', plyOf('binary_little_endian', COLORED)],
  ['big.ply', binaryPly(MESH, false)],
  ['text.stl', bytesOf(textStl(FACETS))],
  ['binary.stl', binaryStl(FACETS)],
  ['packed.obj.gz', gzipSync(OBJ)],
  ['all.zip', zipSync({ 'in/part.obj': bytesOf(OBJ), 'in/m.mtl': SET['m.mtl'], 'in/red.png': new Uint8Array(red) })],
]

async function ended(name: string, content: Uint8Array): Promise<void> {
  const path = join(root, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  await endsWell(path)
}

for (const [name, content] of Object.entries(SET)) writeFileSync(join(root, name), content)

const damages = fc.array(byteDamage, { minLength: 1, maxLength: 3 })

describe.each(FILES)('%s', (name, content) => {
  it('is read as it is', async () => {
    writeFileSync(join(root, name), content)
    expect(await endsWell(join(root, name))).toBeUndefined()
  })

  it('with damaged bytes', () =>
    fc.assert(
      fc.asyncProperty(damages, changes => ended(name, changes.reduce(damaged, content))),
      RUNS(25),
    ))
})

describe.each(FILES.slice(0, 5).filter(([name]) => name !== 'little.ply' && name !== 'big.ply'))(
  '%s',
  (name, content) => {
    it('with other words', () =>
      fc.assert(
        fc.asyncProperty(damages, changes =>
          ended(name, bytesOf(changes.reduce(damagedText, new TextDecoder().decode(content)))),
        ),
        RUNS(40),
      ))
  },
)

describe('the material file of an OBJ', () => {
  it('with other words', () =>
    fc.assert(
      fc.asyncProperty(damages, changes => {
        mkdirSync(join(root, 'set'), { recursive: true })
        writeFileSync(join(root, 'set', 'm.mtl'), changes.reduce(damagedText, MTL))
        writeFileSync(join(root, 'set', 'red.png'), red)
        return ended('set/part.obj', bytesOf(OBJ))
      }),
      RUNS(40),
    ))
})
