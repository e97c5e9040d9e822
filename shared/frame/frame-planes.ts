/**
 * What is delivered of a complete frame besides its finished colour: its channels, finished. Sums become means of 32-bit floats, as
 * exact as an EXR file is, and coverage becomes a share.
 */
import { CHANNELS, type ChannelName, channelNames, hasTables } from './channels.ts'
import { RANKS } from './coverage-table.ts'

/** What a session may deliver beside `rgb`: channels of tiles, and what only the master knows. */
export type PlaneName = Exclude<ChannelName, 'rgb' | DenoisersOwn> | MastersOwn
/** What only a denoiser reads. */
type DenoisersOwn = 'halfLight' | 'features' | 'halfFeatures'
/** What only the master knows. */
const MASTERS_OWN = ['noisy', 'samples'] as const
type MastersOwn = (typeof MASTERS_OWN)[number]
const NEVER: readonly ChannelName[] = ['rgb', 'halfLight', 'features', 'halfFeatures'] satisfies (
  | 'rgb'
  | DenoisersOwn
)[]
export const planeNames = [
  ...channelNames.filter(name => !NEVER.includes(name)),
  ...MASTERS_OWN,
] as unknown as readonly [PlaneName, ...PlaneName[]]

const isMasters = (name: PlaneName): name is MastersOwn => (MASTERS_OWN as readonly PlaneName[]).includes(name)

/** Those of them that tiles carry. */
export const tileChannels = (names: readonly PlaneName[]): ChannelName[] => names.filter(name => !isMasters(name))

/** The planes that were asked for, each row-major from the top, with the components of its channel. */
export interface FramePlanes {
  /** Linear radiance, denoised if the frame is, before white balance, exposure and tone mapping; of a transparent frame times alpha. */
  readonly light?: Float32Array
  /** Of a denoised frame the light before that. */
  readonly noisy?: Float32Array
  readonly albedo?: Float32Array
  readonly normal?: Float32Array
  readonly mappedNormal?: Float32Array
  readonly position?: Float32Array
  readonly depth?: Float32Array
  readonly id?: Uint32Array
  readonly objectId?: Uint32Array
  readonly materialId?: Uint32Array
  /** RANKS pairs: an id as in `objectId`, and the share of the pixel's samples that see it first (`coverage-table.ts`). */
  readonly cryptoObject?: Float32Array
  /** The same of materials. */
  readonly cryptoMaterial?: Float32Array
  /** Share of a pixel that the scene covers, 0 to 1. */
  readonly alpha?: Float32Array
  /** How many samples a pixel has. */
  readonly samples?: Float32Array
}

const BYTES_PER_VALUE = 4
const MASTERS_COMPONENTS = { noisy: 3, samples: 1 } as const satisfies Record<MastersOwn, number>

/** Values of a pixel of a finished plane. */
export const finishedComponents = (name: PlaneName): number =>
  isMasters(name) ? MASTERS_COMPONENTS[name] : hasTables(name) ? RANKS * 2 : CHANNELS[name].components

/** Bytes of a pixel of a finished plane. */
export const finishedBytes = (name: PlaneName): number => finishedComponents(name) * BYTES_PER_VALUE

/** Whether its values are whole numbers: ids. */
const isWhole = (name: PlaneName): boolean =>
  !isMasters(name) && CHANNELS[name].type === 'u32' && CHANNELS[name].of === 'centre'

/** Memory for `pixels` values of a finished plane, zeroed. */
export const newFinishedPlane = (
  name: PlaneName,
  pixels: number,
): Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> =>
  new (isWhole(name) ? Uint32Array : Float32Array)(pixels * finishedComponents(name))

/** The bytes of a finished plane as its values. */
export const finishedPlane = (
  name: PlaneName,
  { buffer, byteOffset, length }: Uint8Array,
): Float32Array | Uint32Array =>
  new (isWhole(name) ? Uint32Array : Float32Array)(buffer as ArrayBuffer, byteOffset, length / BYTES_PER_VALUE)
