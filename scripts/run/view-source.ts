/** What a page may ask of the program that shows a scene: the scene at another time or under another sun, and files of its pictures. */
import type { ComingFile, PictureOrder, ViewSource } from '../../master/page/view-source.ts'
import type { SceneLook } from '../../scenes/look/scene-look.ts'
import { invariant } from '../../shared/errors.ts'
import type { FramePlanes } from '../../shared/frame/frame-planes.ts'
import type { PictureFormat } from '../../shared/page/from-page.ts'
import type { AskedScene } from '../../shared/page/hand.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import { film, type SessionRunner } from '../../shared/session/session.ts'
import { FrameEncoder } from '../film/frame-encoder.ts'
import { loadScene, type ReadyScene } from '../library/ready-scene.ts'
import { channelsOf } from '../options/groups/output.ts'
import type { RunOptions } from '../options/run.ts'
import { lightSaid } from '../report/figures/light-said.ts'

export interface Viewed {
  /** As it was loaded, by this name. */
  readonly scene: ReadyScene
  readonly name: string
  readonly options: RunOptions
  /** Of a viewer. */
  readonly order: SessionOrder
  readonly run: SessionRunner['run']
  /** Takes scene files of pages. */
  receive(name: string): Promise<ComingFile>
}

/** Where the sun of daylight is, if nothing else is said: as `--sun default`. */
const DAYLIGHT = [-54, 39.6] as const

/** Its `close` ends the thread of a scene that was loaded anew. */
export function viewSource(viewed: Viewed): ViewSource & { close(): Promise<void> } {
  const { scene, options } = viewed
  const scenes = new LookedScenes(viewed)
  const { sun, environment, environmentRotation = 0, environmentIntensity = 1 } = options.look
  const frames = scene.motion?.seconds === undefined ? undefined : Math.round(scene.motion.seconds * options.fps)
  return {
    names: scene.names,
    light: {
      sun: sun === 'none' ? 'none' : typeof sun === 'object' ? sun : DAYLIGHT,
      ...(environment === undefined
        ? {}
        : { environment: { rotation: environmentRotation, intensity: environmentIntensity } }),
      ...(scene.motion
        ? { film: { fps: options.fps, ...(frames === undefined ? {} : { frames: Math.max(1, frames) }) } }
        : {}),
    },
    scene: asked => scenes.at(asked),
    receive: file => viewed.receive(file),
    file: (format, order, signal) => fileOf(viewed, format, order, signal),
    close: () => scenes.close(),
  }
}

/** The scene with another look: one at a time, and the newest is kept. */
class LookedScenes {
  readonly #viewed: Viewed
  #newest: { readonly key: string; readonly scene: ReadyScene } | undefined
  /** Chains what is asked. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(viewed: Viewed) {
    this.#viewed = viewed
  }

  at(asked: AskedScene): Promise<NamedScene> {
    const made = this.#turn.then(() => this.#make(asked))
    this.#turn = made.catch(() => {})
    return made
  }

  async close(): Promise<void> {
    await this.#turn
    await this.#newest?.scene.close?.()
  }

  async #make({ frame = 0, ...look }: AskedScene): Promise<NamedScene> {
    const scene = await this.#looking(look)
    if (!scene.at) return scene.held
    return (await scene.at(frame / this.#viewed.options.fps, frame)).held
  }

  async #looking(look: SceneLook): Promise<ReadyScene> {
    const { scene, name, options } = this.#viewed
    const key = JSON.stringify(look)
    if (key === '{}') return scene
    if (this.#newest?.key === key) return this.#newest.scene
    // Not in the cache: a sun that is dragged would fill it.
    const loaded = await loadScene(name, { ...options.look, ...look, cache: false })
    const before = this.#newest
    this.#newest = { key, scene: loaded }
    await before?.scene.close?.()
    return loaded
  }
}

async function fileOf(
  { order, options, run }: Viewed,
  format: PictureFormat,
  { frame, scene, camera, size, look, pixels, tracedBy }: PictureOrder,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const outputs = [format]
  const wanted = { ...options, outputs, aovs: [] }
  const encoder = new FrameEncoder({ ...wanted, look, comments: lightSaid(options.quality) })
  try {
    const channels = channelsOf(wanted)
    let planes: FramePlanes = {}
    // Only light is not in the picture.
    if (channels.length > 0)
      await run(
        {
          ...order,
          kind: 'film',
          scene: scene.hash,
          size,
          exposure: look.exposure,
          ...(look.toneMapping ? { toneMapping: look.toneMapping } : {}),
          channels,
          frameCount: 1,
        },
        scene,
        film([{ frame, camera }]),
        {
          started() {},
          status() {},
          frame(_, __, made) {
            planes = made
          },
        },
        signal,
      )
    const [file] = await encoder.files(size, pixels, planes, tracedBy)
    invariant(file, 'one output is one file')
    return file[1]
  } finally {
    await encoder.close()
  }
}
