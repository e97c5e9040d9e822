/** Options of `sortfirst master`, and of `sortfirst drain`, which speaks to one. */
import { CONNECTIONS } from '../../../shared/protocol/peer-limits.ts'
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
import { flag, oneOf, text, wholeNumber } from '../declare/kinds.ts'
import { accessOfOperators, accessToMaster } from './access.ts'

/** More than any operating system has ports for one address. */
const MOST_CONNECTIONS = 1_000_000
const OF_MASTER = { variable: ['master'] } as const
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
