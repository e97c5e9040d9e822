/** Lights of the kernel, as one point sees them: next-event estimation has to choose directions with the density that paths reckon with. */
import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { WasmEngine } from '../../../../worker/engine/wasm/wasm-engine.ts'
import { NIGHT } from '../known/known-picture.ts'
import type { LightSubject, Lobe } from '../model/lobe.ts'
import type { PlainScene } from '../model/plain-scene.ts'
import { add, cross, dot, normalize, scale, subtract } from '../model/vector.ts'
import { RandomStream } from '../naive/random-stream.ts'
import { SceneBuilder } from '../scenes/meshes.ts'
import { buildHere } from './build.ts'

const POINT: Vec3 = [0.3, 0.2, 0.1]
const WHITE: Vec3 = [1, 0.9, 0.8]
const PLACE: Vec3 = [-0.4, 1.5, 0.6]
const DOWN = normalize([0.3, -1, -0.2])
const CENTRE: Vec3 = [0.2, -0.9, 1.1]
const ACROSS: Vec3 = [0.8, 0, 0]
const UP: Vec3 = [0, 0.3, 0.4]
const UPWARDS: Vec3 = [0, 1, 0]

interface Subject {
  readonly name: string
  readonly scene: PlainScene
  /** Of an opaque surface at the point. */
  readonly normal?: Vec3
}

const SUBJECTS: readonly Subject[] = [
  {
    name: 'sun with a disc',
    scene: lit([{ kind: 'distant', direction: normalize([0.4, 0.8, -0.3]), irradiance: WHITE, angle: 0.12 }]),
  },
  { name: 'lamp', scene: lit([{ kind: 'point', position: PLACE, intensity: WHITE, radius: 0.7 }]) },
  {
    name: 'spot',
    scene: lit([
      {
        kind: 'spot',
        position: PLACE,
        direction: DOWN,
        intensity: WHITE,
        radius: 0.5,
        innerCosine: 0.99,
        outerCosine: 0.8,
      },
    ]),
  },
  {
    name: 'rectangle',
    scene: lit([{ kind: 'rectangle', position: CENTRE, across: ACROSS, up: scale(UP, -1), radiance: WHITE }]),
  },
  // From so far all its points are about as probable.
  {
    name: 'far rectangle',
    scene: lit([{ kind: 'rectangle', position: [1.4, 4, -3], across: ACROSS, up: UP, radiance: WHITE }]),
  },
  // Close, and seen at a flat angle.
  {
    name: 'close rectangle',
    scene: lit([
      { kind: 'rectangle', position: [0.5, 0.25, 0.1], across: [0.7, 0, 0], up: [0, 0, 0.5], radiance: WHITE },
    ]),
  },
  { name: 'environment map', scene: { ...lit([]), environment: unevenMap() } },
  ...([UPWARDS, normalize([0.6, -0.5, 0.6]), [-1, 0, 0]] as const).map(normal => ({
    name: `environment map, for a surface that faces ${normal.map(each => each.toFixed(1)).join(', ')}`,
    scene: { ...lit([]), environment: unevenMap() },
    normal,
  })),
  { name: 'glowing quad', scene: glowingQuad() },
]

function lit(lights: PlainScene['lights']): PlainScene {
  return new SceneBuilder().build(NIGHT, lights)
}

/** With a bright spot, and black rows. */
function unevenMap(): PlainScene['environment'] {
  const [width, height] = [16, 8]
  const random = new RandomStream(5)
  const texels = Float32Array.from({ length: width * height * 3 }, (_, i) =>
    Math.floor(i / 3 / width) === 6 ? 0 : random.next() + (Math.floor(i / 3) === 37 ? 40 : 0),
  )
  return { kind: 'map', width, height, texels, intensity: 0.7, rotation: 0.2 }
}

function glowingQuad(): PlainScene {
  const builder = new SceneBuilder()
  builder.rectangle(builder.material({ emission: WHITE }), CENTRE, ACROSS, UP)
  return builder.build(NIGHT)
}

export function kernelLights(engine: WasmEngine): LightSubject[] {
  return SUBJECTS.map(({ name, scene, normal }) => {
    const probe = engine.probe(buildHere(engine, scene))
    const glows = scene.positions.length > 0
    return {
      name,
      light: {
        sample(_, u) {
          const { direction, value, density } = probe.sampleLight(POINT, [u[0], u[1]], normal)
          return density > 0 ? { wi: direction, value, pdf: density, smooth: false } : undefined
        },
        evaluate(_, wi) {
          if (glows) return quadFrom(POINT, wi)
          const { value, density } = probe.meetLight(POINT, wi, normal)
          return { value, pdf: density }
        },
      },
    }
  })
}

/** The radiance and the density of the glowing quad, whose points are all equally probable. */
function quadFrom(from: Vec3, wi: Vec3): ReturnType<Lobe['evaluate']> {
  const area = cross(ACROSS, UP)
  const normal = normalize(area)
  const cosine = dot(wi, normal)
  const distance = dot(subtract(CENTRE, from), normal) / cosine
  const at = subtract(add(from, scale(wi, distance)), CENTRE)
  const within = (axis: Vec3): boolean => Math.abs(dot(at, axis)) <= dot(axis, axis)
  if (!(distance > 0) || !within(ACROSS) || !within(UP)) return { value: [0, 0, 0], pdf: 0 }
  return { value: WHITE, pdf: distance ** 2 / (Math.abs(cosine) * 4 * Math.sqrt(dot(area, area))) }
}
