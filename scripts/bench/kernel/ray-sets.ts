/**
 * The rays that all engines are measured with, generated once, and what `wasm` finds along them. Every pixel has a camera ray, and
 * a path that goes on from there; paths are not ended at random, because how soon that happens is up to a material's colour. All
 * rays keep the order of the pixels, except those of the path tracer, which have that of its queues.
 */

import type { View } from '../../../shared/frame/view.ts'
import type { BakedScene } from '../../../shared/scene/ambient-look.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'
import { buildScene } from './build-scene.ts'
import { AMBIENT_RAYS, ambientRays } from './rays/ambient-rays.ts'
import { bounceRay } from './rays/bounce-rays.ts'
import { BLOCK, cameraRay, pixelsInBlocks } from './rays/camera-rays.ts'
import { lightsAround, type Region } from './rays/lights.ts'
import { nextEventRay } from './rays/next-event-rays.ts'
import { pathQueues } from './rays/path-queues.ts'
import type { RaySets } from './rays/ray-kinds.ts'
import { RayList } from './rays/ray-list.ts'
import { regionOf } from './rays/region.ts'

/** Bounces of a path. */
const BOUNCES = 4
/** The first of those that count as deep. */
const DEEP = 2

/** Rays traced at a time while sets are made. */
const CAST = 65536

/** The same scene and view give the same rays, bit for bit. @throws EngineUnavailableError */
export function makeRaySets(scene: BakedScene, view: View): RaySets {
  const engine = loadWasmEngine('wasm')
  const caster = engine.castRays(buildScene(engine, scene), CAST)
  const primary = primaryRays(view)
  const bounces = [primary.trace(caster)]
  for (let depth = 1; depth <= BOUNCES; depth++) {
    const before = bounces[depth - 1]!
    const next = new RayList(before.count)
    for (const hit of before.hits(scene)) next.add(bounceRay(hit, hit.pixel, depth), hit.pixel)
    bounces.push(next.trace(caster))
  }
  const path = pathRays(scene, bounces)
  return {
    primary: primary.done(),
    shadow: sunRays(scene, primary).trace(caster).done(),
    ambient: skyRays(scene, primary).trace(caster).done(),
    'next-event': path.lit.trace(caster).done(),
    bounce: bounces[1]!.done(),
    'deep-bounce': path.deep.done(),
  }
}

/** One through the centre of every pixel. */
export function primaryRays(view: View): RayList {
  const pixels = pixelsInBlocks(view.size)
  const rays = new RayList(pixels.length)
  for (const pixel of pixels) rays.add(cameraRay(view, pixel), pixel)
  return rays
}

function sunRays(scene: BakedScene, primary: RayList): RayList {
  const rays = new RayList(primary.count)
  for (const { point, pixel } of primary.hits(scene))
    rays.add([...point, 0, ...scene.sun.direction, Number.POSITIVE_INFINITY], pixel)
  return rays
}

/** As each hit has several, only every AMBIENT_RAYS-th block of pixels has any: there are no more rays than pixels. */
function skyRays(scene: BakedScene, primary: RayList): RayList {
  const rays = new RayList(primary.count + AMBIENT_RAYS * BLOCK)
  let hits = 0
  for (let block = 0; block < primary.count; block += AMBIENT_RAYS * BLOCK)
    for (const hit of primary.hits(scene, block, Math.min(block + BLOCK, primary.count)))
      for (const ray of ambientRays(hit, hits++)) rays.add(ray, hit.pixel)
  return rays
}

/** @param bounces rays of every depth, camera rays first */
function pathRays(scene: BakedScene, bounces: readonly RayList[]): { deep: RayList; lit: RayList } {
  const total = bounces.reduce((sum, { count }) => sum + count, 0)
  const [deep, lit] = [new RayList(total), new RayList(total)]
  const lights = lightsAround(regionSeen(scene, bounces[0]!), scene.sun.direction)
  for (const queue of pathQueues(bounces.map(({ distances }) => distances)))
    for (const { depth, from, to } of queue) {
      if (depth >= DEEP) deep.append(bounces[depth]!, from, to)
      // The last bounce finds only lights that it meets itself.
      if (depth === BOUNCES) continue
      for (const hit of bounces[depth]!.hits(scene, from, to)) {
        const ray = nextEventRay(hit, lights, hit.pixel, depth)
        if (ray) lit.add(ray, hit.pixel)
      }
    }
  return { deep, lit }
}

/** Where most of what traced camera rays have hit is. */
export function regionSeen(scene: BakedScene, primary: RayList): Region {
  const points = Array.from(primary.hits(scene), ({ point }) => point)
  const [x, y, z] = [0, 1, 2].map(axis => Float32Array.from(points, point => point[axis]!))
  return regionOf([x!, y!, z!])
}
