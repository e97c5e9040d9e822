/**
 * Solids that touch. Where the surfaces of two coincide, as those of wine and its glass, there is one boundary, between what is in front of the
 * first and what is behind the second. Rounding decides which one a ray meets first, and a ray that starts behind that has passed both. So
 * rays that have met a solid are traced on through as much as those skip that start behind it.
 */
import { Hit, Material, Ray, Scene, Surface } from '../records'
import { listMet, materialAt, originals, sendBehind } from '../surface/pass'
import { passing, passHits, passSurfaces } from '../surface/workspace'
import { traceClosest } from '../trace/trace'
import { crossingOf, outerOf } from './media'
import { raysOf } from './state'
import { crossings } from './workspace'

/** Along the surface rays are not followed for longer than this many times their distance from it. */
const SLANT: f32 = 16

/** Where a queue's ray has its second crossing (`media.ts`), 0 for none; unwritten for rays that have not met a solid. */
@inline
export function secondCrossing(queue: u32, ray: u32): u32 {
  return crossings + ((ray - raysOf(queue)) / Ray.BYTES) * 4
}

/** Finds the second crossings of a queue's traced rays. Nothing of this matters where no solids of different media are near to each other. */
export function findCoincident(queue: u32, count: u32): void {
  if (Scene.touching() == 0) return
  let solid: u32 = 0
  const rays = raysOf(queue)
  for (let i: u32 = 0; i < count; i++) {
    const ray = rays + i * Ray.BYTES
    const slot = Ray.hit(ray)
    if (slot == 0 || Material.medium(materialAt(ray, slot)) == 0) continue
    store<u32>(secondCrossing(queue, ray), 0)
    store<u32>(originals() + solid++ * 4, ray)
  }
  for (let first: u32 = 0; first < solid; first += 4) {
    const next = min<u32>(first + 4, solid)
    listMet(first, next, false)
    for (let i = first; i < next; i++) {
      const ray = load<u32>(originals() + i * 4)
      sendBehind(ray, passing + i * Ray.BYTES, endBehind(ray, passSurfaces + (i - first) * 4))
    }
  }
  traceClosest(passing, solid, false)
  // Rays that met nothing are left out.
  let met: u32 = 0
  for (let i: u32 = 0; i < solid; i++) {
    const traced = passing + i * Ray.BYTES
    const ray = load<u32>(originals() + i * 4)
    Ray.setSteps(ray, Ray.steps(ray) + Ray.steps(traced))
    if (Ray.hit(traced) == 0) continue
    if (met != i) memory.copy(passing + met * Ray.BYTES, traced, Ray.BYTES)
    store<u32>(originals() + met++ * 4, ray)
  }
  for (let first: u32 = 0; first < met; first += 4) {
    const next = min<u32>(first + 4, met)
    listMet(first, next, true)
    for (let i = first; i < next; i++) {
      const material = Hit.material(passHits + (i - first) * Hit.BYTES)
      if (Material.medium(material) == 0) continue
      const inwards = Surface.side(passSurfaces + (i - first) * 4) > 0
      const ray = load<u32>(originals() + i * 4)
      store<u32>(secondCrossing(queue, ray), crossingOf(material, outerOf(passing + i * Ray.BYTES), inwards))
    }
  }
}

/** Where a ray is, in lengths of its direction, when it is as deep behind its hit as rays start that go on from there (`hit-point.ts`). */
export function endBehind(ray: u32, surface: u32): f32 {
  const dx = Ray.directionX(ray)
  const dy = Ray.directionY(ray)
  const dz = Ray.directionZ(ray)
  const cosine = -(
    Surface.dx(surface) * Surface.gx(surface) +
    Surface.dy(surface) * Surface.gy(surface) +
    Surface.dz(surface) * Surface.gz(surface)
  )
  const slant = min<f32>(SLANT, 1 / max<f32>(cosine, 1e-6))
  return Ray.tMax(ray) + (2 * Surface.offset(surface) * slant) / sqrt<f32>(dx * dx + dy * dy + dz * dz)
}
