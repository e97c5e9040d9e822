/**
 * The text of `--help`: commonly used options, in groups, and three examples. Rarely used groups are folded into one line,
 * and shown by `--help <group>`.
 */
import { type Command, Help } from 'commander'
import { OptionError } from '../shared/errors.ts'
import { DEFAULT_PORT } from '../shared/protocol/version.ts'

/** Headings of groups that are shown only on request. */
const FOLDED: readonly string[] = ['Strategy:']

/** Heading for options without a group. */
const PLAIN_GROUP = 'Options:'

const MASTER = `ws://192.0.2.7:${DEFAULT_PORT}`

/** Examples by command: a command line and its result. */
const EXAMPLES: Readonly<Record<string, readonly (readonly [line: string, outcome: string])[]>> = {
  render: [
    ['sortfirst render dragon --frames 20 --out film', 'PNG frames; with --resume only the missing ones'],
    ['sortfirst render bunny.ply --output png,exr --aov depth,normal', 'linear light and channels, too'],
    [`sortfirst render dragon --master ${MASTER}`, 'on the cluster of that master'],
  ],
  compare: [
    ['sortfirst compare dragon', 'equal blocks compared with balanced ones: a report with charts'],
    ['sortfirst compare bunny.ply --workers 4 --strategies static-blocks,pbt', 'the first one is the baseline'],
    ['sortfirst compare dragon --strategies all --trace trace.json', 'every strategy; Perfetto opens the trace'],
  ],
  view: [
    ['sortfirst view dragon --open', 'in the browser of this machine'],
    ['sortfirst view room.glb --samples 256 --size 1920x1080', 'stills of at most so many samples and pixels'],
    [`sortfirst view dragon --master ${MASTER}`, 'on the cluster of that master'],
  ],
  simulate: [
    ['sortfirst simulate dragon --workers 8,64,512', 'traced once, then shared by clusters of three sizes'],
    ['sortfirst simulate run.ndjson --strategies pbt,predictive', 'a recording from --record of render or compare'],
    ['sortfirst simulate run.ndjson --check', 'whether simulated frames are as long as live ones'],
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
    [`sortfirst worker ${MASTER} --retry-for 86400`, 'waits up to a day for the master'],
  ],
  tile: [
    ['sortfirst tile dragon --frame 7 --rect 640,0,64,64', 'tile.png: these pixels of that frame'],
    ['sortfirst tile dragon --frame 7 --rect 640,0,64,64 --engine reference', 'the same with another engine'],
    ['sortfirst tile bunny.ply --size 640x360 --frame 0 --rect 0,0,32,32 -o corner.png', 'of a smaller frame'],
  ],
  drain: [
    ['sortfirst drain anna', 'the worker of that name leaves the master on this machine, and ends'],
    [`sortfirst drain anna --master ${MASTER}`, 'the same at a master elsewhere'],
    ['sortfirst drain anna --json', 'what happened, for programs'],
  ],
  new: [
    ['sortfirst new strategy mine.js', 'a file to change'],
    ['sortfirst new predictor costs.js', 'the same for a predictor'],
    ['sortfirst compare dragon --strategies pbt,./mine.js', 'then compares it with others'],
  ],
  inspect: [
    ['sortfirst inspect dragon', 'a built-in scene'],
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
    ['sortfirst render dragon --strategy pbt', 'one of them'],
  ],
  engines: [
    ['sortfirst engines', 'what is available here, and what is not'],
    ['sortfirst engines --json', 'the same for programs'],
    ['sortfirst render dragon --engine reference', 'one of them'],
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

/** Adds groups and examples to the `--help` of every command. */
export function foldHelp(program: Command): void {
  for (const command of program.commands) {
    const examples = EXAMPLES[command.name()]
    foldGroups(command)
    command.configureHelp({
      ...command.configureHelp(),
      visibleOptions: cmd => {
        const all = Help.prototype.visibleOptions.call(new Help(), cmd)
        const group = askedGroup(cmd)
        if (group === 'all') return all
        const shown = (heading: string) => (group === undefined ? !FOLDED.includes(heading) : keyOf(heading) === group)
        return all.filter(option => shown(option.helpGroupHeading ?? PLAIN_GROUP))
      },
      visibleArguments: cmd => (isOneGroup(cmd) ? [] : Help.prototype.visibleArguments.call(new Help(), cmd)),
      commandDescription: cmd => (isOneGroup(cmd) ? '' : cmd.description()),
    })
    command.addHelpText('after', () => (isOneGroup(command) ? '' : `${foldedText(command)}${examplesText(examples)}`))
  }
}

/** Lets `--help` ask for a group, if there are several. */
export function foldGroups(command: Command): void {
  if (groupsOf(command).length > 1)
    command.helpOption('-h, --help [group]', 'display help, for one group of options or for all')
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

function foldedText(command: Command): string {
  if (askedGroup(command) === 'all') return ''
  const folded = FOLDED.filter(heading => groupsOf(command).includes(keyOf(heading)))
  const lines = folded.map(heading => {
    const count = command.options.filter(option => option.helpGroupHeading === heading).length
    return `\n${heading} ${count} more options, shown by --help ${keyOf(heading)} (everything: --help all)\n`
  })
  return lines.join('')
}

function examplesText(examples: (typeof EXAMPLES)[string] = []): string {
  if (examples.length === 0) return ''
  const width = Math.max(...examples.map(([line]) => line.length))
  return `\nExamples:\n${examples.map(([line, outcome]) => `  ${line.padEnd(width)}   ${outcome}`).join('\n')}`
}
