/** OpenEXR pictures through three's loader. */
import { FloatType } from 'three'
import { EXRLoader } from 'three/addons/loaders/EXRLoader.js'
import { invariant } from '../../../../shared/errors.ts'
import type { Size } from '../../../../shared/frame/rect.ts'

export interface LinearPicture {
  readonly size: Size
  /** Linear RGB by rows from the top. */
  readonly values: Float64Array
}

/** @throws an Error of the loader */
export function readExr(bytes: Uint8Array): LinearPicture {
  const image = new EXRLoader().setDataType(FloatType).parse(Uint8Array.from(bytes).buffer)
  const { data, width, height } = image
  invariant(data && width !== undefined && height !== undefined, 'an OpenEXR picture has texels')
  const channels = data.length / (width * height)
  const values = new Float64Array(width * height * 3)
  // The loader's rows start at the bottom.
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < 3; channel++)
        values[(y * width + x) * 3 + channel] = data[((height - 1 - y) * width + x) * channels + channel]!
  return { size: [width, height], values }
}
