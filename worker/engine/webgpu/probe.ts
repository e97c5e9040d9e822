/**
 * Tries a device before it is believed: more than a million rays of a known scene, of triangles and of instances, coherent and not, grazing, at vertices and
 * edges, along axes and from far away, closest and shadow, answered by the device and by the kernel, whose own answers tests compare with brute force. A device
 * passes if no bit differs and it leaves few rays to the CPU.
 */
import { hash32, unitOf } from '../../../shared/math/random.ts'
import { IDENTITY, type SceneDescription } from '../../../shared/scene/description.ts'
import { DEFAULT_MATERIAL, type Material } from '../../../shared/scene/material.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import { ALL_INSTANCES, type InstancingRule, NO_INSTANCES } from '../wasm/instances/instancing.ts'
import { RAY_FIELDS, RAY_WORDS, type RayCaster } from '../wasm/ray-caster.ts'
import { SHADOW } from '../wasm/records/rays.ts'
import type { WasmEngine } from '../wasm/wasm-engine.ts'
import type { WaitPorts } from './compute.ts'
import type { RaysDevice } from './rays-device.ts'

export interface Probe {
  readonly rays: number
  /** For which it has another answer than the kernel. */
  readonly different: number
  /** That it leaves to the CPU, because its arithmetic might not be exact. */
  readonly left: number
  /** That it answered, the way there and back included. */
  readonly raysPerSecond: number
}

export interface TrialPorts extends Pick<WaitPorts, 'now'> {
  /** Told after each batch: software on a busy machine takes minutes for all of them. */
  readonly advanced: () => Promise<void>
}

/** Of the rays of a device that is of use at most this share is left to the CPU. */
const MOST_LEFT = 1 / 16
/** Rays of a batch in each scene of the trial; corners of instances are placed with many operations, which are the same for all. */
const SCENES = { triangles: 1 << 17, masks: 1 << 17, instances: 1 << 13 } as const
type KnownScene = keyof typeof SCENES
/** In a scene: closest hits and shadows, twice each. */
const BATCHES = 4
export const PROBE_RAYS = BATCHES * Object.values(SCENES).reduce((sum, rays) => sum + rays)

/** What is wrong with a device, in words; undefined where nothing is. */
export const problemOf = ({ rays, different, left }: Probe): string | undefined =>
  different > 0
    ? `${different} of ${rays} rays that it was tried with hit something else than in the kernel`
    : left > rays * MOST_LEFT
      ? `it is unsure of ${left} of ${rays} rays that it was tried with, expected at most ${rays * MOST_LEFT}`
      : undefined

/**
 * @param engineOf one that instances meshes by a rule
 * @param mostRays of a batch: fewer than the most make it a trial of the trial
 * Rejects as the device does.
 */
export async function probe(
  device: Pick<RaysDevice, 'addScene' | 'dropScene' | 'trace'>,
  engineOf: (rule: InstancingRule) => WasmEngine,
  { now, advanced }: TrialPorts,
  mostRays = Number.POSITIVE_INFINITY,
): Promise<Probe> {
  const sum = { rays: 0, different: 0, left: 0, ms: 0 }
  for (const [known, rays] of Object.entries(SCENES) as [KnownScene, number][]) {
    const batchRays = Math.min(rays, mostRays)
    const engine = engineOf(known === 'instances' ? ALL_INSTANCES : NO_INSTANCES)
    const { bytes } = packScene(knownScene(known), length => new Uint8Array(new SharedArrayBuffer(length)))
    const building = engine.begin(bytes, 1)
    engine.help(building)
    const scene = engine.finish(building)
    const caster = engine.castRays(scene, batchRays)
    const number = await device.addScene(scene.memory)
    try {
      for (let batch = 0; batch < BATCHES; batch++) {
        const shadow = batch % 2 === 1
        putRays(caster, batch >> 1)
        const asked = caster.rays.slice()
        if (shadow) caster.shadow(batchRays, false)
        else caster.closest(batchRays, false)
        const expected = caster.words.slice()
        caster.rays.set(asked)
        const beganAt = now()
        await device.trace([{ scene: number, rays: caster.address, count: batchRays, shadow }])
        sum.ms += now() - beganAt
        await advanced()
        sum.rays += batchRays
        const { words } = caster
        for (let at = 0; at < batchRays * RAY_WORDS; at += RAY_WORDS) {
          if (words[at + RAY_FIELDS.steps] === 0) sum.left++
          else if (!isSame(words, expected, at, shadow)) sum.different++
        }
      }
    } finally {
      device.dropScene(number)
      caster.close()
    }
  }
  const { rays, different, left, ms } = sum
  return { rays, different, left, raysPerSecond: ms > 0 ? Math.round((1000 * rays) / ms) : 0 }
}

/** Behind glass and something opaque it is dark; whether the glass was met as well does not matter. */
function isSame(got: Uint32Array, expected: Uint32Array, at: number, shadow: boolean): boolean {
  const [own, other] = [got[at + RAY_FIELDS.hit]!, expected[at + RAY_FIELDS.hit]!]
  if (shadow) return (own & SHADOW.blocked) !== 0 ? (other & SHADOW.blocked) !== 0 : own === other
  const fields = ['tMax', 'instance'] as const
  return own === other && fields.every(field => got[at + RAY_FIELDS[field]] === expected[at + RAY_FIELDS[field]])
}

/** Vertices along each side of the hills. */
const SIDE = 40
const FLAKES = 400

/**
 * Hills whose triangles share vertices, a floor of two large triangles, a plate upon it in the same plane, and flakes of all sizes through each
 * other, every fourth of them twice in one place. Every second of these lets light through. As instances all of it stands in several places, once mirrored, and
 * twice in the same.
 */
function knownScene(known: KnownScene): SceneDescription {
  const vertices: number[] = []
  const indices: number[] = []
  const slots: number[] = []
  const number = (i: number, k: number) => 2 * unitOf(hash32(i, k, 17)) - 1
  const triangle = (a: number, b: number, c: number, slot: number) => {
    indices.push(a, b, c)
    slots.push(slot)
  }
  for (let z = 0; z < SIDE; z++)
    for (let x = 0; x < SIDE; x++)
      vertices.push((2 * x) / (SIDE - 1) - 1, 0.3 * number(z * SIDE + x, 0), (2 * z) / (SIDE - 1) - 1)
  for (let z = 0; z + 1 < SIDE; z++)
    for (let x = 0; x + 1 < SIDE; x++) {
      const at = z * SIDE + x
      triangle(at, at + SIDE, at + 1, 0)
      triangle(at + 1, at + SIDE, at + SIDE + 1, 0)
    }
  for (const [half, slot] of [
    [9, 0],
    [1.5, 1],
  ] as const) {
    const at = vertices.length / 3
    for (const [x, z] of [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ] as const)
      vertices.push(x * half, -0.5, z * half)
    triangle(at, at + 2, at + 1, slot)
    triangle(at, at + 3, at + 2, slot)
  }
  for (let i = 0; i < FLAKES; i++) {
    const at = vertices.length / 3
    const size = 2 ** -(1 + 7 * unitOf(hash32(i, 1, 18)))
    const centre = [0, 1, 2].map(k => 1.2 * number(i, 3 + k))
    for (let corner = 0; corner < 3; corner++)
      for (let k = 0; k < 3; k++) vertices.push(centre[k]! + size * number(i, 6 + corner * 3 + k))
    triangle(at, at + 1, at + 2, i % 2)
    if (i % 4 === 0) triangle(at, at + 1, at + 2, 1)
  }
  const alpha: Material['alpha'] = known === 'triangles' ? 'opaque' : 'mask'
  const seen = { ...DEFAULT_MATERIAL, alpha, ...(alpha === 'opaque' ? { transmission: 1 } : { opacity: 0.4 }) }
  return {
    meshes: [
      {
        attributes: ['position', 'normal'],
        vertices: withNormals(vertices),
        indices: Uint32Array.from(indices),
        slots: Uint16Array.from(slots),
        slotCount: 2,
      },
    ],
    instances: (known === 'instances' ? PLACES : [IDENTITY]).map(transform => ({
      mesh: 0,
      transform,
      materials: [0, 1],
    })),
    materials: [DEFAULT_MATERIAL, seen],
    lights: [],
    environment: { kind: 'sky', zenith: [1, 1, 1], horizon: [1, 1, 1], ground: [1, 1, 1] },
    textures: [],
    centre: [0, 0, 0],
  }
}

/** The mesh as it is; turned, and stretched, twice; and mirrored. */
const PLACES: readonly (readonly number[])[] = [
  IDENTITY,
  [0.6, 0.1, 0.35, 0.3, 0, 0.9, 0.02, 0.1, -0.4, 0.05, 0.5, -0.2],
  [-1.1, 0, 0, 0.25, 0, 0.7, 0, 0.05, 0, 0, 1.3, 0.1],
  [0.6, 0.1, 0.35, 0.3, 0, 0.9, 0.02, 0.1, -0.4, 0.05, 0.5, -0.2],
]

/** What is instanced has them; rays do not ask for them. */
function withNormals(positions: readonly number[]): Float32Array {
  const vertices = new Float32Array(2 * positions.length)
  for (let from = 0; from < positions.length; from += 3)
    vertices.set([...positions.slice(from, from + 3), 0, 1, 0], 2 * from)
  return vertices
}

type Numbers = readonly [number, number, number]

/** Fills a caster with rays of every kind, in runs of one kind. */
function putRays({ rays, capacity }: RayCaster, seed: number): void {
  const draw = (i: number, k: number): number => unitOf(hash32(seed, i, k, 19))
  const anywhere = (i: number, k: number, size: number): Numbers => [
    (2 * draw(i, k) - 1) * size,
    (2 * draw(i, k + 1) - 1) * size,
    (2 * draw(i, k + 2) - 1) * size,
  ]
  /** A vertex of the hills. */
  const vertex = (i: number, k: number): Numbers => {
    const [x, z] = [Math.floor(draw(i, k) * SIDE), Math.floor(draw(i, k + 1) * SIDE)]
    const height = 0.3 * (2 * unitOf(hash32(z * SIDE + x, 0, 17)) - 1)
    return [(2 * x) / (SIDE - 1) - 1, height, (2 * z) / (SIDE - 1) - 1].map(Math.fround) as [number, number, number]
  }
  const between = (a: Numbers, b: Numbers): Numbers => [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
  for (let i = 0; i < capacity; i++) {
    const [origin, direction] = rayOf(i)
    // Some end, at about where many have a hit, and some begin late.
    const tMax = draw(i, 20) < 0.8 ? Number.POSITIVE_INFINITY : draw(i, 21) * 2
    const tMin = draw(i, 22) < 0.9 ? 0 : draw(i, 23)
    rays.set([...origin, tMin, ...direction, tMax], i * RAY_WORDS)
  }

  function rayOf(i: number): readonly [Numbers, Numbers] {
    const [x, y] = [(i & 255) / 256 - 0.5, ((i >> 11) & 127) / 128 - 0.5]
    const start = anywhere(i, 0, 1.5)
    switch ((i >> 8) & 7) {
      case 0: // of a camera
        return [
          [0, 1.2, 3],
          [x, y * 0.6 - 0.4, -1],
        ]
      case 1:
        return [start, anywhere(i, 3, 1)]
      case 2: // at vertices
        return [start, between(start.map(Math.fround) as [number, number, number], vertex(i, 3))]
      case 3: {
        // at edges
        const [a, b] = [vertex(i, 3), vertex(i, 3)]
        const near: Numbers = [b[0] + 2 / (SIDE - 1), b[1], b[2]]
        const along = draw(i, 6)
        return [start, between(start, [a[0] + (near[0] - a[0]) * along, a[1], a[2]])]
      }
      case 4: // grazing: from one vertex to another, and along the floor
        return draw(i, 6) < 0.5
          ? [vertex(i, 0), between(vertex(i, 0), vertex(i, 3))]
          : [
              [start[0], -0.5 + (draw(i, 7) < 0.5 ? 0 : 1e-5), start[2]],
              [draw(i, 8) - 0.5, 0, draw(i, 9) - 0.5],
            ]
      case 5: {
        // along axes, or in planes across them
        const axis = Math.floor(draw(i, 6) * 3)
        const at = draw(i, 7) < 0.5 ? vertex(i, 0) : start
        const along = anywhere(i, 8, 1).map((value, k) => (draw(i, 12) < 0.5 === (k === axis) ? value : 0))
        return [at, along as unknown as Numbers]
      }
      case 6: {
        // from far away, and in any length
        const far = 10 ** (1 + 4 * draw(i, 6))
        const from = anywhere(i, 7, far)
        const length = 10 ** (-2 * draw(i, 10))
        return [from, between(from, anywhere(i, 3, 1)).map(value => value * length) as unknown as Numbers]
      }
      default: // from a surface
        return [vertex(i, 0), anywhere(i, 3, 1)]
    }
  }
}
