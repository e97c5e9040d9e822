/** Options of `sortfirst slurm`. */
import {
  commandLine,
  type GivenOf,
  group,
  option,
  readWords,
  type SettledOf,
  settled,
  type Words,
} from '../declare/group.ts'
import { flag, type Kind, path, text, wholeNumber } from '../declare/kinds.ts'

/** For commands that write a file that is used elsewhere. */
export const print = option({
  flag: '--print',
  kind: flag,
  help: 'print it; start nothing',
  mandatory: true,
})

/** How long a worker waits for a master before it ends, s. */
export const DEATH_TIMEOUT_S = 120
/** A year. */
const MOST_SECONDS = 31_536_000

/** A text of this form. @param such how it may look */
export const textLike = (form: RegExp, such: string): Kind<string> => {
  const plain = text()
  return {
    ...plain,
    read(word, wrong) {
      if (!form.test(word)) throw wrong(such, `'${word}'`)
      return word
    },
  }
}

const ARRAY = [{ needs: 'array', because: ': workers of a master elsewhere' }] as const
const FILM = [{ excludes: 'array', because: ': a film is one job' }] as const

const slurm = group('Options:', ['slurm'], {
  print,
  nodes: option({
    flag: '--nodes <n>',
    kind: wholeNumber(1, 65_536),
    help: 'nodes of the job, a worker on each',
    usual: 4,
    rules: FILM,
  }),
  array: option({
    flag: '--array <n>',
    kind: wholeNumber(1, 65_536),
    help: 'instead of a film: this many jobs, each a worker for {master}, which start when there is room',
    rules: [{ needs: 'master' }],
  }),
  master: option({
    flag: '--master <url>',
    kind: text(),
    help: 'with {array}: the master that the workers join',
    rules: ARRAY,
  }),
  cpus: option({
    flag: '--cpus <n>',
    kind: wholeNumber(1, 1024),
    help: 'CPUs of each node',
    otherwise: 'whole nodes',
  }),
  time: option({
    flag: '--time <limit>',
    kind: textLike(
      /^(\d+(:\d+){0,2}|\d+-\d+(:\d+){0,2})$/,
      'a time as Slurm writes it, such as 90 (minutes), 1:30:00 or 2-12',
    ),
    help: 'time limit of each job, as Slurm writes it, such as 1:30:00',
    otherwise: 'that of the partition',
  }),
  partition: option({
    flag: '--partition <name>',
    kind: textLike(/^[\w.,-]+$/, 'the name of a partition, or several with commas'),
    help: 'partition of the jobs',
    otherwise: 'the usual one',
  }),
  grace: option({
    flag: '--grace <seconds>',
    kind: wholeNumber(1, 65_535),
    help: 'how long before its time limit a job ends by itself',
    usual: 60,
  }),
  requeues: option({
    flag: '--requeues <n>',
    kind: wholeNumber(0, 10_000),
    help: 'how often a film whose time is over is queued again for its missing frames',
    usual: 20,
    rules: FILM,
  }),
  deathTimeout: option({
    flag: '--death-timeout <seconds>',
    kind: wholeNumber(1, MOST_SECONDS),
    help: 'with {array}: how long a worker waits for a master',
    usual: DEATH_TIMEOUT_S,
    rules: ARRAY,
  }),
  tokenFile: option({
    flag: '--token-file <file>',
    kind: path('file'),
    help: 'with {array}: the file with the secret of workers',
    otherwise: 'SORTFIRST_TOKEN where they are submitted',
    rules: ARRAY,
  }),
  tlsCa: option({
    flag: '--tls-ca <file>',
    kind: path('file'),
    help: 'with {array}, of a master at wss://: whom to trust, PEM',
    rules: ARRAY,
  }),
})

export const SLURM = [slurm] as const

/** What was given, and the same with defaults. @throws UsageError */
export function readSlurm(words: Words): SettledOf<typeof slurm> & { readonly given: GivenOf<typeof slurm> } {
  const voice = commandLine(SLURM, 'slurm')
  const given = readWords(voice, words) as GivenOf<typeof slurm>
  return { ...(settled(voice, given) as SettledOf<typeof slurm>), given }
}
