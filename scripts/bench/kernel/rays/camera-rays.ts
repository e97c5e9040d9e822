/**
 * Camera rays, one through the centre of every pixel: by blocks of 8×8 pixels, and within a block by squares of 4×4. So 64
 * consecutive rays are a block and 16 are a square, which suits ray packets of any width up to that.
 */
import type { View } from '../../../../shared/frame/view.ts'
import type { Ray } from './ray-kinds.ts'

/** Pixels of a block. */
export const BLOCK = 64

/** Indices (row · width + column) of all pixels, in the order of their rays. */
export function pixelsInBlocks([width, height]: View['size']): Uint32Array {
  const pixels = new Uint32Array(width * height)
  let count = 0
  for (let block = 0, across = Math.ceil(width / 8); block < across * Math.ceil(height / 8); block++) {
    for (let i = 0; i < BLOCK; i++) {
      const x = (block % across) * 8 + ((i >> 4) & 1) * 4 + (i & 3)
      const y = Math.floor(block / across) * 8 + (i >> 5) * 4 + ((i >> 2) & 3)
      if (x < width && y < height) pixels[count++] = y * width + x
    }
  }
  return pixels
}

export function cameraRay({ camera, size: [width, height] }: View, pixel: number): Ray {
  const { origin, right, up, back, tanHalfX, tanHalfY, near, far } = camera
  const u = ((2 * ((pixel % width) + 0.5)) / width - 1) * tanHalfX
  const v = (1 - (2 * (Math.floor(pixel / width) + 0.5)) / height) * tanHalfY
  const x = right[0] * u + up[0] * v - back[0]
  const y = right[1] * u + up[1] * v - back[1]
  const z = right[2] * u + up[2] * v - back[2]
  // The distance along the ray per unit of camera depth.
  const length = Math.sqrt(x * x + y * y + z * z)
  return [...origin, near * length, x / length, y / length, z / length, far * length]
}
