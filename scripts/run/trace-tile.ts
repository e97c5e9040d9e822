/** Traces one tile of a frame alone, as a worker would, and finishes its pixels as a master would. */
import { DirectAssembly } from '../../master/assembly/direct-assembly.ts'
import { channelsFor } from '../../master/assembly/finish-frame.ts'
import { passesOf } from '../../master/frames/passes.ts'
import { invariant } from '../../shared/errors.ts'
import type { FramePlanes } from '../../shared/frame/frame-planes.ts'
import type { Rect } from '../../shared/frame/rect.ts'
import type { View } from '../../shared/frame/view.ts'
import { lookOf } from '../../shared/light/tone-map.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import type { TilePool } from '../../worker/tile-pool.ts'
import { TileProgress } from '../../worker/tile-progress.ts'

/** What the tile shows at a time at which the shutter is open; without a shutter there is one. */
export interface TileMoment {
  readonly scene: NamedScene
  readonly view: View
}

/** Rejects as the pool does. */
export async function traceTile(
  pool: TilePool,
  moments: readonly [TileMoment, ...TileMoment[]],
  rect: Rect,
): Promise<{ pixels: Uint8Array; planes: FramePlanes }> {
  const { quality, transparent } = moments[0].view
  const content = {
    quality,
    passes: moments.length,
    ...(transparent ? { transparent, channels: ['alpha'] as const } : {}),
  }
  const channels = channelsFor(content)
  const look = lookOf(moments[0].view)
  const assembly = new DirectAssembly({ size: [rect.w, rect.h], channels, content, look })
  for (const [i, { samples }] of passesOf(quality.samples, moments.length, false).entries()) {
    const { scene, view } = moments[i]!
    await pool.loadScene(scene.hash, shared((await scene.content()).bytes))
    const order = { scene: scene.hash, view, tile: { rect }, samples, channels }
    const traced = await pool.trace(order, TileProgress.of(rect.h))
    invariant(traced?.rows === rect.h, 'a tile that nobody cancels is traced')
    assembly.put({ rect: { ...rect, x: 0, y: 0 } }, traced.pixels)
    assembly.passDone(samples, i + 1 < moments.length ? 'all' : false)
    await pool.unloadScene(scene.hash)
  }
  return { pixels: await assembly.color(), planes: await assembly.planes() }
}

function shared(bytes: Uint8Array): Uint8Array<SharedArrayBuffer> {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}
