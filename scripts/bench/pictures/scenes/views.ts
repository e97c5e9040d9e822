/** Cameras and views of the checks. */
import type { Size } from '../../../../shared/frame/rect.ts'
import type { Camera, Quality, Vec3, View } from '../../../../shared/frame/view.ts'
import { cross, normalize, subtract } from '../model/vector.ts'

const AXES = (eye: Vec3, target: Vec3, up: Vec3): Pick<Camera, 'right' | 'up' | 'back'> => {
  const back = normalize(subtract(eye, target))
  const right = normalize(cross(up, back))
  return { right, up: cross(back, right), back }
}

/** `fov`: vertical, degrees; `aspect`: width over height. */
export function lookingAt(eye: Vec3, target: Vec3, fov: number, aspect: number, up: Vec3 = [0, 1, 0]): Camera {
  const tanHalfY = Math.tan((fov * Math.PI) / 360)
  return { origin: eye, ...AXES(eye, target, up), tanHalfX: tanHalfY * aspect, tanHalfY, near: 1e-3, far: 1e6 }
}

/** Parallel rays through a square of half side `half` around the line from `eye` to `target`. */
export function parallelTo(eye: Vec3, target: Vec3, half: number, up: Vec3 = [0, 1, 0]): Camera {
  const orthographic = { orthographic: true, tanHalfX: half, tanHalfY: half } as const
  return { origin: eye, ...AXES(eye, target, up), near: 1e-3, far: 1e6, ...orthographic }
}

export function viewOf(
  camera: Camera,
  size: Size,
  { bounces, ...rest }: Pick<Quality, 'samples' | 'filter' | 'singleScattering'> & { readonly bounces: number },
): View {
  const quality = { ...rest, bounces, ambientRays: 0, maxDepth: 0 }
  return { frame: 0, size, camera, quality, exposure: 1 }
}
