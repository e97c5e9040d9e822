/**
 * The text of `--help`: first examples, then the options that are used most, then what other groups of options there are, which
 * `--help <group>` shows. No screen of it is longer than forty lines; `--help all` is everything.
 */
import { type Command, Help, type Option } from 'commander'
import { OptionError } from '../shared/errors.ts'
import { DEFAULT_PORT } from '../shared/protocol/version.ts'

/** Heading for options without a group. */
const PLAIN_GROUP = 'Options:'

/** Of commands with many options, those on the first screen. */
const COMMON: Readonly<Record<string, readonly string[]>> = {
  render: [
    ...[
      '--out',
      '--output',
      '--resume',
      '--frames',
      '--size',
      '--camera',
      '--samples',
      '--noise',
      '--denoise',
      '--time',
    ],
    ...['--eye', '--sun', '--exposure', '--master'],
  ],
  compare: [
    ...['--strategies', '--repeat', '--out', '--resume', '--frames', '--size', '--samples', '--camera', '--workers'],
    ...['--master', '--trace', '--json'],
  ],
  view: [
    ...['--open', '--port', '--size', '--eye', '--samples', '--noise', '--denoise', '--sun', '--workers', '--threads'],
    '--master',
  ],
  simulate: [
    ...['--strategies', '--workers', '--speeds', '--latency', '--bandwidth', '--frames', '--size', '--samples'],
    ...['--record', '--check', '--out', '--json'],
  ],
  worker: ['--threads', '--name', '--cores', '--engine', '--accelerator', '--retry-for', '--token-file', '--tls-ca'],
  tile: ['--frame', '--rect', '--out', '--frames', '--size', '--camera', '--samples', '--engine'],
}

/** What is said of some of them there, where the beginning of their help would say too little or too much. */
const BRIEF: Readonly<Record<string, string>> = {
  '--output': 'png, png16, exr, webp, mp4, animated-webp',
  '--camera': 'a path, such as orbit or still, or a .json file',
  '--noise': 'samples where they are needed, such as 0.05',
  '--denoise': 'on removes the noise that is left',
  '--samples': 'rays per pixel',
  '--time': 'the most time of a frame, such as 90s or 10m',
  '--sun': 'its direction, degrees, such as 90,30, or none',
  '--exposure': 'a factor, +1stops, or auto',
  '--workers': 'how many',
  '--bandwidth': 'of each link, Mbit/s',
  '--record': 'keeps the traced costs in a file',
  '--check': 'whether simulated frames take as long as live ones',
  '--tls-ca': 'whom to trust at wss://, a PEM file',
  '--trace': 'every span of every frame, for Perfetto',
  '--json': 'the summary, and nothing else, as JSON',
}

/** What each group of options is about. */
const ABOUT: Readonly<Record<string, string>> = {
  options: 'those of the command itself',
  page: 'how the page is opened',
  output: 'files, layers of EXR files, checkpoints, logs',
  picture: 'frames, size, region, time, noise, motion blur',
  recording: 'which of its frames',
  scene: 'the scene that is traced where there is no recording',
  cluster: 'workers, threads, masters and caches',
  light: 'how light is traced',
  camera: 'where the scene is seen from',
  look: 'floor, surroundings, sun and materials',
  display: 'exposure, view and white balance',
  strategy: 'tuning of strategies',
  accelerators: 'what traces beside the CPU',
}

const MASTER = `ws://192.0.2.7:${DEFAULT_PORT}`

/** Examples by command: a command line and its result. */
const EXAMPLES: Readonly<Record<string, readonly (readonly [line: string, outcome: string])[]>> = {
  render: [
    ['sortfirst render model.glb --frames 1 --noise 0.05 --denoise on', 'a clean still; --region makes a part of it'],
    ['sortfirst render walk.glb --output mp4 --out walk --resume', 'a film, or the frames of it that are missing'],
    [`sortfirst render glass --master ${MASTER}`, 'on the cluster of that master'],
  ],
  compare: [
    ['sortfirst compare glass', 'equal blocks compared with balanced ones: a report with charts'],
    ['sortfirst compare bunny.ply --workers 4 --strategies static-blocks,pbt', 'the first one is the baseline'],
    ['sortfirst compare glass --strategies all --trace trace.json', 'every strategy; Perfetto opens the trace'],
  ],
  view: [
    ['sortfirst view glass --open', 'in the browser of this machine'],
    ['sortfirst view room.glb --samples 256 --size 1920x1080', 'stills with at most this many samples and pixels'],
    [`sortfirst view glass --master ${MASTER}`, 'on the cluster of that master'],
  ],
  simulate: [
    ['sortfirst simulate glass --workers 8,64,512', 'traced once, then shared by clusters of three sizes'],
    ['sortfirst simulate run.ndjson --strategies pbt,predictive', 'a recording from --record of render or compare'],
    ['sortfirst simulate run.ndjson --check', 'whether simulated frames take as long as live ones'],
  ],
  master: [
    ['sortfirst master', 'for workers and clients on this machine'],
    [
      `sortfirst master --listen 0.0.0.0:${DEFAULT_PORT} --token-file secrets`,
      'also for those on other machines that have the secret',
    ],
    ['sortfirst master --fast-math', 'for workers with that option'],
  ],
  worker: [
    ['sortfirst worker 127.0.0.1', 'a master on this machine'],
    [`sortfirst worker ${MASTER} --threads 8 --token-file secrets`, 'a master elsewhere'],
    [`sortfirst worker ${MASTER} --engine webgpu`, 'a graphics card traces'],
  ],
  tile: [
    ['sortfirst tile glass --frame 7 --rect 640,0,64,64', 'tile.png: these pixels of that frame'],
    ['sortfirst tile glass --frame 7 --rect 640,0,64,64 --engine reference', 'the same with another engine'],
    ['sortfirst tile bunny.ply --size 640x360 --frame 0 --rect 0,0,32,32 -o corner.png', 'of a smaller frame'],
  ],
  drain: [
    ['sortfirst drain anna', 'the worker of that name leaves the master on this machine and ends'],
    [`sortfirst drain anna --master ${MASTER}`, 'the same at a master elsewhere'],
    ['sortfirst drain anna --json', 'what happened, for programs'],
  ],
  slurm: [
    ['sortfirst slurm --print --nodes 8 --time 1:00:00 -- render house.glb > film.sh', 'then: sbatch film.sh'],
    ['sortfirst slurm --print --cpus 16 -- render house.glb > film.sh', 'a part of each of four nodes'],
    [
      `sortfirst slurm --print --array 32 --master ${MASTER} --token-file secret > workers.sh`,
      'workers that start when there is room',
    ],
  ],
  systemd: [
    ['sortfirst systemd --print master > sortfirst-master.service', 'its first lines say where it goes'],
    ['sortfirst systemd --print master --listen 192.0.2.7:7411', 'on one address'],
    [
      `sortfirst systemd --print worker --master ${MASTER} > sortfirst-worker.service`,
      'for each machine of the cluster',
    ],
  ],
  kubernetes: [
    [
      'sortfirst kubernetes --print --image registry.example/sortfirst:1 > cluster.yaml',
      'then: kubectl apply -f cluster.yaml',
    ],
    ['sortfirst kubernetes --print --image IMAGE --workers 32 --cpus 8 --memory 16Gi', '32 workers of 8 cores'],
    ['sortfirst kubernetes --print --image IMAGE --workers 32 --autoscale keda', 'and none while no one renders'],
  ],
  new: [
    ['sortfirst new strategy mine.js', 'a file to change'],
    ['sortfirst new predictor costs.js', 'the same for a predictor'],
    ['sortfirst compare glass --strategies pbt,./mine.js', 'then compares it with others'],
  ],
  inspect: [
    ['sortfirst inspect glass', 'a built-in scene'],
    ['sortfirst inspect bunny.ply', 'a file: its own content, and apart from it what is added to show it'],
    ['sortfirst inspect house.zip --json', 'the scene in an archive or a folder, for programs'],
  ],
  scenes: [
    ['sortfirst scenes', 'what can be rendered without a file'],
    ['sortfirst scenes --json', 'the same for programs'],
    ['sortfirst render glass', 'one of them'],
  ],
  strategies: [
    ['sortfirst strategies', 'what each does, and when to use it'],
    ['sortfirst strategies --json', 'the same for programs'],
    ['sortfirst render glass --strategy pbt', 'one of them'],
  ],
  engines: [
    ['sortfirst engines', 'what is available here, and what is not'],
    ['sortfirst render glass --engine webgpu', 'on a graphics card'],
    ['sortfirst render glass --engine webgpu --mix-engines', 'the same, and the CPU beside it'],
  ],
  reproduce: [
    ['sortfirst reproduce', 'all experiments, with the default scene'],
    ['sortfirst reproduce 000 --scene buddha.ply', 'those of one paper, with a mesh'],
    ['sortfirst reproduce 003 --out node', 'where the page goes'],
  ],
  cache: [
    ['sortfirst cache', 'where the cache is, and its size'],
    ['sortfirst cache show --json', 'the same for programs'],
    ['sortfirst cache clear', 'frees the disk'],
  ],
}

/** Of a command, in the documentation, too. */
export const examplesOf = (command: string): readonly (readonly [line: string, outcome: string])[] =>
  EXAMPLES[command] ?? []

/**
 * The words of a command line that asks for help: `help render` and `--help render` are `render --help`. Of a command that does not exist,
 * only what is wrong is left, because commander would show the help of all.
 */
export function helpWords(program: Command, words: readonly string[]): readonly string[] {
  const [first = '', ...others] = words
  const leads = ['help', '--help', '-h'].includes(first)
  if (!leads && !words.includes('--help') && !words.includes('-h')) return words
  const said = leads ? others : words
  let command = program
  let depth = 0
  for (; command.commands.length > 0; depth++) {
    const word = said[depth]
    if (word === undefined || word.startsWith('-')) break
    const next = command.commands.find(each => each.name() === word)
    if (!next) return said.slice(0, depth + 1)
    command = next
  }
  return leads ? [...said.slice(0, depth), '--help', ...said.slice(depth)] : words
}

/** Adds groups and examples to the `--help` of every command. */
export function foldHelp(program: Command): void {
  for (const command of program.commands) {
    const plain = new Help()
    foldGroups(command)
    command.configureHelp({
      ...command.configureHelp(),
      visibleOptions: cmd => visible(plain.visibleOptions(cmd), cmd),
      visibleArguments: cmd => (isOneGroup(cmd) ? [] : plain.visibleArguments(cmd)),
      argumentDescription: argument => {
        const whole = plain.argumentDescription(argument)
        return isFirst(command) ? whole.split('; or a module')[0]! : whole
      },
      commandDescription: cmd => (isOneGroup(cmd) ? '' : cmd.description()),
      optionDescription: option => {
        if (askedGroup(command) === 'all' || !isLong(command)) return plain.optionDescription(option)
        return isFirst(command) ? (BRIEF[option.long ?? ''] ?? briefly(option.description)) : option.description
      },
      groupItems: (all, shown, headingOf) =>
        isFirst(command) && shown.length > 0 && 'long' in shown[0]!
          ? new Map([['Options used most:', [...shown]]])
          : plain.groupItems(all, shown, headingOf),
      formatHelp: (cmd, helper) => {
        const [usage, ...sections] = plain.formatHelp.call(helper, cmd, helper).trimEnd().split('\n\n')
        if (isOneGroup(cmd)) return `${[usage, ...sections, VARIABLES].join('\n\n')}\n`
        const description = cmd.description() === '' ? [] : sections.splice(0, 1)
        const parts = [usage!, ...description, ...examplesText(examplesOf(cmd.name())), ...sections, ...groupsText(cmd)]
        return `${parts.join('\n\n')}\n`
      },
    })
  }
}

/** Puts examples before the commands of the program. */
export function showFirst(program: Command, examples: string): void {
  program.configureHelp({
    ...program.configureHelp(),
    formatHelp: (command, helper) => {
      const [usage, description, ...sections] = new Help().formatHelp.call(helper, command, helper).split('\n\n')
      return [usage, description, examples, ...sections].join('\n\n')
    },
  })
}

/** Lets `--help` ask for a group, if there are several. */
export function foldGroups(command: Command): void {
  if (groupsOf(command).length > 1)
    command.helpOption('-h, --help [group]', 'display help, for one group of options or for all')
}

function visible(options: readonly Option[], command: Command): Option[] {
  const group = askedGroup(command)
  if (group === 'all') return [...options]
  if (group !== undefined) return options.filter(option => keyOf(option.helpGroupHeading ?? PLAIN_GROUP) === group)
  const common = COMMON[command.name()]
  return common ? common.flatMap(long => options.find(option => option.long === long) ?? []) : [...options]
}

/** The word after `--help`. @throws OptionError if it is not a group of the command */
function askedGroup(command: Command): string | undefined {
  const words = wordsOf(command)
  const at = words.findIndex(word => word === '--help' || word === '-h')
  const group = at < 0 ? undefined : words[at + 1]
  const groups = groupsOf(command)
  if (groups.length < 2 || group === undefined || group.startsWith('-')) return undefined
  if (group !== 'all' && !groups.includes(group))
    throw new OptionError('--help', `nothing after it, or one of ${groups.join(', ')}, all`, `'${group}'`)
  return group
}

const isOneGroup = (command: Command): boolean => ![undefined, 'all'].includes(askedGroup(command))

/** Whether it has too many options for one screen. */
const isLong = (command: Command): boolean => Object.hasOwn(COMMON, command.name())

/** Whether only the options that are used most are shown. */
const isFirst = (command: Command): boolean => isLong(command) && askedGroup(command) === undefined

/** The whole command line, which only the root command has. */
function wordsOf(command: Command): readonly string[] {
  if (command.parent) return wordsOf(command.parent)
  return 'rawArgs' in command ? (command.rawArgs as string[]) : []
}

const groupsOf = ({ options }: Command): string[] => [
  ...new Set(options.map(option => keyOf(option.helpGroupHeading ?? PLAIN_GROUP))),
]

/** `strategy` of `Strategy:`. */
const keyOf = (heading: string): string => heading.split(/[:,]/)[0]!.toLowerCase()

/** What an option does, without alternatives and long defaults. */
function briefly(description: string): string {
  const [, help = description, usual] = /^(.*?)(?: \(default: (.*)\))?$/s.exec(description) ?? []
  const first = help.split(/; |: /)[0]!
  return usual !== undefined && usual.length <= LONGEST_DEFAULT ? `${first} (default: ${usual})` : first
}

const LONGEST_DEFAULT = 16

const VARIABLES = 'Everything, with the variables that set options, too: --help all'

/** The groups with what they are about and how many options they have; none for commands that show all at once. */
function groupsText(command: Command): string[] {
  if (!isFirst(command)) return []
  const groups = groupsOf(command)
  const width = Math.max(...groups.map(group => group.length))
  const lines = groups.map(group => {
    const count = command.options.filter(
      option => !option.hidden && keyOf(option.helpGroupHeading ?? PLAIN_GROUP) === group,
    ).length
    return `  --help ${group.padEnd(width)}   ${ABOUT[group] ?? ''} (${count})`
  })
  return [`All options, by group:\n${[...lines, '  --help all'].join('\n')}`]
}

function examplesText(examples: ReturnType<typeof examplesOf>): string[] {
  if (examples.length === 0) return []
  const width = Math.max(...examples.map(([line]) => line.length))
  return [`Examples:\n${examples.map(([line, outcome]) => `  ${line.padEnd(width)}   ${outcome}`).join('\n')}`]
}
