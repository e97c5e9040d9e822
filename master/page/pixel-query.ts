/** What is at one pixel of a view: a frame of that pixel alone, of the channels that tell it. It costs nothing but when somebody asks. */
import type { Size } from '../../shared/frame/rect.ts'
import type { Camera } from '../../shared/frame/view.ts'
import type { PagePicked } from '../../shared/page/page-messages.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import type { SceneNames } from '../../shared/scene/scene-names.ts'
import { film, type SessionRunner } from '../../shared/session/session.ts'

export interface AskedPixel {
  readonly order: SessionOrder
  readonly scene: NamedScene
  readonly camera: Camera
  /** Of the frame that the pixel is of, px. */
  readonly of: Size
  readonly x: number
  readonly y: number
  readonly names: SceneNames | undefined
}

/** Undefined: nothing is there. Rejects as the session does. */
export async function pixelSeen(
  run: SessionRunner['run'],
  asked: AskedPixel,
  signal: AbortSignal,
): Promise<PagePicked['seen']> {
  const { order, scene, camera, of, x, y, names } = asked
  const { noise: _, timeMs: __, denoise: ___, tileCommand: ____, ...plain } = order
  let seen: PagePicked['seen']
  await run(
    {
      ...plain,
      kind: 'film',
      scene: scene.hash,
      size: [1, 1],
      // Of the ray through its centre, whatever light is there.
      quality: { samples: 1, ambientRays: 0, maxDepth: 0 },
      channels: ['position', 'id', 'objectId', 'materialId'],
      ...{ passes: 1, progressive: false, frameCount: 1, minWorkers: 1 },
    },
    scene,
    film([{ frame: 0, camera: { ...camera, region: { x, y, w: 1, h: 1, of } } }]),
    {
      started: () => {},
      status: () => {},
      frame: (_, __, { position, id, objectId, materialId }) => {
        if (!position || !id?.[0]) return
        const point = [position[0]!, position[1]!, position[2]!] as const
        const [ox, oy, oz] = camera.origin
        seen = {
          object: nameOf(names?.objects, objectId![0]!),
          material: nameOf(names?.materials, materialId![0]!),
          triangle: id[0] - 1,
          point,
          distance: Math.hypot(point[0] - ox, point[1] - oy, point[2] - oz),
        }
      },
    },
    signal,
  )
  return seen
}

/** @param id a number plus 1 */
const nameOf = (names: readonly string[] | undefined, id: number): string => names?.[id - 1] || `${id}`
