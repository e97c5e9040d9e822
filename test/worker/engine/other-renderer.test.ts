/**
 * Against images of a 640,000-triangle scan by an independent renderer, where they are at hand: what is hit, where, and
 * how the sun lights it.
 */
import { readFileSync } from 'node:fs'
import { FloatType } from 'three'
import { EXRLoader } from 'three/addons/loaders/EXRLoader.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { readPly } from '../../../scenes/files/ply/ply.ts'
import { frameRect } from '../../../shared/frame/rect.ts'
import { toMeans } from '../../../shared/frame/sample-layout.ts'
import { allSamples, type Camera, type Vec3 } from '../../../shared/frame/view.ts'
import { bakedScene } from '../../../shared/scene/ambient-look.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import { engineByName } from '../../../worker/node/engines.ts'
import { described } from '../../support/described.ts'
import { hasModels, modelAt } from '../../support/models.ts'
import { openHere } from '../support/engines.ts'
import { evenSky, unit, viewOf } from '../support/meshes.ts'
import { ask, castIn, PATHS } from './wasm/brute-force.ts'

const IMAGES = 'reference/buddha-640k'
const present = hasModels(IMAGES)
const SIDE = 512

/** Linear RGBA of an image; rows from the bottom up. */
function readExr(name: string): Float32Array {
  const bytes = readFileSync(modelAt(`${IMAGES}/${name}`))
  const { data, width, height } = new EXRLoader().setDataType(FloatType).parse(Uint8Array.from(bytes).buffer)
  expect([width, height, data?.length]).toEqual([SIDE, SIDE, SIDE * SIDE * 4])
  return data as Float32Array
}

const SUN = { sky: evenSky([0, 0, 0]), sun: { direction: unit([0.5, 0.8, 0.6]), irradiance: [3, 3, 3] as Vec3 } }
const WHITE = { sky: evenSky([1, 1, 1]), sun: { direction: unit([0, 1, 0]), irradiance: [0, 0, 0] as Vec3 } }

/** The scan with a normal per triangle, as the other renderer shaded it, matte 0.8. */
function readScan() {
  const { positions, indices } = readPly(readFileSync(modelAt('meshes/buddha-640k.ply')), 'buddha-640k.ply')
  if (!indices) throw new Error('the scan has no triangles')
  const corners = new Float32Array(indices.length * 3)
  for (let i = 0; i < corners.length; i++) corners[i] = positions[indices[Math.floor(i / 3)]! * 3 + (i % 3)]!
  return {
    positions: corners,
    // Without normals, and without shared vertices: the triangle's own counts.
    indices: Uint32Array.from({ length: indices.length }, (_, i) => i),
    materialIds: new Uint16Array(indices.length / 3),
    materials: [{ kind: 'matte' as const, color: [0.8, 0.8, 0.8] as Vec3 }],
  }
}

function readCamera(): Camera {
  const { camera } = JSON.parse(readFileSync(modelAt(`${IMAGES}/camera.json`), 'utf8')) as {
    camera: { eye: Vec3; target: Vec3; vfov: number }
  }
  const { eye, target } = camera
  const back = unit([eye[0] - target[0], eye[1] - target[1], eye[2] - target[2]])
  const right = unit([back[2], 0, -back[0]])
  const up: Vec3 = [
    back[1] * right[2] - back[2] * right[1],
    back[2] * right[0] - back[0] * right[2],
    back[0] * right[1] - back[1] * right[0],
  ]
  const tan = Math.tan((camera.vfov * Math.PI) / 360)
  return { origin: eye, right, up, back, tanHalfX: tan, tanHalfY: tan, near: 0.1, far: 1000 }
}

describe.skipIf(!present)(
  `images of another renderer${present ? '' : ` (skipped: nothing at ${modelAt(IMAGES)})`}`,
  () => {
    const pixels = SIDE * SIDE
    let scan: ReturnType<typeof readScan>
    let sunlit: ReturnType<typeof sceneIn>
    beforeAll(() => {
      scan = readScan()
      sunlit = sceneIn(SUN)
    })
    const sceneIn = (light: typeof SUN) => bakedScene(packScene(described({ ...scan, ...light })))

    it('show the same hits and places', () => {
      const camera = readCamera()
      const caster = castIn(sunlit, pixels)
      const places = readExr('position.exr')
      const { origin, near: tMin, far: tMax } = camera
      const rays = Array.from({ length: pixels }, (_, pixel) => ({
        origin,
        tMin,
        tMax,
        direction: directionOf(camera, pixel),
      }))
      const answers = ask(caster, rays, PATHS[0])
      const distances: number[] = []
      let hitHereOnly = 0
      let hitThereOnly = 0
      answers.forEach(({ triangle, distance }, pixel) => {
        const at = placeOf(pixel) * 4
        const place = places.subarray(at, at + 3)
        const [here, there] = [triangle >= 0, place.some(coordinate => coordinate !== 0)]
        if (here && !there) hitHereOnly++
        if (there && !here) hitThereOnly++
        if (!here || !there) return
        const { direction } = rays[pixel]!
        distances.push(Math.hypot(...origin.map((o, k) => o + distance * direction[k]! - place[k]!)))
      })
      expect([hitHereOnly, hitThereOnly]).toEqual([0, 0])
      expect(distances.length).toBe(69_615)
      // The scan's box has a diagonal of some 11.5; at outlines a last bit decides which of two layers is met.
      distances.sort((a, b) => a - b)
      expect(distances[Math.floor(distances.length * 0.999)]!).toBeLessThan(1e-3)
    })

    it.each(['wasm', 'reference'])('show the same sunlight as %s', name => {
      const sunlight = readExr('sun_direct_pixelcentre_1spp.exr')
      const quality = { samples: 1, ambientRays: 0, maxDepth: 0 }
      const view = { ...viewOf([SIDE, SIDE]), camera: readCamera(), quality, exposure: 1 }
      const light = new Float64Array(pixels * 3)
      const depth = new Float32Array(pixels)
      openHere(engineByName(name), sunlit).trace(view, { rect: frameRect(view.size) }, allSamples(view), {
        light,
        depth,
      })
      const errors: number[] = []
      depth.forEach((met, pixel) => {
        if (Number.isFinite(met)) errors.push(Math.abs(light[pixel * 3]! - sunlight[placeOf(pixel) * 4]!))
      })
      expect(errors.length).toBe(69_615)
      expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(5e-4)
      expect(errors.filter(error => error > 0.05).length).toBeLessThan(70)
    })

    it('show the same light of white surroundings as path tracing finds, scattered up to 32 times', () => {
      const white = readExr('white_env_diffuse08_1024spp.exr')
      const quality = { samples: 16, ambientRays: 0, maxDepth: 0, bounces: 32 }
      const view = { ...viewOf([SIDE, SIDE]), camera: readCamera(), quality, exposure: 1 }
      const light = new Float64Array(pixels * 3)
      openHere(engineByName('wasm'), sceneIn(WHITE)).trace(view, { rect: frameRect(view.size) }, allSamples(view), {
        light,
      })
      toMeans(quality, light)
      // Squares of 16 px: their noise is at most some 0.005.
      const differences = new Float64Array((SIDE / 16) ** 2)
      for (let pixel = 0; pixel < pixels; pixel++) {
        const square = Math.floor(pixel / SIDE / 16) * (SIDE / 16) + Math.floor((pixel % SIDE) / 16)
        differences[square]! += (light[pixel * 3]! - white[placeOf(pixel) * 4]!) / 256
      }
      expect(Math.max(...differences.map(Math.abs))).toBeLessThan(0.025)
      const total = differences.reduce((sum, difference) => sum + difference, 0) / differences.length
      expect(Math.abs(total)).toBeLessThan(2e-4)
    })
  },
)

/** Where a pixel is in an image: rows there go from the bottom up. */
const placeOf = (pixel: number): number => (SIDE - 1 - Math.floor(pixel / SIDE)) * SIDE + (pixel % SIDE)

/** Through the centre of a pixel; its length is one unit of camera depth. */
function directionOf({ right, up, back, tanHalfX, tanHalfY }: Camera, pixel: number): Vec3 {
  const u = ((2 * (pixel % SIDE) + 1) / SIDE - 1) * tanHalfX
  const v = (1 - (2 * Math.floor(pixel / SIDE) + 1) / SIDE) * tanHalfY
  return [0, 1, 2].map(k => right[k]! * u + up[k]! * v - back[k]!) as unknown as Vec3
}
