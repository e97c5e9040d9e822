/**
 * EXR files, by three.js's exporter: RGBA, scan lines, ZIP. The top row comes first, as everywhere here; the exporter takes pictures
 * from the bottom up, as textures are.
 */
import { DataTexture, FloatType, HalfFloatType, RGBAFormat } from 'three'
import { EXRExporter, ZIP_COMPRESSION } from 'three/examples/jsm/exporters/EXRExporter.js'
import type { Size } from '../../shared/frame/rect.ts'
import type { ExrType } from '../options/groups/output.ts'

/** The largest half float. */
const LARGEST_HALF = 65504

/**
 * The bytes of a file.
 * @param values one or three components a pixel; a single one becomes red, green and blue alike
 * @param alpha of each pixel, by which red, green and blue are multiplied already. @default 1
 */
export function exrFile(
  [width, height]: Size,
  values: ArrayLike<number>,
  type: ExrType,
  alpha?: ArrayLike<number>,
): Promise<Uint8Array> {
  const components = values.length / (width * height)
  const most = type === 'half' ? LARGEST_HALF : Number.POSITIVE_INFINITY
  const rgba = new Float32Array(width * height * 4)
  for (let row = 0; row < height; row++)
    for (let x = 0; x < width; x++) {
      const from = row * width + x
      const to = ((height - 1 - row) * width + x) * 4
      for (let k = 0; k < 3; k++)
        rgba[to + k] = Math.min(most, values[components === 1 ? from : from * components + k]!)
      rgba[to + 3] = alpha?.[from] ?? 1
    }
  const texture = new DataTexture(rgba, width, height, RGBAFormat, FloatType)
  const exrType = type === 'half' ? HalfFloatType : FloatType
  return new EXRExporter().parse(texture, { type: exrType, compression: ZIP_COMPRESSION })
}
