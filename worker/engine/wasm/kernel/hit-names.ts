/** What a traced ray has hit, by the numbers of its names: the object, and the material. */
import { hasInstances, hitParts } from './placed-triangle'
import { Id, Instance, Material, ObjectRun, Ray, Scene, Triangle4 } from './records'
import { firstParts } from './triangle-parts'

/** The number of the object that a ray has hit. */
export function hitObject(ray: u32): u32 {
  const instance = hasInstances() ? Ray.instance(ray) : 0
  if (instance != 0) return Instance.object(instance)
  const id = Triangle4.id(Ray.hit(ray)) & Id.MASK
  // The first run that ends after it.
  const runs = Scene.objects()
  let low: u32 = 0
  let high = Scene.objectCount() - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (ObjectRun.end(runs + middle * ObjectRun.BYTES) > id) high = middle
    else low = middle + 1
  }
  return ObjectRun.object(runs + low * ObjectRun.BYTES)
}

/** The number of the name of the material that a ray has hit. */
export function hitLabel(ray: u32): u32 {
  const instanced = hasInstances() && Ray.instance(ray) != 0
  const parts = hitParts(ray, Ray.hit(ray), Scene.triangles(), firstParts(), instanced)
  return Material.label(i32x4.extract_lane(parts, 3))
}
