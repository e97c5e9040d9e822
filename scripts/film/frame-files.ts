/** The files of one frame that take much computing: what the encoding thread makes of its planes. Pure. */
import type { FramePlanes } from '../../shared/frame/frame-planes.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Region } from '../../shared/frame/region.ts'
import { type Look, ToneMap } from '../../shared/light/tone-map.ts'
import { srgbFromLinear } from '../../shared/math/srgb.ts'
import type { SceneNames } from '../../shared/scene/scene-names.ts'
import {
  type AovName,
  aovEnding,
  colorsEnding,
  isMatte,
  MATTES,
  type MatteName,
  NAMED_IDS,
  OUTPUT_ENDINGS,
} from '../files/frame-names.ts'
import type { Denoiser } from '../options/groups/light.ts'
import type { ExrType, OutputOptions } from '../options/groups/output.ts'
import { cryptomatte, type Matte } from './cryptomatte.ts'
import { type ExrLayer, type ExrParts, type ExrValueType, exrFile } from './exr-file.ts'
import { idColors } from './id-colors.ts'

/** What is to be made of a frame. */
export interface EncodeOrder extends Pick<OutputOptions, 'outputs' | 'aovs' | 'exrLayers' | 'exrType'> {
  readonly size: Size
  /** The part of a frame that it is; undefined: all of it. */
  readonly region?: Region | undefined
  readonly look: Look
  readonly planes: FramePlanes
  /** What the light's EXR file says. */
  readonly comments?: string | undefined
  /** What traced it, where its bytes depend on that; every file says so. */
  readonly tracedBy?: string | undefined
  /** Of the scene; for mattes. */
  readonly names?: SceneNames | undefined
  /** What removed the noise. */
  readonly denoise?: Denoiser | undefined
}

export interface EncodedFrame {
  /** EXR files, by what comes after the number in their names. */
  readonly files: readonly (readonly [ending: string, bytes: Uint8Array])[]
  /** RGB8 of pictures of ids, by the same. */
  readonly pictures: readonly (readonly [ending: string, rgb: Uint8Array])[]
  /** RGB or RGBA of 16 bits, if a 16-bit PNG is wanted; alpha is not multiplied in. */
  readonly rgb16?: Uint16Array
}

/** Depth of pixels without anything, as Blender writes it: many programs cannot read infinity. */
const FAR = 1e10

/** What EXR files say of denoised frames. */
const DENOISER_NAMES = { on: 'sortfirst', oidn: 'oidnDenoise, of one machine' } as const

/**
 * What channels are called in layers, as Blender's and Nuke's are, and their values there: `coarse` are those of which 16-bit floats say
 * enough.
 */
const LAYERS: Readonly<
  Record<Exclude<AovName, MatteName>, { readonly channels: string; readonly type: ExrValueType | 'coarse' }>
> = {
  albedo: { channels: 'RGB', type: 'coarse' },
  normal: { channels: 'XYZ', type: 'coarse' },
  mappedNormal: { channels: 'XYZ', type: 'coarse' },
  position: { channels: 'XYZ', type: 'float' },
  depth: { channels: 'Z', type: 'float' },
  id: { channels: 'X', type: 'uint' },
  objectId: { channels: 'X', type: 'uint' },
  materialId: { channels: 'X', type: 'uint' },
  samples: { channels: 'X', type: 'float' },
}

export function encodeFrame({
  size,
  region,
  look,
  planes,
  outputs,
  aovs,
  exrLayers,
  exrType,
  comments,
  names,
  denoise,
  tracedBy,
}: EncodeOrder): EncodedFrame {
  const { light, noisy, alpha } = planes
  const traced = tracedBy === undefined ? {} : { tracedBy }
  const words = {
    ...traced,
    ...(denoise && denoise !== 'off' ? { denoiser: DENOISER_NAMES[denoise] } : {}),
    ...(comments === undefined ? {} : { comments }),
  }
  const mattes = new Map(aovs.filter(isMatte).map(name => [name, matteOf(name, planes, names)]))
  const layersOf = (name: AovName): Readonly<Record<string, ExrLayer>> =>
    isMatte(name) ? mattes.get(name)!.layers : { [name]: layerOf(name, planes, exrType) }
  const files: [string, Uint8Array][] = []
  if (outputs.includes('exr')) {
    const beside = exrLayers ? aovs : []
    const layers: Record<string, ExrLayer> = Object.assign({}, ...beside.map(layersOf))
    if (noisy) layers.noisy = { values: noisy, channels: 'RGB', type: exrType }
    const said = Object.assign({ ...words }, ...beside.filter(isMatte).map(name => mattes.get(name)!.words))
    files.push([OUTPUT_ENDINGS.exr, exrFile(size, light!, exrType, { alpha, words: said, region, layers })])
  }
  for (const name of exrLayers ? [] : aovs) files.push([aovEnding(name), fileOf(name)])
  function fileOf(name: AovName): Uint8Array {
    if (isMatte(name)) return exrFile(size, undefined, 'float', ofMatte(name))
    const { values, type } = layerOf(name, planes, exrType)
    // As in earlier releases: more programs read floats.
    return exrFile(size, values, name === 'id' ? 'float' : type, { words: traced, region })
  }
  function ofMatte(name: MatteName): ExrParts {
    const { words, layers } = mattes.get(name)!
    return { layers, words: { ...words, ...traced }, region }
  }
  const pictures = NAMED_IDS.filter(name => aovs.includes(name)).map(
    name => [colorsEnding(name), idColors(planes[name]!)] as const,
  )
  return { files, pictures, ...(outputs.includes('png16') ? { rgb16: sixteenBits(light!, alpha, look) } : {}) }
}

/** @param names without them, everything is among others */
function matteOf(name: MatteName, planes: FramePlanes, names: SceneNames | undefined): Matte {
  const listed = name === 'cryptoObject' ? names?.objects : names?.materials
  return cryptomatte(MATTES[name], planes[name]!, listed ?? [])
}

function layerOf(name: Exclude<AovName, MatteName>, planes: FramePlanes, coarse: ExrType): ExrLayer {
  const { channels, type } = LAYERS[name]
  return { values: valuesOf(name, planes), channels, type: type === 'coarse' ? coarse : type }
}

function valuesOf(name: Exclude<AovName, MatteName>, planes: FramePlanes): ArrayLike<number> {
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
