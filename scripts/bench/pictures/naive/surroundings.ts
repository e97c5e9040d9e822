/** Radiance of the environment by direction. */

import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { Environment, EnvironmentMap } from '../../../../shared/scene/environment.ts'
import { skyRadiance } from '../../../../shared/sky.ts'

/** From the unit direction `direction`. */
export function surroundings(environment: Environment, direction: Vec3): Vec3 {
  if (environment.kind === 'map') return mapRadiance(environment, direction)
  const y = direction[1]
  return [skyRadiance(environment, y, 0), skyRadiance(environment, y, 1), skyRadiance(environment, y, 2)]
}

/** Bilinear between the centres of texels, around the horizon without a seam, constant from the last centre to the pole. */
function mapRadiance({ width, height, texels, intensity, rotation }: EnvironmentMap, [x, y, z]: Vec3): Vec3 {
  // A turn by a around +Y takes a from atan2(z, x); the direction is turned back by `rotation`.
  const column = (Math.atan2(z, x) / (2 * Math.PI) + rotation + 0.5) * width - 0.5
  const row = (Math.acos(Math.min(1, Math.max(-1, y))) / Math.PI) * height - 0.5
  const [left, top] = [Math.floor(column), Math.floor(row)]
  const [rightShare, lowerShare] = [column - left, row - top]
  const texel = (i: number, j: number, channel: number): number => {
    const wrapped = ((i % width) + width) % width
    const clamped = Math.min(height - 1, Math.max(0, j))
    return texels[(clamped * width + wrapped) * 3 + channel]!
  }
  const mix = (channel: number): number => {
    const rowOf = (j: number) => texel(left, j, channel) * (1 - rightShare) + texel(left + 1, j, channel) * rightShare
    return intensity * (rowOf(top) * (1 - lowerShare) + rowOf(top + 1) * lowerShare)
  }
  return [mix(0), mix(1), mix(2)]
}
