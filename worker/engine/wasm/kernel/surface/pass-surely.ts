/**
 * How rays pass surfaces (`pass.ts`) where nothing is decided by chance, so that blends stop them: those of the ambient integrator, and
 * the rays through the centres of pixels.
 */
import { Passing } from '../records'
import { passOn } from './pass'

let fromCamera: bool = false

/** Sends traced closest-hit rays on through what lets them pass. @param camera whether they are the camera's */
export function passSurely(rays: u32, count: u32, camera: bool): void {
  fromCamera = camera
  passOn<SureRays>(rays, count)
}

@unmanaged
class SureRays {
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
