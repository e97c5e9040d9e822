/** Command-line options of a master about who may connect to it. */
import { Option } from 'commander'
import { CONNECTIONS } from '../../shared/protocol/peer-limits.ts'

export const connectionOptions = (): [Option, Option] => [
  new Option('--max-connections <n>', 'connections of workers, clients and others at once')
    .env('SORTFIRST_MAX_CONNECTIONS')
    .default(`${CONNECTIONS.total}`, `${CONNECTIONS.total}`),
  new Option('--max-connections-per-address <n>', 'how many of them may come from one address, or one IPv6 network')
    .env('SORTFIRST_MAX_CONNECTIONS_PER_ADDRESS')
    .default(`${CONNECTIONS.perAddress}`, `${CONNECTIONS.perAddress}`),
]
