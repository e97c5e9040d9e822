/**
 * A mesh in many places, instanced and baked: memory, time to build, and how fast each is traced. Both make the same picture, which is
 * checked, and so trace the same rays: the ratio of their times is that of rays per second.
 */

import { frameRect, type Size } from '../../../shared/frame/rect.ts'
import { allSamples, type Quality, type View } from '../../../shared/frame/view.ts'
import type { SceneDescription } from '../../../shared/scene/description.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import { INSTANCING, type InstancingRule } from '../../../worker/engine/wasm/instances/instancing.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'
import { BenchError } from '../bench-error.ts'
import { cpuMsOf } from '../cpu-time.ts'
import { median } from '../measure.ts'
import { knots, viewOfKnots } from './knots.ts'

export interface InstancesOptions {
  readonly copies: number
  readonly size: Size
  readonly rounds: number
}

export interface BuiltWay {
  readonly buildMs: number
  /** Of the scene in the engine's memory. */
  readonly bytes: number
  /** Of the process, with this way's scene as the last one that was built. */
  readonly residentBytes: number
}

export interface InstancesRow {
  readonly rays: string
  /** CPU time of a picture, median of the rounds, ms. */
  readonly instancedMs: number
  readonly bakedMs: number
  /** Rays per second of instances over those of baked triangles: median over the rounds. */
  readonly speed: number
}

export interface InstancesBench extends InstancesOptions {
  readonly triangles: { readonly unique: number; readonly drawn: number }
  readonly instanced: BuiltWay
  readonly baked: BuiltWay
  readonly rows: readonly InstancesRow[]
}

const WAYS: Readonly<Record<'instanced' | 'baked', InstancingRule>> = {
  instanced: { ...INSTANCING, saved: 0, savedOfMesh: 0 },
  baked: { ...INSTANCING, saved: Number.POSITIVE_INFINITY },
}

const QUALITIES: readonly (readonly [string, Quality])[] = [
  ['camera, coherent', { samples: 2, ambientRays: 0, maxDepth: 0 }],
  ['camera, sun and sky', { samples: 2, ambientRays: 4, maxDepth: 0 }],
  ['paths of 4 bounces', { samples: 2, ambientRays: 0, maxDepth: 0, bounces: 4 }],
]

/** @throws BenchError if the two pictures differ */
export function benchInstances(options: InstancesOptions): InstancesBench {
  const { copies, size, rounds } = options
  const scene = knots(copies)
  // In this order, so that the first one's process has held nothing else.
  const instanced = open(scene, WAYS.instanced)
  const baked = open(scene, WAYS.baked)
  const rows = QUALITIES.map(([rays, quality]): InstancesRow => {
    const view = viewOfKnots(copies, size, quality)
    const times: { instanced: number; baked: number }[] = []
    for (let round = 0; round <= rounds; round++) {
      const one = instanced.trace(view)
      const other = baked.trace(view)
      if (Buffer.compare(one.rgb, other.rgb) !== 0) throw new BenchError(`${rays}: the two pictures differ`)
      // The first round warms up.
      if (round > 0) times.push({ instanced: one.ms, baked: other.ms })
    }
    return {
      rays,
      instancedMs: median(times.map(each => each.instanced)),
      bakedMs: median(times.map(each => each.baked)),
      speed: median(times.map(each => each.baked / each.instanced)),
    }
  })
  const unique = scene.meshes[0]!.indices.length / 3
  const triangles = { unique, drawn: unique * copies }
  return { ...options, triangles, instanced: instanced.built, baked: baked.built, rows }
}

function open(scene: SceneDescription, rule: InstancingRule) {
  const engine = loadWasmEngine('wasm', rule)
  const start = process.cpuUsage()
  const building = engine.begin(packScene(scene, shared).bytes, 1)
  engine.help(building)
  const held = engine.finish(building)
  const { user, system } = process.cpuUsage(start)
  const built: BuiltWay = {
    buildMs: (user + system) / 1000,
    bytes: held.bytes,
    residentBytes: process.memoryUsage.rss(),
  }
  const tracer = engine.open(held, 0)
  return {
    built,
    trace(view: View): { ms: number; rgb: Uint8Array } {
      const rgb = new Uint8Array(view.size[0] * view.size[1] * 3)
      const ms = cpuMsOf(() => tracer.trace(view, { rect: frameRect(view.size) }, allSamples(view), { rgb }))
      return { ms, rgb }
    },
  }
}

const shared = (bytes: number) => new Uint8Array(new SharedArrayBuffer(bytes))
