/** Finishes a complete frame, or rows of one: from sums over samples to the planes that are delivered, and to colour. */

import { assertNever } from '../../shared/errors.ts'
import { CHANNELS, type ChannelName, inOrder, type PlaneOf } from '../../shared/frame/channels.ts'
import { rankTables } from '../../shared/frame/coverage-table.ts'
import { type PlaneName, planeNames, tileChannels } from '../../shared/frame/frame-planes.ts'
import { weightedFor } from '../../shared/frame/sample-layout.ts'
import type { ToneMap } from '../../shared/light/tone-map.ts'
import { isDoubling, type SessionOrder } from '../../shared/protocol/session-order.ts'
import type { FrameBuffer } from './frame-buffer.ts'
import { type CountsData, SampleCounts } from './sample-counts.ts'

/** What a session's frames consist of. */
export type FrameContent = Pick<
  SessionOrder,
  'channels' | 'transparent' | 'passes' | 'noise' | 'timeMs' | 'quality' | 'denoise' | 'sums'
>

const DENOISING = ['halfLight', 'features', 'halfFeatures'] as const

/** The channels that tiles have to carry. Colour that only one pass makes is finished where it is made. */
export function channelsFor({
  channels = [],
  transparent,
  passes,
  quality,
  denoise,
  sums: isKept,
  ...limits
}: FrameContent): ChannelName[] {
  const isOfPasses = isDoubling(limits) || Math.min(passes, quality.samples) > 1
  const sums = isKept || transparent || denoise || channels.includes('light') || isOfPasses
  return inOrder([
    sums ? 'light' : 'rgb',
    ...(denoise ? DENOISING : []),
    ...tileChannels(channels),
    ...(transparent ? (['alpha'] as const) : []),
  ])
}

/** The planes that a session delivers, in the order of their table. */
export const planesOf = ({ channels = [] }: FrameContent): PlaneName[] =>
  planeNames.filter(name => channels.includes(name))

/** What the colour of pixels is made of. Plain data. */
export type ColorSource =
  | { readonly rgb: Uint8Array }
  /** Means; of a transparent frame with how many samples hit something. */
  | { readonly means: Float32Array; readonly counts: CountsData; readonly hits?: Uint16Array }
  | { readonly light: Float64Array; readonly counts: CountsData }
  /** Of a transparent frame: how many samples hit something. Weights in sums are for `samples`. */
  | { readonly light: Float64Array; readonly hits: Uint16Array; readonly samples: number }

/** The colour of some rows of a frame, from the first pixel on. @param from, to a multiple of a cell's side, or the height @param denoised light of the frame, if it is */
export function colorSource(
  buffer: FrameBuffer,
  counts: SampleCounts,
  { transparent, quality }: FrameContent,
  [from, to]: readonly [number, number],
  denoised?: Float32Array,
): ColorSource {
  const [w] = buffer.size
  const rows = <C extends ChannelName>(name: C): PlaneOf<C> => {
    const { components } = CHANNELS[name]
    return buffer.plane(name).subarray(from * w * components, to * w * components) as PlaneOf<C>
  }
  if (denoised) {
    const means = denoised.subarray(from * w * CHANNELS.light.components, to * w * CHANNELS.light.components)
    return { means, counts: counts.rows(from, to), ...(transparent ? { hits: rows('alpha') } : {}) }
  }
  if (buffer.has('rgb')) return { rgb: rows('rgb') }
  if (transparent) return { light: rows('light'), hits: rows('alpha'), samples: weightedFor(quality) }
  return { light: rows('light'), counts: counts.rows(from, to) }
}

/** RGB8. Of a transparent frame it is the colour of what is there, without the pixel's transparent part. */
export function colorOf(source: ColorSource, toneMap: ToneMap): Uint8Array<ArrayBuffer> {
  if ('rgb' in source) return source.rgb.slice()
  const shown = shownOf(source)
  const rgb = new Uint8Array(shown.length)
  toneMap.finish(shown, rgb)
  return rgb
}

function shownOf(source: Exclude<ColorSource, { readonly rgb: Uint8Array }>): Float64Array {
  if ('means' in source) {
    const { means, counts, hits } = source
    const shares = hits && SampleCounts.of(counts).shares(hits)
    // Where a denoiser has put light beside what is there, it is left out, as noise would be.
    return Float64Array.from(means, (light, i) => {
      const share = shares?.[Math.floor(i / CHANNELS.light.components)] ?? 1
      return share === 0 ? 0 : light / share
    })
  }
  if ('hits' in source) return straight(source.light, source.hits, source.samples)
  return SampleCounts.of(source.counts).means(source.light, CHANNELS.light.components)
}

/** Light of what is there alone, however many samples hit nothing. `samples` are those that weights are for. */
const straight = (light: Float64Array, hits: Uint16Array, samples: number): Float64Array =>
  light.map((sum, i) => {
    const covered = hits[Math.floor(i / 3)]!
    return covered === 0 ? 0 : (sum * samples) / covered
  })

/** What a delivered plane is made of. Plain data. */
export interface PlaneSource {
  readonly name: PlaneName
  /** What light has been multiplied with (`sum-scale.ts`). */
  readonly scale: number
  /** Absent: of `samples`. */
  readonly plane?: PlaneOf<ChannelName>
  /** Denoised light is what it is; of a transparent frame where samples hit something. */
  readonly isFinished?: true
  readonly hits?: Uint16Array
  readonly counts: CountsData
}

/** Some rows of a plane. */
export function planeSource(
  name: PlaneName,
  buffer: FrameBuffer,
  counts: SampleCounts,
  { transparent }: Pick<FrameContent, 'transparent'>,
  [from, to]: readonly [number, number],
  scale: number,
  denoised?: Float32Array,
): PlaneSource {
  const data = counts.rows(from, to)
  if (name === 'samples') return { name, scale, counts: data }
  const [w] = buffer.size
  const channel = name === 'noisy' ? 'light' : name
  const { components } = CHANNELS[channel]
  const part = [from * w * components, to * w * components] as const
  if (name === 'light' && denoised) {
    const plane = denoised.subarray(...part) as PlaneOf<ChannelName>
    const hits = transparent ? { hits: buffer.plane('alpha').subarray(from * w, to * w) } : {}
    return { name, scale, plane, counts: data, isFinished: true, ...hits }
  }
  const plane = buffer.plane(channel).subarray(...part)
  return { name, scale, plane: plane as PlaneOf<ChannelName>, counts: data }
}

/** Light without its scale; where no sample has hit anything there is none. */
const covered = (light: Float32Array, hits: Uint16Array | undefined, scale: number): Float32Array<ArrayBuffer> =>
  new Float32Array(
    light.map((value, i) => (hits?.[Math.floor(i / CHANNELS.light.components)] === 0 ? 0 : value / scale)),
  )

/** The values as they are delivered; their memory is the caller's own. */
export function finishPlane({
  name,
  scale,
  plane,
  counts: data,
  isFinished,
  hits,
}: PlaneSource): Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> {
  const counts = SampleCounts.of(data)
  switch (name) {
    case 'light':
    case 'noisy':
      if (isFinished) return covered(plane as Float32Array, hits, scale)
      return Float32Array.from(counts.means(plane as Float64Array, CHANNELS.light.components), sum => sum / scale)
    case 'albedo':
      return new Float32Array(counts.means(plane as Float64Array, CHANNELS.light.components))
    case 'alpha':
      return counts.shares(plane as Uint16Array)
    case 'samples':
      return counts.plane()
    case 'normal':
    case 'mappedNormal':
    case 'position':
    case 'depth':
      return (plane as Float32Array).slice()
    case 'cryptoObject':
    case 'cryptoMaterial':
      return rankTables(plane as Uint32Array, visit => counts.forEachRun(visit))
    case 'id':
    case 'objectId':
    case 'materialId':
      return (plane as Uint32Array).slice()
    default:
      return assertNever(name)
  }
}
