/** The files of one frame that take much computing: what the encoding thread makes of its planes. Pure. */
import type { FramePlanes } from '../../shared/frame/frame-planes.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Region } from '../../shared/frame/region.ts'
import { type Look, ToneMap } from '../../shared/light/tone-map.ts'
import { srgbFromLinear } from '../../shared/math/srgb.ts'
import { type AovName, aovEnding, OUTPUT_ENDINGS } from '../files/frame-names.ts'
import type { Denoiser } from '../options/groups/light.ts'
import type { OutputOptions } from '../options/groups/output.ts'
import { exrFile } from './exr-file.ts'

/** What is to be made of a frame. */
export interface EncodeOrder extends Pick<OutputOptions, 'outputs' | 'aovs' | 'exrType'> {
  readonly size: Size
  /** The part of a frame that it is; undefined: all of it. */
  readonly region?: Region | undefined
  readonly look: Look
  readonly planes: FramePlanes
  /** What the light's EXR file says. */
  readonly comments?: string | undefined
  /** What removed the noise. */
  readonly denoise?: Denoiser | undefined
}

export interface EncodedFrame {
  /** EXR files, by what comes after the number in their names. */
  readonly files: readonly (readonly [ending: string, bytes: Uint8Array])[]
  /** RGB or RGBA of 16 bits, if a 16-bit PNG is wanted; alpha is not multiplied in. */
  readonly rgb16?: Uint16Array
}

/** Depth of pixels without anything, as Blender writes it: many programs cannot read infinity. */
const FAR = 1e10

/** What EXR files say of denoised frames. */
const DENOISER_NAMES = { on: 'sortfirst', oidn: 'oidnDenoise, of one machine' } as const

/** Channels of which 16-bit floats say enough. */
const COARSE_AOVS: readonly AovName[] = ['albedo', 'normal', 'mappedNormal']

export function encodeFrame({
  size,
  region,
  look,
  planes,
  outputs,
  aovs,
  exrType,
  comments,
  denoise,
}: EncodeOrder): EncodedFrame {
  const { light, noisy, alpha } = planes
  const words = {
    ...(denoise && denoise !== 'off' ? { denoiser: DENOISER_NAMES[denoise] } : {}),
    ...(comments === undefined ? {} : { comments }),
  }
  const files: [string, Uint8Array][] = []
  if (outputs.includes('exr'))
    files.push([
      OUTPUT_ENDINGS.exr,
      exrFile(size, light!, exrType, { alpha, words, region, layers: noisy ? { noisy } : {} }),
    ])
  for (const name of aovs) {
    const type = COARSE_AOVS.includes(name) ? exrType : 'float'
    files.push([aovEnding(name), exrFile(size, valuesOf(name, planes), type, { region })])
  }
  return { files, ...(outputs.includes('png16') ? { rgb16: sixteenBits(light!, alpha, look) } : {}) }
}

function valuesOf(name: AovName, planes: FramePlanes): ArrayLike<number> {
  const plane = planes[name]!
  return name === 'depth' ? (plane as Float32Array).map(depth => Math.min(depth, FAR)) : plane
}

/** Finished colour of 16 bits. With alpha, the colour of what is there. */
function sixteenBits(light: Float32Array, alpha: Float32Array | undefined, look: Look): Uint16Array {
  const toneMap = new ToneMap(look)
  const count = light.length / 3
  const channels = alpha ? 4 : 3
  const out = new Uint16Array(count * channels)
  for (let i = 0; i < count; i++) {
    const covered = alpha?.[i] ?? 1
    const scale = covered === 0 ? 0 : 1 / covered
    const shown = toneMap.shown(light[i * 3]! * scale, light[i * 3 + 1]! * scale, light[i * 3 + 2]! * scale)
    for (let k = 0; k < 3; k++) out[i * channels + k] = sixteen(srgbFromLinear(shown[k]!))
    if (alpha) out[i * channels + 3] = sixteen(covered)
  }
  return out
}

const sixteen = (share: number): number => Math.round(share * 65535)
