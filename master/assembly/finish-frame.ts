/** Finishes a complete frame: from sums over samples to the planes that are delivered, and to colour. */

import { CHANNELS, type ChannelName, inOrder } from '../../shared/channels.ts'
import { assertNever } from '../../shared/errors.ts'
import { type FramePlanes, type PlaneName, planeNames, tileChannels } from '../../shared/frame-planes.ts'
import type { ToneMap } from '../../shared/light/tone-map.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { FrameBuffer } from './frame-buffer.ts'
import type { SampleCounts } from './sample-counts.ts'

/** What a session's frames consist of. */
export type FrameContent = Pick<SessionOrder, 'channels' | 'transparent' | 'passes' | 'noise' | 'quality'>

/** The channels that tiles have to carry. Colour that only one pass makes is finished where it is made. */
export function channelsFor({ channels = [], transparent, passes, noise, quality }: FrameContent): ChannelName[] {
  const sums = transparent || channels.includes('light') || noise !== undefined || Math.min(passes, quality.samples) > 1
  return inOrder([sums ? 'light' : 'rgb', ...tileChannels(channels), ...(transparent ? (['alpha'] as const) : [])])
}

/** Pixels that are tone mapped at a time: some ten milliseconds of work. */
const STEP_PIXELS = 32768

/**
 * Makes the frame's RGB8, and yields now and then, because some tone mappings take a while. Of a transparent frame it is the colour of
 * what is there, without the pixel's transparent part.
 */
export function* colorSteps(
  buffer: FrameBuffer,
  { transparent, quality }: FrameContent,
  toneMap: ToneMap,
  samples: SampleCounts,
): Generator<void, Uint8Array> {
  if (buffer.channels.includes('rgb')) return buffer.plane('rgb')
  const light = buffer.plane('light')
  const hits = transparent ? buffer.plane('alpha') : undefined
  const rgb = new Uint8Array(light.length)
  for (let from = 0; from < light.length; from += STEP_PIXELS * 3) {
    const part = light.subarray(from, from + STEP_PIXELS * 3)
    const shown = hits ? straight(part, hits.subarray(from / 3), quality.samples) : samples.means(part, 3, from / 3)
    toneMap.finish(shown, rgb.subarray(from, from + part.length))
    yield
  }
  return rgb
}

/** Light of what is there alone, however many samples hit nothing. `samples` are those that weights are for. */
const straight = (light: Float64Array, hits: Uint16Array, samples: number): Float64Array =>
  light.map((sum, i) => {
    const covered = hits[Math.floor(i / 3)]!
    return covered === 0 ? 0 : (sum * samples) / covered
  })

/** The planes of a frame that were asked for. */
export function finishPlanes(buffer: FrameBuffer, { channels = [] }: FrameContent, samples: SampleCounts): FramePlanes {
  const planes = planeNames.filter(name => channels.includes(name)).map(name => [name, finish(name, buffer, samples)])
  return Object.fromEntries(planes)
}

function finish(name: PlaneName, buffer: FrameBuffer, samples: SampleCounts): Float32Array | Uint32Array {
  switch (name) {
    case 'light':
    case 'albedo':
      return new Float32Array(samples.means(buffer.plane(name), CHANNELS[name].components))
    case 'alpha':
      return samples.shares(buffer.plane(name))
    case 'samples':
      return samples.plane()
    case 'normal':
    case 'position':
    case 'depth':
    case 'id':
      return buffer.plane(name)
    default:
      return assertNever(name)
  }
}
