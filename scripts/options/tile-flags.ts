/** Command-line options of `sortfirst tile`: those of `render` on which the pixels of a frame depend. */
import { Option } from 'commander'
import { cameraOptions, displayOptions, lightOptions, lookOptions } from './picture-options.ts'

export const tileFlags = (): Option[] => [
  new Option('--size <WxH>', 'size of the frame, px').default('1280x720'),
  new Option('--frames <n>', 'number of frames of the film, from which some cameras follow'),
  new Option('--duration <seconds>', 'the same, in seconds'),
  new Option('--fps <n>', 'frames per second').default('24'),
  new Option('--shutter <share>', 'motion blur: for which share of a frame’s time its shutter is open'),
  new Option('--time-steps <n>', 'with --shutter: moments that the samples are divided among'),
  new Option('--camera <path>', 'as for render'),
  new Option('--noise <share>', 'as for render, but every pixel gets all of --samples'),
  new Option('--transparent', 'no background'),
  new Option('--engine <name>', 'engine to trace with').default('wasm'),
  new Option('--fast-math', 'the faster kernel'),
  ...lightOptions(),
  ...cameraOptions(),
  ...lookOptions(),
  ...displayOptions(),
]

/** Their long names. */
export const TILE_FLAGS: ReadonlySet<string> = new Set(tileFlags().map(({ long }) => long ?? ''))
