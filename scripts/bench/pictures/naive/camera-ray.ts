/** Where a pixel's camera rays go: filter, projection and lens. */
import type { Camera, View } from '../../../../shared/frame/view.ts'
import { add, length, scale } from '../model/vector.ts'
import type { Ray } from './bvh.ts'
import type { RandomStream } from './random-stream.ts'

export interface CameraRay extends Ray {
  /** Distances between which hits count. */
  readonly least: number
  readonly most: number
}

/** A ray of the pixel in column `x` and row `y`, counted from the top left. */
export function cameraRay({ camera, size, quality }: View, x: number, y: number, random: RandomStream): CameraRay {
  const offset = (): number => (quality.filter === 'gaussian' ? gaussianOffset(random) : random.next() - 0.5)
  const right = ((2 * (x + 0.5 + offset())) / size[0] - 1) * camera.tanHalfX
  const up = (1 - (2 * (y + 0.5 + offset())) / size[1]) * camera.tanHalfY
  const aside = add(scale(camera.right, right), scale(camera.up, up))
  const ahead = scale(camera.back, -1)
  let origin = camera.orthographic ? add(camera.origin, aside) : camera.origin
  // To a point at camera depth 1.
  let direction = camera.orthographic ? ahead : add(ahead, aside)
  if (camera.lens) {
    // From another point of the lens to the same point at camera depth `focus`.
    const [lensRight, lensUp] = lensPoint(camera.lens, random)
    const shift = add(scale(camera.right, lensRight), scale(camera.up, lensUp))
    origin = add(origin, shift)
    direction = add(direction, scale(shift, -1 / camera.lens.focus))
  }
  const perDepth = length(direction)
  return {
    origin,
    direction: scale(direction, 1 / perDepth),
    least: camera.near * perDepth,
    most: camera.far * perDepth,
  }
}

/** Standard deviation and reach of the gaussian filter, px. */
const SIGMA = 0.5
const REACH = 1.5

/** From the centre of a pixel, along one axis: normally distributed, and drawn again beyond the reach. */
function gaussianOffset(random: RandomStream): number {
  for (;;) {
    // Box and Muller, "A Note on the Generation of Random Normal Deviates", 1958.
    const radius = Math.sqrt(-2 * Math.log(1 - random.next()))
    const offset = SIGMA * radius * Math.cos(2 * Math.PI * random.next())
    if (Math.abs(offset) <= REACH) return offset
  }
}

/** Uniform on the aperture. A polygon has its corners on the circle, the first one `rotation` from `right` towards `up`. */
function lensPoint(
  { radius, blades, rotation = 0 }: NonNullable<Camera['lens']>,
  random: RandomStream,
): [number, number] {
  for (;;) {
    const [x, y] = [2 * random.next() - 1, 2 * random.next() - 1]
    if (x * x + y * y <= 1 && (!blades || insidePolygon(x, y, blades, rotation))) return [x * radius, y * radius]
  }
}

function insidePolygon(x: number, y: number, sides: number, rotation: number): boolean {
  const apothem = Math.cos(Math.PI / sides)
  for (let side = 0; side < sides; side++) {
    const angle = 2 * Math.PI * (rotation + (side + 0.5) / sides)
    if (x * Math.cos(angle) + y * Math.sin(angle) > apothem) return false
  }
  return true
}
