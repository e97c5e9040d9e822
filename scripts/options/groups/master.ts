/** Options of `sortfirst master`, and of `sortfirst drain`, which speaks to one. */
import { CONNECTIONS, MOST_EXPELLED_PER_ADDRESS } from '../../../shared/protocol/peer-limits.ts'
import { DEFAULT_PORT } from '../../../shared/protocol/version.ts'
import { LOG_FORMS } from '../../terminal/json-log.ts'
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
import { flag, number, oneOf, text, wholeNumber } from '../declare/kinds.ts'
import { accessOfOperators, accessToMaster } from './access.ts'
import { pageAt } from './page.ts'

/** What a link of `sortfirst master` lets do. */
export const PAGE_LINKS = ['watch', 'operate'] as const

/** More than any operating system has ports for one address. */
const MOST_CONNECTIONS = 1_000_000
const OF_MASTER = { variable: ['master'] } as const
/** A day, and a year. */
const MOST_FRAME_MS = 86_400_000
const MOST_DONE_S = 31_536_000
const LOCAL = `127.0.0.1:${DEFAULT_PORT}`

/** For programs that start this one. */
export const untilInputEnds = option({
  flag: '--until-input-ends',
  kind: flag,
  help: 'end when standard input does',
  usual: false,
  hidden: true,
})

/** Of programs that run until they are stopped. */
export const logOfDaemons = option({
  flag: '--log <form>',
  kind: oneOf('form of the log', LOG_FORMS),
  help: 'form of the lines on standard error: text or json',
  usual: 'text',
  variable: ['master', 'worker'],
})

/** They say how many workers are wanted. */
export const workTargets = {
  targetFrameMs: option({
    flag: '--target-frame-ms <ms>',
    kind: number(0.001, MOST_FRAME_MS),
    help: 'what a frame may take; /healthz and /metrics say how many workers that is worth',
    otherwise: 'a second for frames of a view',
    ...OF_MASTER,
  }),
  targetDoneS: option({
    flag: '--target-done-s <seconds>',
    kind: number(0.001, MOST_DONE_S),
    help: 'what a film may take from its beginning; with {targetFrameMs} too, what is worth more workers counts',
    otherwise: '10 minutes, unless {targetFrameMs} is given',
    ...OF_MASTER,
  }),
} as const

const master = group('Options:', ['master'], {
  fastMath: option({
    flag: '--fast-math',
    kind: flag,
    help: 'accept workers with {fastMath} instead of those without',
    usual: false,
  }),
  listen: option({
    flag: '--listen <host:port>',
    kind: text(),
    help: 'address for workers and clients',
    usual: LOCAL,
    ...OF_MASTER,
  }),
  page: option({
    flag: '--page <right>',
    kind: oneOf('right of a page', PAGE_LINKS),
    help: 'print a link to a page that shows what clients render: to watch it, or to operate workers and films, too',
    ...{ otherwise: 'no link', variable: ['master'] },
  }),
  pageAt,
  maxConnections: option({
    flag: '--max-connections <n>',
    kind: wholeNumber(1, MOST_CONNECTIONS),
    help: 'connections of workers, clients and others at once',
    usual: CONNECTIONS.total as number,
    ...OF_MASTER,
  }),
  maxConnectionsPerAddress: option({
    flag: '--max-connections-per-address <n>',
    kind: wholeNumber(1, MOST_CONNECTIONS),
    help: 'how many of them may come from one address or IPv6 network',
    usual: CONNECTIONS.perAddress as number,
    ...OF_MASTER,
  }),
  maxExpelledPerAddress: option({
    flag: '--max-expelled-per-address <n>',
    kind: wholeNumber(1, MOST_CONNECTIONS),
    help: 'after so many workers of one address have been expelled, no new ones from there; more behind a gateway',
    usual: MOST_EXPELLED_PER_ADDRESS as number,
    ...OF_MASTER,
  }),
  ...workTargets,
  joinLinks: option({
    flag: '--join-links',
    kind: flag,
    help: 'print a link by which a tab of a browser becomes a worker, and another one for each Enter',
    usual: false,
  }),
  logForm: logOfDaemons,
  untilInputEnds,
})

export const MASTER = [master, accessToMaster] as const

/** @throws UsageError */
export function readMaster(words: Words): SettledOf<typeof master> & GivenOf<typeof accessToMaster> {
  const voice = commandLine(MASTER, 'master')
  return settled(voice, readWords(voice, words)) as SettledOf<typeof master> & GivenOf<typeof accessToMaster>
}

const drain = group('Options:', ['drain'], {
  master: option({
    flag: '--master <url>',
    kind: text(),
    help: 'the master of the cluster',
    usual: LOCAL,
    variable: ['drain'],
  }),
  json: option({ flag: '--json', kind: flag, help: 'as JSON', usual: false }),
})

export const DRAIN = [drain, accessOfOperators] as const

/** @throws UsageError */
export function readDrain(words: Words): SettledOf<typeof drain> & GivenOf<typeof accessOfOperators> {
  const voice = commandLine(DRAIN, 'drain')
  return settled(voice, readWords(voice, words)) as SettledOf<typeof drain> & GivenOf<typeof accessOfOperators>
}
