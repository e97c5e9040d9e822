/** Sends the channels of a frame to a client, rows at a time: a message has room for a part of a large frame. */

import { type FramePlanes, finishedBytes, planeNames } from '../../shared/frame/frame-planes.ts'
import type { Size } from '../../shared/frame/rect.ts'
import type { Channel } from '../../shared/protocol/channel.ts'
import type { Encoding } from '../../shared/protocol/messages.ts'
import { encodeAside } from '../../shared/protocol/node/pixel-encoding.ts'
import { MAX_PLANES_BYTES } from '../../shared/protocol/version.ts'

export async function sendPlanes(
  channel: Channel,
  encoding: Encoding,
  { session, frame, size: [w, h] }: { readonly session: number; readonly frame: number; readonly size: Size },
  planes: FramePlanes,
): Promise<void> {
  for (const name of planeNames) {
    const plane = planes[name]
    if (!plane) continue
    const rowBytes = w * finishedBytes(name)
    const most = Math.max(1, Math.floor(MAX_PLANES_BYTES / rowBytes))
    for (let row = 0; row < h; row += most) {
      const rows = Math.min(most, h - row)
      const bytes = new Uint8Array(plane.buffer, plane.byteOffset + row * rowBytes, rows * rowBytes)
      const where = { kind: 'frame-plane', session, frame, channel: name, row, rows } as const
      await channel.sendBinary({ ...where, encoding, rawBytes: bytes.length, body: await encodeAside(encoding, bytes) })
    }
  }
}
