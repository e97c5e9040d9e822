// Generated from the groups of scripts/options/groups by `npm run docs`.
import type { PlaneName } from '../../shared/frame/frame-planes.ts'
import type { FrameProgress } from '../../shared/frame/frame-progress.ts'
import type { Rect, Size } from '../../shared/frame/rect.ts'
import type { FramePreview } from '../../shared/session/session.ts'
import type { StrategyOptions } from '../../shared/session/strategy-options.ts'
import type { Log } from '../../shared/text/log.ts'
import type { Stops } from '../options/groups/exposure.ts'
import type { CameraChoice } from './cameras.ts'
import type { Cluster } from './cluster.ts'
import type { OwnStrategy } from './plug-ins.ts'

/** What `render` is told. */
export interface RenderOptions {
  /**
   * No background: pictures have alpha. Colours are those of the objects, and `alpha` is how much of a pixel they
   * cover.
   * @default false
   */
  readonly transparent?: boolean
  /**
   * Frames per second, 1 to 1000, such as 23.976. Also for what moves: frame n is at n divided by it, in seconds.
   * @default 24
   */
  readonly fps?: number
  /**
   * Render only this part of each frame, in px from the top left corner. See
   * [regions](scripts/options/README.md#regions).
   */
  readonly region?: Rect
  /** Frame size in px. @default [1280, 720] */
  readonly size?: Size
  /**
   * Motion blur: the share of a frame’s time for which its shutter is open, beginning at the frame’s own time, 0 to
   * 1, such as 0.5. What is visible through the pixels’ centres (`normal`, `mappedNormal`, `position`, `depth`, `id`)
   * is that of the first moment. Not with `noise` or `record`.
   * @default 0
   */
  readonly shutter?: number
  /** With `shutter`: moments that the samples are divided among, 2 to 64, at most as many as samples. @default 8 */
  readonly timeSteps?: number
  /**
   * Passes that the samples are divided into; the frames are the same. 1 to 1024. Not with `noise` or `shutter`.
   * @default 1
   */
  readonly passes?: number
  /**
   * `path`: the most time of each frame, seconds: it ends when all `samples` are traced, `noise` is met, or its time
   * is up. Each pixel gets at least one sample; the bytes of frames depend on how fast the machines are; denoising
   * and writing come after it. Not with `passes` or `shutter` or `record`.
   */
  readonly time?: number
  /** Frames in progress at once, 1 to 4; with 1 each frame’s own time is the shortest. @default 2 */
  readonly inFlight?: number
  /**
   * `ambient` is fast: sun, sky with ambient occlusion, mirrors and glass; path: all light, physically based.
   * @default ambient, or path if `bounces`, `noise`, `time` or `denoise` is given
   */
  readonly integrator?: 'ambient' | 'path'
  /**
   * `path`: samples where they are needed, until the standard error is this share of the light, such as 0.02; with at
   * most `samples`. 0 to 1. See [noise](scripts/options/README.md#noise).
   * @default every pixel gets all samples
   */
  readonly noise?: number
  /**
   * `path`: on removes noise from each complete frame; off. Channel `noisy` is the light before that; unfinished
   * frames are noisy.
   * @default off
   */
  readonly denoise?: 'off' | 'on'
  /**
   * Camera rays per pixel, 1 to 1024, with path up to 16384. With `noise` a cap, the most that a pixel gets, from 32
   * on.
   * @default 2; with path 64, with `noise` 1024, with `time` 16384
   */
  readonly samples?: number
  /** `ambient`: rays to the sky per camera ray, 0 to 64. @default 2 */
  readonly ambientRays?: number
  /** `ambient`: longest chain of mirror and glass hits, 0 to 16. @default 6 */
  readonly maxDepth?: number
  /**
   * `path`: how often light is scattered on its way to the surface that is seen, 0 to 1024; 0 is direct light only.
   * @default 8
   */
  readonly bounces?: number
  /** `path`: pixel filter, box (one pixel wide) or gaussian (σ 0.5 px). @default box */
  readonly filter?: 'box' | 'gaussian'
  /**
   * `path`: rough metal and glass lose the light that their microfacets scatter more than once. Metal 1 % at
   * roughness 0.25, 12 % at 0.5, 59 % at 1; a ball of glass 19 % at 0.5, 58 % at 1.
   */
  readonly singleScattering?: boolean
  /**
   * `path`: the most that light scattered twice or more often adds to a sample; removes fireflies, and some light.
   * 0.000001 to 1000000. In units of radiance, before exposure; about 10 times what is bright in the picture.
   * @default no limit
   */
  readonly clamp?: number
  /**
   * `path`: off leaves out light that reaches rough surfaces by way of smooth and glossy ones, and all light but the
   * sky’s behind solid glass.
   * @default on
   */
  readonly caustics?: 'on' | 'off'
  /**
   * `path`: where samples go is chosen once for the whole film, so that noise stands still, or for each frame anew.
   * @default film with `denoise`, otherwise frame
   */
  readonly pattern?: 'film' | 'frame'
  /** One of the scene’s own cameras. Not with `camera`. @default its first, if it has any */
  readonly cameraName?: string
  /**
   * How light is shown on a display: aces, agx, standard, none; none ignores `exposure` and `whiteBalance`. Aces and
   * agx are curves that roll off highlights; standard clamps them, as Blender’s does. Not with `toneMapping`.
   * @default aces
   */
  readonly view?: 'aces' | 'agx' | 'standard' | 'none'
  /**
   * The same, with the names of three.js: none, linear, reinhard, cineon, aces, agx, neutral.
   * @default that of `view`
   */
  readonly toneMapping?: 'none' | 'linear' | 'reinhard' | 'cineon' | 'aces' | 'agx' | 'neutral'
  /**
   * Linear scale before tone mapping, or stops from the scene’s, such as +2stops or -0.5stops. 0.000001 to 1000000.
   * @default the scene’s
   */
  readonly exposure?: number | Stops
  /**
   * Colour temperature of the light that is shown as white, 1000 to 40000 K, such as 3200 for lamps; 5500,10 is
   * daylight with a tint. The tint of that light is a second number, from -100, more magenta, to 100, greener.
   * @default that of sRGB, 6504
   */
  readonly whiteBalance?: number | readonly [temperature: number, tint: number]
  /**
   * How long to wait for workers. 0 to 86400. A driver that is new to the machine may compile for minutes; workers
   * started here are waited for as long as they live.
   * @default 60; with --engine webgpu 300
   */
  readonly wait?: number
  /**
   * Share of each frame’s rows that a second worker traces again, 0 to 1, such as 0.05; workers that return wrong
   * pixels are expelled. Takes at least two workers, better three.
   * @default 0
   */
  readonly verify?: number
  /** Clock that measures costs: cpu or wall. @default cpu */
  readonly clock?: 'cpu' | 'wall'
  /** Engine to trace with; see 'sortfirst engines'. @default wasm */
  readonly engine?: string
  /**
   * With --engine webgpu: CPUs trace beside graphics cards; whose bytes a pixel has depends on who was faster, as
   * every output says. A tile alone is of the card.
   * @default false
   */
  readonly mixEngines?: boolean
  /**
   * Random seed of path, whose pictures with two seeds are independent, and of strategies that draw at random. 0 to
   * 4294967295.
   * @default 1
   */
  readonly seed?: number
  /** Number of frames, from frame 0, or the frame numbers to render, in order. @default 1 */
  readonly frames?: number | Iterable<number>
  /**
   * What frames are seen from: the name of a path, a `PerspectiveCamera`, `{ eye, target, up, fov }`, or a function
   * of the frame number. Only `eye` is required, and `fov` is vertical, in degrees.
   * @default the scene’s own camera, or else its path
   */
  readonly camera?: CameraChoice
  /**
   * Channels wanted beside finished colour: light, albedo, normal, mappedNormal, position, depth, id, objectId,
   * materialId, cryptoObject, cryptoMaterial, alpha, noisy, samples.
   * @default none
   */
  readonly channels?: readonly PlaneName[]
  /**
   * How frames are divided: the name of a strategy, or, in a cluster of this process, an object of your own.
   * @default predictive
   */
  readonly strategy?: string | OwnStrategy
  /** What strategies are told. @default none */
  readonly strategyOptions?: Partial<StrategyOptions>
  /** Cluster to render on; it stays open. @default a temporary one, of one worker with all cores */
  readonly cluster?: Cluster
  /** Whether reports include the cost of every part of their frame, and all spans. @default false */
  readonly record?: boolean
  /** Whether reports include all spans. @default false */
  readonly spans?: boolean
  /** Called with each frame after each of its passes but the last; frames wait for a promise that it returns. */
  readonly onPreview?: (preview: FramePreview) => void | Promise<void>
  /** Told twice a second how far a frame has come that takes long. */
  readonly onProgress?: (progress: FrameProgress) => void
  /**
   * The command line that traces a tile of these frames alone, but for `--frame` and `--rect`, for errors.
   * @default none
   */
  readonly tileCommand?: string
  /** Told what happens. @default silent */
  readonly log?: Log
  /** Cancels the rendering immediately; the iteration throws its reason. */
  readonly signal?: AbortSignal
}
