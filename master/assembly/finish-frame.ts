/** Finishes a complete frame: from sums over samples to the planes that are delivered, and to colour. */

import { type ChannelName, inOrder } from '../../shared/channels.ts'
import { assertNever } from '../../shared/errors.ts'
import { type FramePlanes, type PlaneName, planeNames } from '../../shared/frame-planes.ts'
import type { ToneMap } from '../../shared/light/tone-map.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { FrameBuffer } from './frame-buffer.ts'

/** What a session's frames consist of. */
export type FrameContent = Pick<SessionOrder, 'channels' | 'transparent' | 'passes' | 'quality'>

/** The channels that tiles have to carry. Colour that only one pass makes is finished where it is made. */
export function channelsFor({ channels = [], transparent, passes, quality }: FrameContent): ChannelName[] {
  const sums = transparent || channels.includes('light') || Math.min(passes, quality.samples) > 1
  return inOrder([sums ? 'light' : 'rgb', ...channels, ...(transparent ? (['alpha'] as const) : [])])
}

/** The frame as RGB8. Of a transparent one, the colour of what is there, without the pixel's transparent part. */
export function finishColor(buffer: FrameBuffer, { transparent, quality }: FrameContent, toneMap: ToneMap): Uint8Array {
  if (!transparent) return buffer.finish(toneMap)
  const light = buffer.plane('light')
  const hits = buffer.plane('alpha')
  const rgb = new Uint8Array(light.length)
  const straight = light.map((sum, i) => {
    const covered = hits[Math.floor(i / 3)]!
    return covered === 0 ? 0 : (sum * quality.samples) / covered
  })
  toneMap.finish(straight, rgb)
  return rgb
}

/** The planes of a frame that were asked for. */
export function finishPlanes(buffer: FrameBuffer, { channels = [], quality }: FrameContent): FramePlanes {
  const planes = planeNames.filter(name => channels.includes(name)).map(name => [name, finish(name, buffer, quality)])
  return Object.fromEntries(planes)
}

function finish(
  name: PlaneName,
  buffer: FrameBuffer,
  { samples }: FrameContent['quality'],
): Float32Array | Uint32Array {
  switch (name) {
    case 'light':
    case 'albedo':
      return Float32Array.from(buffer.plane(name))
    case 'alpha':
      return Float32Array.from(buffer.plane(name), hits => hits / samples)
    case 'normal':
    case 'position':
    case 'depth':
    case 'id':
      return buffer.plane(name)
    default:
      return assertNever(name)
  }
}
