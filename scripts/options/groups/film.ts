/** How many frames there are, how large, and how long each is shown. Pure. */
import { OptionError } from '../../../shared/errors.ts'
import { MAX_FRAME_PX, MAX_SIDE_PX } from '../../../shared/frame/frame-limits.ts'
import { contains, frameRect, type Rect, type Size } from '../../../shared/frame/rect.ts'
import type { Region } from '../../../shared/frame/region.ts'
import {
  by,
  type Caller,
  type GivenOf,
  group,
  option,
  PICTURES,
  RUNS,
  SCENE_HEADING,
  type Voice,
} from '../declare/group.ts'
import { type Kind, number, said, wholeNumber } from '../declare/kinds.ts'
import type { CameraList } from './camera-file.ts'

export interface FrameRange {
  readonly firstFrame: number
  /** Number of frames. */
  readonly frames: number
}

const MAX_FRAMES = 1_000_000
const DEFAULT_FRAMES = 20
const SHORTEST_SECONDS = 0.001
export const DEFAULT_FPS = 24

const count = wholeNumber(1, MAX_FRAMES)

/** `10` is frames 0 to 9, `10..19` frames 10 to 19. */
const frameRange: Kind<FrameRange> = {
  type: 'number',
  read(word, wrong) {
    const [, first, last] = /^(\d{1,7})\.\.(\d{1,7})$/.exec(word) ?? []
    if (first !== undefined) {
      const [from, to] = [Number(first), Number(last)]
      if (from > to || to >= MAX_FRAMES)
        throw wrong(`the first and the last frame, not above ${MAX_FRAMES - 1}, such as 10..19`, `'${word}'`)
      return { firstFrame: from, frames: to - from + 1 }
    }
    if (/^\d+$/.test(word)) return { firstFrame: 0, frames: count.read(word, wrong) }
    throw wrong(`a whole number from 1 to ${MAX_FRAMES}, or the first and the last frame such as 10..19`, `'${word}'`)
  },
  check() {},
  written: ({ firstFrame, frames }) => (firstFrame === 0 ? `${frames}` : `${firstFrame}..${firstFrame + frames - 1}`),
}

const isSize = (size: unknown): boolean =>
  Array.isArray(size) &&
  size.length === 2 &&
  size.every(side => Number.isInteger(side) && side >= 1 && side <= MAX_SIDE_PX) &&
  size[0] * size[1] <= MAX_FRAME_PX
const BOUNDS = `each side 1 to ${MAX_SIDE_PX}, at most ${MAX_FRAME_PX / 2 ** 20} Mi px in all`

export const frameSize: Kind<Size> = {
  type: 'Size',
  read(word, wrong) {
    const [, ...sides] = /^(\d+)x(\d+)$/i.exec(word) ?? []
    const size = sides.map(Number)
    if (!isSize(size)) throw wrong(`WIDTHxHEIGHT in px such as 1280x720, ${BOUNDS}`, `'${word}'`)
    return size as unknown as Size
  },
  check(value, wrong) {
    if (!isSize(value)) throw wrong(`[width, height] in px, ${BOUNDS}`, said(value))
  },
  written: size => size.join('x'),
}

const REGION = 'X,Y,WIDTH,HEIGHT in px, whole numbers, each side at least 1, such as 320,180,640,360'

const isRect = (value: unknown): value is Rect =>
  typeof value === 'object' &&
  value !== null &&
  (['x', 'y', 'w', 'h'] as const).every(key => {
    const number = (value as Readonly<Record<string, unknown>>)[key]
    return Number.isInteger(number) && (number as number) >= (key === 'w' || key === 'h' ? 1 : 0)
  })

const pixelRect: Kind<Rect> = {
  type: 'Rect',
  read(word, wrong) {
    const [, x, y, w, h] = (/^(\d+),(\d+),(\d+),(\d+)$/.exec(word) ?? []).map(Number)
    const rect = { x, y, w, h }
    if (!isRect(rect)) throw wrong(REGION, `'${word}'`)
    return rect
  },
  check(value, wrong) {
    if (!isRect(value)) throw wrong(`{ x, y, w, h } in px, whole numbers, each side at least 1`, said(value))
  },
  written: ({ x, y, w, h }) => `${x},${y},${w},${h}`,
}

export const film = group('Picture:', [...RUNS, 'tile'], {
  frames: option({
    flag: '--frames <n>',
    kind: frameRange,
    help: 'number of frames, from frame 0; or a range: 10..19 is frames 10 to 19',
    otherwise: `${DEFAULT_FRAMES}; 1 with {eye} or the scene’s own camera in render; all cameras of a camera file; the length of an animation`,
    variable: RUNS,
    decides: 'times',
  }),
  fps: option({
    flag: '--fps <n>',
    kind: number(1, 1000),
    help: 'frames per second, {range}, such as 23.976',
    more: 'also for what moves: frame n is at n divided by it, in seconds',
    usual: DEFAULT_FPS,
    variable: RUNS,
    library: true,
    decides: 'pixels',
    noun: 'frames per second',
  }),
  duration: option({
    flag: '--duration <seconds>',
    kind: number(SHORTEST_SECONDS, MAX_FRAMES),
    among: ({ fps = DEFAULT_FPS }) => number(SHORTEST_SECONDS, Math.floor(MAX_FRAMES / (fps as number))),
    help: 'length of the film, instead of {frames}: seconds times {fps}, rounded, at least one frame',
    variable: RUNS,
    rules: [{ excludes: 'frames', because: ': both say how many there are' }],
    decides: 'times',
    entry: 'frames',
  }),
  region: option<Rect>({
    flag: '--region <x,y,w,h>',
    kind: pixelRect,
    help: 'render only this part of each frame, in px from the top left corner',
    more: 'see [regions](scripts/options/README.md#regions)',
    commands: [...RUNS, 'tile'],
    variable: RUNS,
    library: true,
    decides: 'pixels',
  }),
  size: option<Size>({
    flag: '--size <WxH>',
    kind: frameSize,
    help: 'frame size in px',
    usual: [1280, 720],
    heading: by({ render: 'Picture:', simulate: SCENE_HEADING }),
    commands: PICTURES,
    variable: RUNS,
    library: true,
    decides: 'pixels',
  }),
})

/** What pictures show of their frames. */
export interface Cut {
  /** Of pictures, px. */
  readonly size: Size
  /** The part of each frame that they are; undefined: all of it. */
  readonly region: Region | undefined
}

/**
 * @param size of frames
 * @throws UsageError for a region that is not inside
 */
export function resolveCut(
  { size, region }: { readonly size: Size; readonly region?: Rect | undefined },
  { error }: Voice,
): Cut {
  if (!region) return { size, region }
  if (!contains(frameRect(size), region))
    throw error('region', `one inside the frame of ${size.join('x')} px`, pixelRect.written!(region))
  const { x, y, w, h } = region
  return { size: [w, h], region: { x, y, w, h, of: size } }
}

/** Of the frames that pictures are of. */
export const wholeSize = ({ size, region }: Cut): Size => region?.of ?? size

/** The number of frames of a camera that stands still: several for a comparison, one for a rendering. */
export const stillFrames = (caller: Caller): number | undefined => (caller === 'compare' ? undefined : 1)

/**
 * @param cameras of a file, if the film uses one
 * @param otherwise number of frames by default
 * @throws OptionError
 */
export function resolveFrames(
  given: FrameRange | undefined,
  cameras: CameraList | undefined,
  otherwise = DEFAULT_FRAMES,
): FrameRange {
  const range = given ?? { firstFrame: 0, frames: cameras?.length ?? otherwise }
  if (cameras && cameras.length > 1 && range.firstFrame + range.frames > cameras.length)
    throw new OptionError(
      '--frames',
      `at most the ${cameras.length} frames that ${cameras.file} has cameras for`,
      frameRange.written!(range),
    )
  return range
}

export interface FilmTime extends FrameRange {
  /** Frames per second, in film files and for what moves. */
  readonly fps: number
}

/**
 * The number of frames comes from `frames` or `duration`: the nearest whole number, at least one.
 * @throws OptionError
 */
export function resolveTime(
  { frames, fps = DEFAULT_FPS, duration }: GivenOf<typeof film>,
  cameras?: CameraList,
  otherwise?: number,
): FilmTime {
  if (duration === undefined) return { ...resolveFrames(frames, cameras, otherwise), fps }
  const count = Math.max(1, Math.round(duration * fps))
  if (cameras && cameras.length > 1 && count > cameras.length)
    throw new OptionError(
      '--duration',
      `at most the ${cameras.length} frames that ${cameras.file} has cameras for`,
      `${count} (${duration} s of ${fps} per second)`,
    )
  return { firstFrame: 0, frames: count, fps }
}

/** For commands without this group. @throws OptionError */
export const parseSize = (text: string): Size =>
  frameSize.read(text, (expected, got) => new OptionError('--size', expected, got))
