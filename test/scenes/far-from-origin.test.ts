/** A mesh in survey coordinates looks as it does at the origin. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BoxGeometry, Mesh, MeshBasicMaterial, PointLight, Scene } from 'three'
import { afterAll, describe, expect, it } from 'vitest'
import { projectCoverage } from '../../master/coverage/project.ts'
import { cameraAt } from '../../scenes/cameras/camera-paths.ts'
import { importThree } from '../../scenes/import/import-three.ts'
import { loadFile } from '../../scenes/load-file.ts'
import type { LoadedScene } from '../../scenes/scene-source.ts'
import { bakedScene } from '../../shared/scene/ambient-look.ts'
import { packScene } from '../../shared/scene/packed-scene.ts'
import { engineByName } from '../../worker/node/engines.ts'
import { openHere, traceTile, usableEngines } from '../worker/support/engines.ts'
import { viewOf } from '../worker/support/meshes.ts'
import { textStl } from './files/stl-bytes.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const AWAY = [500000, 4e6, 100] as const
/** Details of a millimetre or less, which a float cannot tell at the far place. */
const CORNERS = [
  [0, 0, 0],
  [1.0001, 0, 0.001],
  [0, 1.0002, 0.0005],
  [0.3001, 0.2002, 1.0003],
]
const FACES = [
  [0, 2, 1],
  [0, 1, 3],
  [0, 3, 2],
  [1, 2, 3],
]
const at = (offset: readonly number[]) =>
  CORNERS.map(corner => corner.map((x, axis) => Number((x + offset[axis]!).toFixed(6))))

function doublePly(corners: number[][]): Buffer {
  const header = [
    'ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty double x\nproperty double y\nproperty double z',
    'element face 4\nproperty list uchar int vertex_indices\nend_header\n',
  ].join('\n')
  const faces = Buffer.alloc(FACES.length * 13)
  for (const [i, face] of FACES.entries()) {
    faces.writeUInt8(3, i * 13)
    for (const [k, index] of face.entries()) faces.writeInt32LE(index, i * 13 + 1 + k * 4)
  }
  return Buffer.concat([Buffer.from(header), Buffer.from(Float64Array.from(corners.flat()).buffer), faces])
}
const textPly = (corners: number[][]): string =>
  'ply\nformat ascii 1.0\nelement vertex 4\nproperty double x\nproperty double y\nproperty double z\n' +
  'element face 4\nproperty list uchar int vertex_indices\nend_header\n' +
  `${corners.map(corner => corner.join(' ')).join('\n')}\n${FACES.map(face => `3 ${face.join(' ')}`).join('\n')}\n`
const obj = (corners: number[][]): string =>
  `${corners.map(corner => `v ${corner.join(' ')}\n`).join('')}${FACES.map(face => `f ${face.map(i => i + 1).join(' ')}\n`).join('')}`
const stl = (corners: number[][]) => textStl(FACES.map(face => face.flatMap(i => corners[i]!)))

const size = [64, 36] as const
function pictureOf(loaded: LoadedScene, engine: string) {
  const packed = packScene(importThree(loaded.scene).description)
  const view = viewOf(size, { camera: cameraAt('orbit', loaded, 3, size[0] / size[1]) })
  const pixels = traceTile(openHere(engineByName(engine), bakedScene(packed)), view, {
    x: 0,
    y: 0,
    w: size[0],
    h: size[1],
  })
  return { packed, pixels, mask: projectCoverage(packed, view.camera, size) }
}

describe.each<[string, (corners: number[][]) => string | Uint8Array]>([
  ['double.ply', doublePly],
  ['text.ply', textPly],
  ['mesh.obj', obj],
  ['text.stl', stl],
])('a mesh far away in %s', (name, write) => {
  it.each(usableEngines)('gives nearly the picture that it gives at the origin (%s)', async engine => {
    const here = join(folder, `here-${name}`)
    const there = join(folder, `there-${name}`)
    writeFileSync(here, write(at([0, 0, 0])))
    writeFileSync(there, write(at(AWAY)))
    const near = pictureOf(await loadFile(here), engine)
    const far = pictureOf(await loadFile(there), engine)
    expect(near.packed.centre).toEqual([0, 0, 0])
    expect(far.packed.centre).not.toEqual([0, 0, 0])
    let differing = 0
    for (let i = 0; i < near.pixels.length; i++) if (Math.abs(near.pixels[i]! - far.pixels[i]!) > 3) differing++
    expect(differing / near.pixels.length).toBeLessThan(0.01)
    expect(new Set(near.pixels).size).toBeGreaterThan(20)
    let masked = 0
    for (let y = 0; y < size[1]; y++)
      for (let x = 0; x < size[0]; x++) if (near.mask.has(x, y) !== far.mask.has(x, y)) masked++
    expect(masked).toBeLessThan(5)
  })
})

it('keeps lights and cameras beside the meshes', () => {
  const mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial())
  const lamp = new PointLight()
  mesh.position.set(...AWAY)
  lamp.position.set(AWAY[0], AWAY[1] + 5, AWAY[2])
  const { centre, lights, instances } = importThree(new Scene().add(mesh, lamp)).description
  expect(lights).toMatchObject([{ position: [AWAY[0] - centre[0], AWAY[1] + 5 - centre[1], AWAY[2] - centre[2]] }])
  expect(instances[0]!.transform.filter((_, i) => i % 4 === 3)).toEqual(AWAY.map((x, axis) => x - centre[axis]!))
})
