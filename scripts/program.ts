/** The command line: commands, options, environment variables, help. Commands are loaded on demand. */
import { Command, Help, Option } from 'commander'
import { DEFAULT_PORT } from '../shared/protocol/version.ts'
import { addDeployment } from './deploy-program.ts'
import { foldHelp, showFirst } from './help.ts'
import { LaterOptions } from './later-options.ts'
import { addLists } from './list-program.ts'
import { cacheFlags } from './options/flags.ts'
import { bareCommand, renderCommand, tileCommand, type ViewLines } from './run/tile-command.ts'
import { endInSentences } from './sentences.ts'

const EXAMPLES = `Examples:
  sortfirst render model.glb --frames 1 --noise 0.05 --denoise on   a clean still
  sortfirst view glass --open                                       a page that shows it from all sides
  sortfirst compare glass                                           equal blocks and balanced ones: a report with charts

A cluster of machines: one master, any number of workers, which may come and go, and clients
  export SORTFIRST_TOKEN=…                                          on all: the same secret, from openssl rand -hex 32
  sortfirst master --listen 0.0.0.0:${DEFAULT_PORT}
  sortfirst worker ws://192.0.2.7:${DEFAULT_PORT} --threads 8
  sortfirst render glass --master ws://192.0.2.7:${DEFAULT_PORT}`

const EXIT_CODES = `
Exit codes: 0 done, 1 failed, 2 wrong usage, 130 by Ctrl-C, 143 by SIGTERM. Results go to standard output, all else to standard error.`

export function createProgram(version: string): Command {
  const program = new Command('sortfirst')
    .description('Path-traces scenes on all the machines you have: they share each frame, evenly.')
    .version(version)
    .addHelpText('after', EXIT_CODES)
    .showSuggestionAfterError()
    .configureHelp({
      sortSubcommands: false,
      showGlobalOptions: false,
      // `sortfirst help render` is `sortfirst render --help`: a line for it is one too many on the first screen.
      visibleCommands: command => new Help().visibleCommands(command).filter(each => each.name() !== 'help'),
    })
  const later = new LaterOptions(program)

  later
    .of(withScene(program.command('render')), ofPictures)
    .description('Render a scene to PNG, WebP or EXR frames, or to a film')
    .summary('Render a scene to pictures or a film')
    .action(async (scene, options, command) => {
      // It starts while the modules of this command are loaded.
      const spare =
        options.master === undefined ? (await import('./library/worker-process.ts')).startSpare() : undefined
      const tileCommand = await tileCommandOf(scene, command)
      try {
        await (await import('./commands/render.ts')).render(scene, options, { spare, tileCommand })
      } finally {
        spare?.end()
      }
    })

  later
    .of(withScene(program.command('compare')), ofPictures)
    .description('Render the same frames once per strategy and compare the strategies')
    .summary('Compare strategies on the same frames')
    // Known here so that they can be rejected with an explanation.
    .addOption(new Option('--output <list>').hideHelp())
    .addOption(new Option('--aov <list>').hideHelp())
    .action(async (scene, options, command) =>
      (await import('./commands/compare.ts')).compare(scene, options, await tileCommandOf(scene, command)),
    )

  later
    .of(withScene(program.command('view')), ofPictures)
    .description('Show a scene on a page, traced as it turns')
    .action(async (scene, options, command) =>
      (await import('./commands/view.ts')).view(scene, options, await renderCommandsOf(command)),
    )

  later
    .of(program.command('simulate'), async () => (await import('./simulate/group.ts')).SIMULATION)
    .description('Run strategies on any number of simulated workers')
    .summary('Run strategies on simulated workers')
    .argument('<source>', 'a recording (.ndjson, made with --record), a built-in scene or a mesh file')
    .action(async (source, options) => (await import('./commands/simulate.ts')).simulate(source, options))

  later
    .of(program.command('master'), async () => (await import('./options/groups/master.ts')).MASTER)
    .description('Run the master of a cluster')
    .action(async options => (await import('./commands/master.ts')).master(options))

  later
    .of(program.command('worker'), async () => (await import('./options/groups/worker.ts')).WORKER)
    .description('Run a worker: it needs only the master’s address')
    .summary('Run a worker of a cluster')
    .addArgument(program.createArgument('<master>', `address of the master, such as ws://192.0.2.7:${DEFAULT_PORT}`))
    .action(async (url, options) => (await import('./commands/worker.ts')).worker(url, options))

  later
    .of(program.command('tile'), ofPictures)
    .description('Trace one tile of a frame alone, as a worker would: the error of a frame says with which options')
    .summary('Trace one tile of a frame alone')
    .argument('<scene>', 'as for render')
    .action(async (scene, options) => (await import('./commands/tile.ts')).tile(scene, options))

  later
    .of(program.command('drain'), async () => (await import('./options/groups/master.ts')).DRAIN)
    .description('Have a worker leave a running cluster: it first finishes what it has begun')
    .summary('Have a worker leave a running cluster')
    .argument('<worker>', 'its name')
    .action(async (worker, options) => (await import('./commands/drain.ts')).drain(worker, options))

  addDeployment(program, later)

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
    .summary('Show what is in a scene')
    .argument('<scene>', "a built-in scene (see 'sortfirst scenes') or a file, folder, .zip or module")
    .option('--json', 'as JSON')
    .addOption(cacheFlags()[0])
    .addOption(cacheFlags()[1])
    .action(async (scene, options) => (await import('./commands/inspect.ts')).inspect(scene, options))
  addLists(program)

  program
    .command('reproduce')
    .description('Reproduce the experiments of the papers: a page with their figures and ours side by side')
    .summary('Reproduce the experiments of the papers')
    .addArgument(
      program.createArgument(
        '[papers...]',
        '000: the Prediction Binary Tree, 002: Charm++, 003: CPU and accelerator (default: all)',
      ),
    )
    .addOption(new Option('--scene <name>', 'a built-in scene or a mesh file (default: dragon)'))
    .addOption(
      new Option('-o, --out <folder>', 'where index.html and results.json go (default: out/reproduce)').env(
        'SORTFIRST_OUT',
      ),
    )
    .addOption(new Option('--quick', 'few and small frames: shows what it makes, without figures'))
    .addOption(new Option('--json', 'print results.json, too'))
    .addOption(cacheFlags()[0])
    .addOption(cacheFlags()[1])
    .action(async (papers, options) => (await import('./commands/reproduce.ts')).reproduce(papers, options))

  foldHelp(program)
  showFirst(program, EXAMPLES)
  endInSentences(program)
  return program
}

const withScene = (command: Command): Command =>
  command.argument(
    '<scene>',
    "a built-in scene (see 'sortfirst scenes') or a file: .ply .obj .stl .glb .gltf, or a folder or .zip with one; or a module: .js .mjs",
  )

const ofPictures = async () => (await import('./options/groups/index.ts')).GROUPS

/** The command lines that render what a page shows, but for its camera and size. */
async function renderCommandsOf(command: Command): Promise<ViewLines> {
  const { ofAnyScene, TILE_FLAGS } = await import('./options/groups/index.ts')
  return (scene, isDropped) => {
    const known = isDropped ? ofAnyScene(TILE_FLAGS) : TILE_FLAGS
    const line = renderCommand(scene, command, known)
    const bare = bareCommand(scene, command, known)
    return line === undefined ? {} : { command: line, ...(bare ? { bare } : {}) }
  }
}

/** The command line that traces a tile of a run's frames alone. */
const tileCommandOf = async (scene: string, command: Command): Promise<string | undefined> =>
  tileCommand(scene, command, (await import('./options/groups/index.ts')).TILE_FLAGS)
