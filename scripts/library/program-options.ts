/** What `render` takes from programs beside the options of groups, and how it names options in errors. */
import type { PlugIns } from '../../master/sessions/methods.ts'
import { UsageError } from '../../shared/errors.ts'
import { type PlaneName, planeNames } from '../../shared/frame/frame-planes.ts'
import type { FrameProgress } from '../../shared/frame/frame-progress.ts'
import type { FrameState } from '../../shared/frame/frame-state.ts'
import { DEFAULT_STRATEGY } from '../../shared/session/default-strategy.ts'
import type { FrameKeeper, FramePreview } from '../../shared/session/session.ts'
import type { StrategyOptions } from '../../shared/session/strategy-options.ts'
import type { Log } from '../../shared/text/log.ts'
import {
  checkValues,
  type Group,
  group,
  option,
  optionsOf,
  type SettledOf,
  settled,
  type Voice,
} from '../options/declare/group.ts'
import { flag, given, type Kind, listOf, said, text } from '../options/declare/kinds.ts'
import { type Display, resolveDisplay } from '../options/groups/display.ts'
import type { Exposure } from '../options/groups/exposure.ts'
import { type Cut, resolveCut } from '../options/groups/film.ts'
import { GROUPS, type RunSettled } from '../options/groups/index.ts'
import { withIntegrator } from '../options/groups/light.ts'
import { type Picture, resolvePicture } from '../options/picture.ts'
import type { CameraChoice } from './cameras.ts'
import type { Cluster } from './cluster.ts'
import type { OwnStrategy } from './plug-ins.ts'
import type { RenderOptions } from './render-options.ts'

/** The largest number of a frame that workers can be told. */
const LAST_FRAME = 0xffffffff

/** Whether a frame can have this number. */
export const isFrameNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LAST_FRAME

const isIterable = (value: unknown): boolean => typeof value === 'object' && value !== null && Symbol.iterator in value

export const FRAME_NUMBERS = `whole numbers from 0 to ${LAST_FRAME}`

/** How many, or which: those of a list are checked when their turn comes, because there may be no end of them. */
const frameNumbers: Kind<number | Iterable<number>> = {
  ...given('number | Iterable<number>'),
  check(value, wrong) {
    if (!isFrameNumber(value) && !isIterable(value)) throw wrong('a whole number, or a list of them', said(value))
  },
}

const program = group('Program:', [], {
  frames: option<number | Iterable<number>>({
    kind: frameNumbers,
    help: 'number of frames, from frame 0, or the frame numbers to render, in order',
    usual: 1,
    library: true,
  }),
  camera: option<CameraChoice>({
    kind: given('CameraChoice'),
    help: 'what frames are seen from: the name of a path, a `PerspectiveCamera`, `{ eye, target, up, fov }`, or a function of the frame number',
    more: 'only `eye` is required, and `fov` is vertical, in degrees',
    otherwise: 'the scene’s own camera, or else its path',
    library: true,
  }),
  channels: option<readonly PlaneName[]>({
    kind: { ...listOf('channel', planeNames), type: 'readonly PlaneName[]' },
    help: 'channels wanted beside finished colour: {names}',
    usual: [],
    library: true,
  }),
  strategy: option<string | OwnStrategy>({
    kind: given('string | OwnStrategy'),
    help: 'how frames are divided: the name of a strategy, or, in a cluster of this process, an object of your own',
    usual: DEFAULT_STRATEGY,
    library: true,
  }),
  strategyOptions: option<Partial<StrategyOptions>>({
    kind: given('Partial<StrategyOptions>'),
    help: 'what strategies are told',
    usual: {},
    library: true,
  }),
  cluster: option<Cluster>({
    kind: given('Cluster'),
    help: 'cluster to render on; it stays open',
    otherwise: 'a temporary one, of one worker with all cores',
    library: true,
  }),
  record: option({
    kind: flag,
    help: 'whether reports include the cost of every part of their frame, and all spans',
    usual: false,
    library: true,
  }),
  spans: option({ kind: flag, help: 'whether reports include all spans', usual: false, library: true }),
  onPreview: option<(preview: FramePreview) => void | Promise<void>>({
    kind: given('(preview: FramePreview) => void | Promise<void>'),
    help: 'called with each frame after each of its passes but the last; frames wait for a promise that it returns',
    library: true,
  }),
  onProgress: option<(progress: FrameProgress) => void>({
    kind: given('(progress: FrameProgress) => void'),
    help: 'told twice a second how far a frame has come that takes long',
    library: true,
  }),
  tileCommand: option({
    kind: text(),
    help: 'the command line that traces a tile of these frames alone, but for `--frame` and `--rect`, for errors',
    otherwise: 'none',
    library: true,
  }),
  log: option<Log>({ kind: given('Log'), help: 'told what happens', otherwise: 'silent', library: true }),
  signal: option<AbortSignal>({
    kind: given('AbortSignal'),
    help: 'cancels the rendering immediately; the iteration throws its reason',
    library: true,
  }),
})

/** All options of `render`. */
export const LIBRARY = [...GROUPS, program] as const

/** Something in `RenderOptions` is out of range. */
export class RenderOptionError extends UsageError {
  readonly code = 'BAD_RENDER_OPTION'
}

/** Programs name options by their properties. */
export const programVoice = (groups: readonly Group[]): Voice => ({
  caller: 'library',
  groups,
  options: optionsOf(groups, 'library'),
  name: key => key,
  phrase: (key, value) => `${key} '${value}'`,
  error: (key, expected, got) => new RenderOptionError(`render: ${key}: expected ${expected}, got ${got}`),
  refuse: (key, rule) => new RenderOptionError(`render: ${key} ${rule}`),
})

export const VOICE = programVoice(LIBRARY)

type Settled = Omit<
  RunSettled,
  keyof SettledOf<typeof program> | keyof Picture | keyof Display | keyof Cut | 'exposure'
> &
  Pick<RunSettled, 'size' | 'region'> &
  SettledOf<typeof program> & { readonly exposure?: Exposure | undefined }

/** Keeps what frames have, and knows what earlier runs kept. */
export interface FilmKeeper extends FrameKeeper {
  /** Fingerprint of the kernel that its frames are of. @default a cluster elsewhere keeps nothing */
  readonly kernel?: string
  /** What a frame begins with. */
  from(frame: number): Promise<FrameState | undefined>
  /** Frames are made until this settles, however. */
  during(session: Promise<unknown>): void
}

/** Options that are complete, and were checked. */
export interface FilmOptions
  extends Pick<
      Settled,
      'fps' | 'noise' | 'time' | 'denoise' | 'transparent' | 'inFlight' | 'clock' | 'engine' | 'mixEngines' | 'wait'
    >,
    Pick<Settled, 'channels' | 'frames' | 'camera' | 'record' | 'spans'>,
    Cut,
    Picture,
    Display {
  readonly strategy: string
  readonly strategyOptions: StrategyOptions
  /** What they may name beside the built-in ones, checked. @default nothing */
  readonly plugIns?: PlugIns | undefined
  readonly cameraName?: string | undefined
  /** @default the scene's */
  readonly exposure?: Exposure | undefined
  /** Share of each frame's rows that are traced twice; undefined or 0: none. */
  readonly verify?: number | undefined
  readonly cluster?: Cluster | undefined
  readonly onPreview?: ((preview: FramePreview) => void | Promise<void>) | undefined
  readonly onProgress?: ((progress: FrameProgress) => void) | undefined
  /** Keeps what frames in the making have; of a cluster in this process. @default they are lost with the run */
  readonly keeper?: FilmKeeper | undefined
  readonly tileCommand?: string | undefined
  readonly log?: Log | undefined
  readonly signal?: AbortSignal | undefined
}

/** @throws UsageError */
export function resolveOptions(options: RenderOptions): Omit<Settled, keyof Cut> & Cut & Picture & Display {
  const asked = withIntegrator(options)
  const values = settled(VOICE, checkValues(VOICE, asked, 'option of render')) as unknown as Settled
  return { ...values, ...resolveCut(values, VOICE), ...resolvePicture(asked, VOICE), ...resolveDisplay(asked, VOICE) }
}
