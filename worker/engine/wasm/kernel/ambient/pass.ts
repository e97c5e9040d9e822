/** How rays of the ambient integrator pass surfaces (`surface/pass.ts`): it never decides by chance, so blends stop them. */
import { Passing } from '../records'
import { passOn } from '../surface/pass'

let fromCamera: bool = false

/** Sends traced closest-hit rays on through what lets them pass. @param camera whether they are the camera's */
export function passRays(rays: u32, count: u32, camera: bool): void {
  fromCamera = camera
  passOn<AmbientRays>(rays, count)
}

@unmanaged
class AmbientRays {
  @inline
  passages(camera: bool): u32 {
    return Passing.SOME | (camera ? Passing.BACKS : 0)
  }

  @inline
  isCamera(ray: u32): bool {
    return fromCamera
  }

  @inline
  chance(ray: u32): f32 {
    return 0
  }

  @inline
  pass(ray: u32, hit: u32, surface: u32): void {}
}
