/** The command line of the benches, `npm run bench -- …`: one command for each measurement. */
import { Command } from 'commander'
import { endInSentences } from '../../sentences.ts'

const EXAMPLES = `
Examples:
  npm run bench -- kernel --engines wasm          rays per second
  npm run bench -- balance --scene corner         every strategy in many situations, simulated
  npm run bench -- compare --against main         whether the kernel has become slower`

export function createBenches(version: string): Command {
  const bench = new Command('npm run bench --')
    .description('Repeatable measurements')
    .version(version)
    .addHelpText('after', EXAMPLES)
    .showSuggestionAfterError()
    .configureHelp({ sortSubcommands: false })
  bench
    .command('kernel')
    .description('How many rays of each kind the kernel and its peers trace per second')
    .option('--mesh <scene>', 'a built-in scene or a mesh file', 'dragon')
    .option('--view <close|scene>', 'the mesh fills the frame, or frame 0 as it is rendered', 'close')
    .option('--size <WxH>', 'camera rays, one per px', '1280x720')
    .option('--rounds <n>', 'number of measured rounds', '7')
    .option('--engines <names>', 'comma-separated; all by default')
    .option('--before <ref>', 'a commit, or the folder of a checkout that has been built: its path-traced frames, too')
    .option('--json', 'as JSON')
    .action(async options => (await import('./kernel.ts')).kernel(options))
  bench
    .command('fuzz')
    .description('Hostile messages to master, worker and client: whether any of them crashes one, or fills its memory')
    .option('--inputs <n>', 'number of inputs', '100000')
    .option('--seed <n>', 'what the inputs depend on (default: a new one each time)')
    .option('--only <n>', 'make only the input of this number')
    .option('--json', 'as JSON')
    .action(async options => (await import('./fuzz.ts')).fuzz(options))
  bench
    .command('fuzz-part', { hidden: true })
    .argument('<inputs>')
    .argument('<seed>')
    .argument('<from>')
    .argument('<journal>')
    .action(async (...args) => (await import('./fuzz.ts')).fuzzPart(args[0], args[1], args[2], args[3]))
  bench
    .command('faults')
    .description('Films while workers die, stop, or are cut off: whether a frame is lost, late, or has other bytes')
    .option('--scenarios <n>', 'number of scenarios', '100')
    .option('--seed <n>', 'what the scenarios depend on (default: a new one each time)')
    .option('--only <n>', 'play only the scenario of this number')
    .option('--lanes <n>', 'clusters that play at the same time', '3')
    .option('--json', 'as JSON')
    .action(async options => (await import('./faults.ts')).faults(options))
  bench
    .command('half')
    .description(
      'Half of the workers go in the middle of a film, and as many come: frames lost, their bytes, and CPU time; exit code 1 if more than 10 % more',
    )
    .option('--scene <name>', 'a built-in scene or a mesh file', 'dragon')
    .option('--size <WxH>', 'frame size in px', '1280x720')
    .option('--samples <n>', 'per pixel', '4')
    .option('--frames <n>', 'number of frames', '24')
    .option('--workers <n>', 'single-threaded workers', '8')
    .option('--rounds <n>', 'how often it is measured', '3')
    .option('--json', 'as JSON')
    .action(async options => (await import('./half.ts')).half(options))
  bench
    .command('soak')
    .description(
      'A master with hundreds of fake workers for minutes: lost frames, memory, and the time from a finished tile to the next order',
    )
    .option('--workers <n>', 'fake workers, 100 in a process', '200')
    .option('--minutes <n>', 'how long frames are asked for; fractions are allowed', '10')
    .option('--frames <n>', 'how many frames are asked for, if that is sooner')
    .option('--real', 'real workers of one thread each; their memory is watched, too')
    .option('--clients <n>', 'clients that render at the same time', '1')
    .option('--size <WxH>', 'frame size in px', '1280x720')
    .option('--strategy <name>', 'how frames are shared', 'demand-driven')
    .option('--px-per-ms <n>', 'how fast a fake worker pretends to trace', '10')
    .option('--json', 'as JSON')
    .action(async options => (await import('./soak.ts')).soak(options))
  bench
    .command('fake-workers', { hidden: true })
    .argument('<master>')
    .argument('<count>')
    .argument('<first>')
    .argument('<px-per-ms>')
    .action(async (...args) => (await import('./soak.ts')).fakeWorkers(args[0], args[1], args[2], args[3]))
  bench
    .command('wire')
    .description("What a large scene and 4K frames cost on the wire, and the master's CPU time")
    .option('--workers <n>', 'workers that build and trace nothing', '8')
    .option('--megabytes <n>', 'of the scene, a million bytes each', '200')
    .option('--size <WxH>', 'frame size in px', '3840x2160')
    .option('--frames <n>', 'frames that are counted, after a first one', '20')
    .option('--strategy <name>', 'how frames are shared', 'predictive')
    .option('--px-per-ms <n>', 'how fast a worker pretends to trace', '5000')
    .option('--json', 'as JSON')
    .action(async options => (await import('./wire.ts')).wire(options))
  bench
    .command('wire-master', { hidden: true })
    .argument('<encoding>')
    .action(async encoding => (await import('./wire.ts')).wireMaster(encoding))
  bench
    .command('wire-worker', { hidden: true })
    .argument('<master>')
    .argument('<name>')
    .argument('<size>')
    .argument('<px-per-ms>')
    .action(async (...args) => (await import('./wire.ts')).wireWorker(args[0], args[1], args[2], args[3]))
  bench
    .command('wire-floor', { hidden: true })
    .argument('<role>')
    .argument('<number>')
    .argument('<bytes>')
    .action(async (...args) => (await import('./wire.ts')).wireFloor(args[0], args[1], args[2]))
  bench
    .command('checkpoint')
    .description(
      'What keeping frames in the making costs: a checkpoint with all sums, and a still that is divided for it',
    )
    .option('--size <WxH>', 'frame size in px', '1920x1080')
    .option('--scene <name>', 'of the still: a built-in scene or a mesh file', 'corner')
    .option('--still-size <WxH>', 'its size in px', '480x270')
    .option('--samples <n>', 'of each of its pixels', '256')
    .option('--rounds <n>', 'number of measured rounds', '5')
    .option('--json', 'as JSON')
    .action(async options => (await import('./checkpoint.ts')).checkpoint(options))
  bench
    .command('passes')
    .description(
      "Large frames of several passes: the wait between passes, how late the master's timers are, whether previews come",
    )
    .option('--size <WxH>', 'frame size in px', '7680x4320')
    .option('--passes <n>', 'of each frame', '4')
    .option('--progressive', 'a preview of each pass but the last')
    .option('--adaptive', 'passes double the samples, and take those of noisy cells alone: half of the picture')
    .option('--frames <n>', 'number of frames', '1')
    .option('--workers <n>', 'workers that draw light instead of tracing it', '2')
    .option('--strategy <name>', 'how frames are shared', 'predictive')
    .option('--lz4', 'packed pixels, as between machines')
    .option('--px-per-ms <n>', 'how fast a worker pretends to trace', '20000')
    .option('--profile', "what the master's event loop is busy with")
    .option('--json', 'as JSON')
    .action(async options => (await import('./passes.ts')).passes(options))
  bench
    .command('passes-master', { hidden: true })
    .argument('<encoding>')
    .action(async encoding => (await import('./passes.ts')).passesMaster(encoding))
  bench
    .command('passes-worker', { hidden: true })
    .argument('<master>')
    .argument('<name>')
    .argument('<px-per-ms>')
    .action(async (...args) => (await import('./passes.ts')).passesWorker(args[0], args[1], args[2]))
  bench
    .command('compare')
    .description('Whether the kernel is slower than at another commit; exit code 1 if by more than 3 %')
    .option('--against <ref>', 'a commit, branch or tag of this git checkout', 'main')
    .option('--mesh <scene>', 'a built-in scene or a mesh file', 'dragon')
    .option('--size <WxH>', 'camera rays, one per px', '1280x720')
    .option('--rounds <n>', 'number of measured rounds', '15')
    .action(async options => (await import('./kernel.ts')).compare(options))
  bench
    .command('cluster')
    .description('What it costs to share a frame among workers, and what more threads of one worker gain')
    .option('--scene <name>', 'a built-in scene or a mesh file', 'dragon')
    .option('--size <WxH>', 'frame size in px', '1280x720')
    .option('--frames <n>', 'number of frames; the first is not counted', '6')
    .option('--workers <n>', 'single-threaded workers', '8')
    .option('--json', 'as JSON')
    .action(async options => (await import('./cluster.ts')).cluster(options))
  bench
    .command('session')
    .description(
      'How soon a second render starts, what a reconnecting worker downloads, how soon an old view is abandoned',
    )
    .option('--scene <name>', 'a built-in scene or a mesh file', 'dragon')
    .option('--size <WxH>', 'frame size in px', '1280x720')
    .option('--workers <n>', 'single-threaded workers', '2')
    .option('--rounds <n>', 'how often each is measured', '5')
    .option('--json', 'as JSON')
    .action(async options => (await import('./cluster.ts')).session(options))
  bench
    .command('view')
    .description(
      'What a page of sortfirst view gets to see: pictures per second while it is dragged, how late, and how soon a still is there',
    )
    .option('--scene <name>', 'a built-in scene or a mesh file', 'dragon')
    .option('--size <WxH>', 'of the picture in the page, px', '1280x720')
    .option('--seconds <n>', 'how long it is dragged', '5')
    .option('--stall-seconds <n>', 'how long it draws nothing then', '6')
    .option('--workers <n>', 'workers, which share the cores', '1')
    .option('--film', 'while the same workers make a film of the scene')
    .option(
      '--parts <list>',
      'beside that: viewers (seven others look on), line (100 ms and 20 Mbit/s away), jumps (to anywhere, at any time); or none',
      'viewers,line,jumps',
    )
    .option('--line-seconds <n>', 'how long it is dragged behind the slow line', '60')
    .option('--jumps <n>', 'how often it jumps', '1000')
    .option('--json', 'as JSON')
    .action(async options => (await import('./view.ts')).view(options))
  bench
    .command('tab')
    .description(
      'A tab of Chromium as a worker: how soon its first tile is there, and its speed beside a worker on Node.js; exit code 1 if no tile comes',
    )
    .option('--scene <name>', 'a built-in scene or a mesh file', 'dragon')
    .option('--size <WxH>', 'frame size in px', '1280x720')
    .option('--samples <n>', 'per pixel', '4')
    .option('--frames <n>', 'number of frames; the first is not compared', '6')
    .option('--cores <n>', 'threads of each', '1')
    .option('--rounds <n>', 'how often it is measured', '3')
    .option('--json', 'as JSON')
    .action(async options => (await import('./tab.ts')).tab(options))
  bench
    .command('startup')
    .description('Time to the first PNG and until a large mesh is ready, and what an idle worker uses')
    .option('--scene <name>', 'a built-in scene or a mesh file', 'dragon')
    .option('--workers <n>', 'single-threaded workers', '8')
    .option('--triangles <n>', 'triangles of the large mesh', '5100000')
    .option('--gltf-triangles <n>', 'triangles of the large glTF file', '2500000')
    .option('--rounds <n>', 'how often each is measured', '3')
    .option('--json', 'as JSON')
    .action(async options => (await import('./cluster.ts')).startup(options))
  bench
    .command('balance')
    .description('Which balancer to use: every strategy in many situations, simulated on the costs of a real scene')
    .option('--scene <name>', 'a built-in scene or a mesh file', 'dragon')
    .option('--size <WxH>', 'frame size in px', '1280x720')
    .option('--frames <n>', 'frames of each camera path', '24')
    .option('--json', 'as JSON')
    .action(async options => (await import('./strategies.ts')).balance(options))
  bench
    .command('motion')
    .description(
      'Films in which things move: how well they are shared, simulated; with files, what each frame costs beside tracing',
    )
    .argument('[files...]', 'scene files or modules in which something moves')
    .option('--size <WxH>', 'frame size in px', '1280x720')
    .option('--frames <n>', 'frames of each film', '24')
    .option('--workers <n>', 'simulated workers; of how many the tracing time of a file is shared', '8')
    .option('--json', 'as JSON')
    .action(async (files, options) => (await import('./motion.ts')).motion(files, options))
  bench
    .command('instances')
    .description('A mesh in many places, instanced and baked: memory, time to build, and speed')
    .option('--copies <n>', 'of a mesh of 4,032 triangles', '1909')
    .option('--size <WxH>', 'frame size in px', '640x360')
    .option('--rounds <n>', 'number of measured rounds', '5')
    .option('--json', 'as JSON')
    .action(async options => (await import('./instances.ts')).instances(options))
  bench
    .command('axes')
    .description(
      'Whether rays along axes cost more than rays beside them, in every way of tracing; exit code 1 if twice as much',
    )
    .option('--mesh <scene>', 'a built-in scene or a mesh file', 'dragon')
    .option('--side <n>', 'parallel rays along each side of a square', '128')
    .option('--rounds <n>', 'number of measured rounds', '7')
    .option('--json', 'as JSON')
    .action(async options => (await import('./axes.ts')).axes(options))
  bench
    .command('denoise')
    .description('How much denoising lowers the error of noisy pictures; exit code 1 if not in every scene')
    .option('--scenes <list>', 'comma-separated: built-in scenes, files, and those of this bench; its ten by default')
    .option('--size <WxH>', 'frame size in px', '320x180')
    .option('--samples <n>', 'per pixel of noisy pictures: 16; with --adaptive the most: 256')
    .option(
      '--adaptive',
      'samples that adaptive frames take with and without it; exit code 1 if no fewer, or if the picture is not as clean as asked',
    )
    .option(
      '--film',
      'how much films flicker that are denoised, and others of four times the samples; exit code 1 if not less',
    )
    .option('--noise <share>', 'what --adaptive asks for', '0.05')
    .option('--reference <n>', 'samples per pixel of what they are compared with', '1024')
    .option('--environment <path>', 'a panorama around built-in scenes and files')
    .option('--out <folder>', 'folder for noisy, denoised and reference side by side', 'out/bench/denoise')
    .option('--json', 'as JSON')
    .action(async options => (await import('./denoise.ts')).denoise(options))
  bench
    .command('kernel-rounds', { hidden: true })
    .argument('<folder>')
    .action(async folder => (await import('./kernel.ts')).kernelRounds(folder))
  bench
    .command('strategies')
    .description('How long strategies take to decide for 8, 64 and 512 workers, and the Charm++ balancers for 10,000')
    .option('--rounds <n>', 'number of measured rounds', '51')
    .option('--json', 'as JSON')
    .action(async options => (await import('./strategies.ts')).strategies(options))
  bench
    .command('schedule')
    .description("What an event of a frame, and a whole frame, cost the master's schedule, by the number of areas")
    .option('--areas <n,…>', 'numbers of areas, each in a frame of its own', '64,1024,4096')
    .option('--strategy <name>', 'how the frame is shared', 'predictive')
    .option('--rounds <n>', 'number of measured rounds', '11')
    .option('--json', 'as JSON')
    .action(async options => (await import('./strategies.ts')).schedule(options))
  bench
    .command('hybrid')
    .description('A worker with an accelerator: each alone, both together, and how soon their shares are right')
    .option('--scene <name>', 'a built-in scene or a mesh file', 'dragon')
    .option('--size <WxH>', 'frame size in px', '960x540')
    .option('--accelerator <kind>', 'such as simulated:4 or simulated:6.7@pcie', 'simulated:4')
    .option('--frames <n>', 'frames of each run', '6')
    .option('--json', 'as JSON')
    .action(async options => (await import('./hybrid.ts')).hybrid(options))
  bench
    .command('pictures')
    .description('Whether pictures are right: against formulas and another tracer; exit code 1 if a check fails')
    .option('--out <folder>', 'folder for the page', 'out/bench/pictures')
    .option('--quick', 'small and noisy, in seconds: finds only gross errors')
    .option(
      '--against-cycles [paths...]',
      "compare with Blender's Cycles, and measure the time to the same error; with paths, only this: glTF files, or folders of them",
    )
    .option(
      '--environment <path>',
      "with files for Cycles: a panorama for those without lights, or 'none' for darkness",
    )
    .option('--diffuse', 'with files for Cycles: all surfaces are diffuse in both')
    .option('--reference <path>', 'with one file: compare with this OpenEXR picture instead of Cycles')
    .option('--samples <n>', 'with files for Cycles: samples per pixel of each of four renderings; 64 by default')
    .option('--against-three <paths...>', "only this: glTF files, or folders of them, beside three.js's own rasteriser")
    .option('--size <WxH>', 'with files: frame size in px; 512x384 by default for three.js, 320x240 for Cycles')
    .option('--chromium <path>', 'with --against-three: the browser, if it is not found by its usual names')
    .option('--json', 'as JSON')
    .action(async options => {
      if (options.againstThree) await (await import('./against-three.ts')).againstThree(options)
      else if (Array.isArray(options.againstCycles)) await (await import('./against-cycles.ts')).againstCycles(options)
      else await (await import('./pictures.ts')).pictures(options)
    })
  endInSentences(bench)
  return bench
}
