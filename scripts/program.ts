/** The command line: commands, options, environment variables, help. Commands are loaded on demand. */
import { Command, Option } from 'commander'
import { DEFAULT_PORT } from '../shared/protocol/version.ts'
import { COMPARED_STRATEGIES, DEFAULT_STRATEGY } from '../shared/session/default-strategy.ts'
import { foldHelp } from './help.ts'
import { addLists } from './list-program.ts'
import { accessFlags, masterAccessFlags } from './options/access-flags.ts'
import { cacheOptions } from './options/cache-options.ts'
import { connectionOptions } from './options/connection-options.ts'
import { option } from './options/option.ts'
import { cameraOptions, displayOptions, lightOptions, lookOptions } from './options/picture-options.ts'
import { strategyFlags } from './options/strategy-flags.ts'
import { TILE_FLAGS, tileFlags } from './options/tile-flags.ts'
import { tileCommand } from './run/tile-command.ts'
import { endInSentences } from './sentences.ts'

const EXAMPLES = `
Examples:
  sortfirst compare dragon                           equal blocks compared with balanced ones: a report with charts
  sortfirst compare bunny.ply --workers 4 --strategies static-blocks,frozen,pbt
  sortfirst compare dragon --strategies all --trace trace.json
  sortfirst simulate dragon --workers 8,64,512       any number of simulated workers
  sortfirst render dragon --frames 20 --out film     PNG frames; --resume continues after an interruption

A cluster of machines: one master, any number of workers, which may come and go, and clients
  export SORTFIRST_TOKEN=…                           on all: the same secret, from openssl rand -hex 32
  sortfirst master --listen 0.0.0.0:${DEFAULT_PORT}
  sortfirst worker ws://192.0.2.7:${DEFAULT_PORT} --threads 8
  sortfirst render dragon --master ws://192.0.2.7:${DEFAULT_PORT}

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted. Progress goes to standard error, results to standard output.`

const CAMERA_PATHS = 'orbit, fast-orbit, fly-through, pan, cut or still, or a .json file of cameras'

export function createProgram(version: string): Command {
  const program = new Command('sortfirst')
    .description('Ray-traces one frame on many machines at once, and balances it with a Prediction Binary Tree.')
    .version(version)
    .addHelpText('after', EXAMPLES)
    .showSuggestionAfterError()
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })

  withOutputOptions(withAll(withRunOptions(program.command('render'), RENDERS), strategyFlags()))
    .description('Render a scene to PNG, WebP or EXR frames, or to a film')
    .addOption(
      option('--strategy <name>', 'STRATEGY', "how frames are shared; see 'sortfirst strategies'", DEFAULT_STRATEGY),
    )
    .addOption(
      new Option('--progressive', 'write a frame’s PNG file after each of its passes (default: 8 passes)').helpGroup(
        'Picture:',
      ),
    )
    .option('--resume', 'render only the frames missing in --out')
    .addOption(
      option(
        '--reconnect <seconds>',
        'RECONNECT',
        'with --master: how long to wait for it if it is lost, and then go on (default: 60; 0: do not)',
      ).helpGroup('Cluster:'),
    )
    .action(async (scene, options, command) => {
      // It starts while the modules of this command are loaded.
      const spare =
        options.master === undefined ? (await import('./library/worker-process.ts')).startSpare() : undefined
      try {
        await (await import('./commands/render.ts')).render(scene, withTileCommand(scene, options, command), spare)
      } finally {
        spare?.end()
      }
    })

  withAll(withRunOptions(program.command('compare'), COMPARES), strategyFlags())
    .description('Render the same frames once per strategy and compare the strategies')
    .addOption(
      option('--strategies <names>', 'STRATEGIES', 'comma-separated, the baseline first; or all', COMPARED_STRATEGIES),
    )
    .addOption(option('--repeat <n>', 'REPEAT', 'rounds: how often each strategy renders the frames, in turn', '1'))
    // Known here so that they can be rejected with an explanation.
    .addOption(new Option('--output <list>').hideHelp())
    .addOption(new Option('--aov <list>').hideHelp())
    .option('--resume', 'make only the runs missing in --out')
    .action(async (scene, options, command) =>
      (await import('./commands/compare.ts')).compare(scene, withTileCommand(scene, options, command)),
    )

  withAll(withSimulateOptions(program.command('simulate')), strategyFlags())
    .description('Run strategies on any number of simulated workers')
    .addOption(option('--strategies <names>', 'STRATEGIES', 'comma-separated, the baseline first; or all', 'all'))
    .action(async (source, options) => (await import('./commands/simulate.ts')).simulate(source, options))

  withAll(
    program
      .command('master')
      .description('Run the master of a cluster')
      .addOption(fastMath('accept workers with --fast-math instead of those without'))
      .addOption(
        option('--listen <host:port>', 'LISTEN', 'address for workers and clients', `127.0.0.1:${DEFAULT_PORT}`),
      ),
    [...masterAccessFlags(), ...connectionOptions()],
  )
    .addOption(untilInputEnds())
    .action(async options => (await import('./commands/master.ts')).master(options))

  withAll(
    program
      .command('worker')
      .description('Run a worker: it needs only the master’s address')
      .addArgument(program.createArgument('<master>', `address of the master, such as ws://192.0.2.7:${DEFAULT_PORT}`))
      .addOption(option('--threads <n>', 'THREADS', 'tracing threads, all on one scene in shared memory', '1'))
      .addOption(option('--name <text>', 'NAME', 'name in reports (default: host name and process id)'))
      .addOption(option('--engine <name>', 'ENGINE', "engine to trace with; see 'sortfirst engines'", 'wasm'))
      .addOption(fastMath('a faster kernel whose frames may differ between machines; the master needs it, too'))
      .addOption(option('--speed <ratio>', 'SPEED', 'throughput of a thread relative to other workers’ threads', '1'))
      .addOption(option('--cores <n>', 'CORES', 'limit it to this many cores (default: unlimited)'))
      .addOption(acceleratorOption('what traces beside the CPU'))
      .addOption(
        new Option(
          '--accelerator-required',
          'end if it cannot be had or does not work, instead of going on with the CPU',
        ),
      )
      .addOption(
        option('--feeders <n>', 'FEEDERS', 'threads left free to feed accelerators (default: 1 of two or more)'),
      )
      .addOption(option('--retry-for <seconds>', 'RETRY_FOR', 'how long to try to reach the master', '60'))
      .addOption(cacheOptions()[0])
      .addOption(cacheOptions()[1])
      .addOption(
        option('--ready-file <path>', 'READY_FILE', 'a file that exists while joined to a cluster, for health checks'),
      ),
    accessFlags('workers'),
  )
    .addOption(new Option('--threads-at-once', 'start tracing threads before there is a scene').hideHelp())
    .addOption(untilInputEnds())
    .action(async (url, options) => (await import('./commands/worker.ts')).worker(url, options))

  withAll(
    program
      .command('tile')
      .description('Trace one tile of a frame alone, as a worker would: a frame that fails says with which options')
      .argument('<scene>', 'as for render')
      .requiredOption('--frame <n>', 'number of the frame')
      .requiredOption('--rect <x,y,w,h>', 'the tile, px')
      .addOption(new Option('-o, --out <file>', 'PNG file').default('tile.png')),
    [...tileFlags(), ...cacheOptions()],
  ).action(async (scene, options) => (await import('./commands/tile.ts')).tile(scene, options))

  withAll(
    program
      .command('drain')
      .description('Let a worker of a running cluster leave: it finishes what it has begun')
      .argument('<worker>', 'its name')
      .addOption(option('--master <url>', 'MASTER', 'the master of the cluster', `127.0.0.1:${DEFAULT_PORT}`))
      .option('--json', 'as JSON'),
    accessFlags('operate'),
  ).action(async (worker, options) => (await import('./commands/drain.ts')).drain(worker, options))

  program.command('spare', { hidden: true }).action(async () => {
    const run = (args: readonly string[]) => program.parseAsync(args, { from: 'user' })
    const { spare } = await import('./commands/spare.ts')
    // It will be needed: in the meantime it can be loaded.
    await Promise.all([spare(run), import('./commands/worker.ts')])
  })

  const begin = program.command('new').description('Create a strategy or a predictor of your own')
  begin
    .command('strategy')
    .description('Write a small strategy to start from')
    .argument('<file>', 'where, such as mine.js')
    .action(async file => (await import('./commands/new.ts')).newStrategy(file))
  begin
    .command('predictor')
    .description('Write a small predictor of costs to start from')
    .argument('<file>', 'where, such as mine.js')
    .action(async file => (await import('./commands/new.ts')).newPredictor(file))
  program
    .command('inspect')
    .description('Show what is in a scene, and the memory that a worker needs for it')
    .argument('<scene>', "a built-in scene (see 'sortfirst scenes') or a file, folder, .zip or module")
    .option('--json', 'as JSON')
    .addOption(cacheOptions()[0])
    .addOption(cacheOptions()[1])
    .action(async (scene, options) => (await import('./commands/inspect.ts')).inspect(scene, options))
  addLists(program)

  program
    .command('reproduce')
    .description('Make the experiments of the papers again: a page with their figures and ours side by side')
    .addArgument(
      program.createArgument(
        '[papers...]',
        '000: the Prediction Binary Tree, 002: Charm++, 003: CPU and accelerator (default: all)',
      ),
    )
    .addOption(new Option('--scene <name>', 'a built-in scene or a mesh file (default: dragon)'))
    .addOption(option('-o, --out <folder>', 'OUT', 'where index.html and results.json go (default: out/reproduce)'))
    .addOption(new Option('--quick', 'small frames and few of them: what it makes, not what it finds'))
    .addOption(new Option('--json', 'print results.json, too'))
    .addOption(cacheOptions()[0])
    .addOption(cacheOptions()[1])
    .action(async (papers, options) => (await import('./commands/reproduce.ts')).reproduce(papers, options))

  foldHelp(program)
  endInSentences(program)
  return program
}

/** Defaults of `render` and `compare`: the first uses the fastest setup, the second one with comparable results. */
interface RunDefaults {
  readonly inFlight: string
  readonly workers: string
  readonly threads: string
  readonly workerCores: string
}
/** Options of a run, with the command line that a failed frame names. */
function withTileCommand<Raw extends object>(scene: string, options: Raw, command: Command): Raw {
  const line = tileCommand(scene, command, TILE_FLAGS)
  return line === undefined ? options : { ...options, tileCommand: line }
}

const RENDERS: RunDefaults = { inFlight: '2', workers: '1', threads: 'all cores', workerCores: 'off' }
const COMPARES: RunDefaults = { inFlight: '1', workers: '8', threads: '1', workerCores: 'auto' }

/** Options that `render` and `compare` share. */
function withRunOptions(command: Command, { inFlight, workers, threads, workerCores }: RunDefaults): Command {
  const groups: Record<string, Option[]> = {
    'Output:': [
      option('-o, --out <folder>', 'OUT', `output folder (default: out/${command.name()})`),
      option('--record <file>', 'RECORD', 'record the cost of every part of every frame, for sortfirst simulate'),
      option('--trace <file>', 'TRACE', 'write every span of every frame as a Chrome trace; Perfetto opens it'),
      new Option('--json', 'print the summary as one JSON document, and nothing else, on standard output'),
    ],
    'Picture:': [
      option('--frames <n>', 'FRAMES', 'number of frames, from frame 0; or a range such as 10..19 (default: 20)'),
      option('--duration <seconds>', 'DURATION', 'length of the film, instead of --frames: seconds times --fps'),
      option('--fps <n>', 'FPS', 'frames per second, 1 to 1000, such as 23.976', '24'),
      option(
        '--shutter <share>',
        'SHUTTER',
        'motion blur: for which share of a frame’s time its shutter is open, 0 to 1, such as 0.5 (default: 0, none)',
      ),
      option(
        '--time-steps <n>',
        'TIME_STEPS',
        'with --shutter: moments that the samples are divided among, 2 to 64 (default: 8)',
      ),
      option('--size <WxH>', 'SIZE', 'frame size in px', '1280x720'),
      option('--camera <path>', 'CAMERA', `${CAMERA_PATHS} (default: the scene’s camera or path)`),
      option(
        '--passes <n>',
        'PASSES',
        'passes that the samples are divided into; the frames are the same (default: 1)',
      ),
      option(
        '--noise <share>',
        'NOISE',
        'path: samples where they are needed, until the standard error is this share of the light, such as 0.02; --samples is the most (default: 1024)',
      ),
    ],
    'Cluster:': [
      option(
        '--workers <n>',
        'WORKERS',
        `workers to start here (default: ${workers}); with --master, to wait for (default: 1)`,
      ),
      option('--threads <n>', 'THREADS', `threads of each worker started here (default: ${threads})`),
      option(
        '--worker-cores <n,…>',
        'WORKER_CORES',
        `cores each worker started here is limited to: auto, off, one share, or one per worker (default: ${workerCores})`,
      ),
      option('--engine <name>', 'ENGINE', "engine to trace with; see 'sortfirst engines'", 'wasm'),
      acceleratorOption('what traces beside the CPU of each worker started here'),
      fastMath('a faster kernel whose frames may differ between machines and Node.js releases'),
      ...cacheOptions(),
      option('--master <url>', 'MASTER', 'use the running cluster of this master'),
      ...accessFlags('clients'),
      option('--wait <seconds>', 'WAIT', 'how long to wait for workers', '60'),
      option('--in-flight <n>', 'IN_FLIGHT', 'frames in progress at once, 1 to 4', inFlight),
      option(
        '--verify <share>',
        'VERIFY',
        'share of each frame’s rows that a second worker traces again, such as 0.05; workers that return wrong pixels are expelled (default: 0)',
      ),
      option('--clock <name>', 'CLOCK', 'clock that measures costs: cpu or wall', 'cpu'),
    ],
  }
  command.argument(
    '<scene>',
    "a built-in scene (see 'sortfirst scenes') or a file: .ply .obj .stl .glb .gltf, or a folder or .zip with one; or a module: .js .mjs",
  )
  for (const [heading, options] of Object.entries(groups))
    for (const each of options) command.addOption(each.helpGroup(heading))
  return withAll(command, [...lightOptions(), ...cameraOptions(), ...lookOptions(), ...displayOptions()])
}

/** Which files `render` writes of each frame, and of all together. */
function withOutputOptions(command: Command): Command {
  for (const each of [
    option(
      '--output <list>',
      'OUTPUT',
      'files of each frame: png, png16, exr (linear, not tone mapped), webp; of all frames: mp4 (needs ffmpeg), animated-webp, made of png, which they imply',
      'png',
    ),
    new Option('--contact-sheet', 'contact-sheet.png: up to 24 of the frames, small, side by side; implies png'),
    option('--aov <list>', 'AOV', 'more EXR files of each frame: albedo, normal, depth, position, id, samples'),
    option('--exr-type <type>', 'EXR_TYPE', 'values in EXR files: float or half (default: float)'),
    new Option('--transparent', 'no background: pictures have alpha'),
  ])
    command.addOption(each.helpGroup('Output:'))
  return command
}

/** May be given several times. */
const acceleratorOption = (what: string): Option =>
  option(
    '--accelerator <kind>',
    'ACCELERATOR',
    `${what}, such as simulated:4 or process:wasm; may be repeated`,
  ).argParser<string[]>((text, before = []) => [...before, text])

/** Options of `simulate`. Scene options have no defaults here, because a recording has its own. */
function withSimulateOptions(command: Command): Command {
  const groups: Record<string, Option[]> = {
    'Output:': [
      option('-o, --out <folder>', 'OUT', 'output folder (default: out/simulate)'),
      new Option(
        '--json',
        'print the summary as JSON, and nothing else; with several numbers of workers a list of them',
      ),
      new Option('--check', 'only compare the recording’s live frames with simulated ones'),
    ],
    'Recording:': [
      new Option('--from <strategy>', 'simulate the frames recorded with this strategy (default: the first)'),
      new Option('--frames <n>', 'number of frames (default: all of a recording, 20 of a scene)'),
    ],
    'Scene, traced here when there is no recording:': [
      new Option('--record <file>', 'record the traced costs, so that they need not be traced again'),
      new Option('--size <WxH>', 'frame size in px (default: 1280x720)'),
      new Option('--camera <path>', `${CAMERA_PATHS} (default: the scene’s camera or path)`),
      ...cacheOptions(),
    ],
    'Cluster:': [
      new Option('--workers <n,…>', 'how many; one simulation per number (default: those of the recording, or 8)'),
      new Option('--speeds <ratio,…>', 'one per worker, or a pattern to repeat (default: 1)'),
      new Option('--areas <name:speed,…>', 'areas of each worker, such as cpu:1,gpu:6.7@pcie (default: one area)'),
      new Option('--levels <n>', '2: a master for each rack of workers below the one above (default: 1)'),
      new Option('--racks <n>', 'with --levels 2: how many racks (default: about the square root of --workers)'),
      new Option('--worker-cores <n>', 'cores a worker of speed 1 is limited to (default: as recorded, or 1)'),
      new Option('--latency <ms>', 'one-way network latency (default: 0.15; with --check as recorded)'),
      new Option('--bandwidth <Mbit/s>', 'bandwidth of each worker’s link, and of the master’s (default: no limit)'),
      new Option('--noise <share>', 'standard deviation of tile times, as a share of them').default('0', '0'),
      new Option('--migration-cost <ms>', 'CPU time for each pixel that changes its owner').default('0', '0'),
      new Option('--clock <name>', 'clock that measures costs: cpu or wall (default: as recorded, or cpu)'),
    ],
  }
  command.argument('<source>', 'a recording (.ndjson, made with --record), a built-in scene or a mesh file')
  for (const [heading, options] of Object.entries(groups))
    for (const each of options) command.addOption(each.helpGroup(heading))
  return withAll(command, [...lightOptions(), ...cameraOptions(), ...lookOptions()])
}

/** For programs that start this one. */
const untilInputEnds = () => new Option('--until-input-ends', 'end when standard input does').hideHelp()

/** Chooses the engine wasm-fast. */
const fastMath = (text: string) => new Option('--fast-math', text)

function withAll(command: Command, options: readonly Option[]): Command {
  for (const each of options) command.addOption(each)
  return command
}
