/** A device that traces whole paths, where tracers are plugged in. */
import type { Tracer } from '../../scripts/bench/pictures/model/tracer.ts'
import type { PixelSet } from '../../shared/frame/pixel-set.ts'
import { frameRect } from '../../shared/frame/rect.ts'
import { toMeans } from '../../shared/frame/sample-layout.ts'
import { allSamples, type SampleRange, type View } from '../../shared/frame/view.ts'
import type { ProcessDevice } from '../../worker/node/process-pool.ts'
import { TileProgress } from '../../worker/tile-progress.ts'

/** A scene as it is packed. */
export interface Packed {
  readonly packed: Uint8Array
}

export interface DeviceTracer extends Tracer<Packed> {
  /** Sums of light of some pixels, three a pixel. @param samples @default all */
  sums(scene: Packed, view: View, tile?: PixelSet, samples?: SampleRange): Promise<Float64Array>
}

export function deviceTracer({ pool }: ProcessDevice): DeviceTracer {
  const loaded = new Map<Packed, Promise<string>>()
  const nameOf = (scene: Packed): Promise<string> => {
    const known = loaded.get(scene)
    if (known) return known
    const name = `scene ${loaded.size}`
    const bytes = new Uint8Array(new SharedArrayBuffer(scene.packed.length))
    bytes.set(scene.packed)
    const loading = pool.loadScene(name, bytes).then(() => name)
    loaded.set(scene, loading)
    return loading
  }
  const sums: DeviceTracer['sums'] = async (
    scene,
    view,
    tile = { rect: frameRect(view.size) },
    samples = allSamples(view),
  ) => {
    const order = { scene: await nameOf(scene), view, tile, samples, channels: ['light'] } as const
    const traced = await pool.trace(order, TileProgress.of(tile.rect.h, 1))
    return new Float64Array(traced!.pixels.slice().buffer)
  }
  return {
    name: 'device',
    sums,
    trace: async (scene, view) => {
      const light = await sums(scene, view)
      toMeans(view.quality, light)
      return light
    },
  }
}
