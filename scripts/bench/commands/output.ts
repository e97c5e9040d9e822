/** What benches print. */
import { print } from '../../files/standard-output.ts'
import { describeHost } from '../../run/host.ts'
import type { Timing } from '../measure.ts'

export const progress = (line: string): void => void process.stderr.write(`${line}\n`)

/** Style of tables. */
export const PLAIN = { head: [], border: [], compact: true }

export const cells = ({ medianMs, bestMs }: Timing): string[] => [medianMs.toFixed(3), bestMs.toFixed(3)]

/** Of the host, too. */
export const printJson = (result: object): Promise<void> =>
  print(`${JSON.stringify({ host: describeHost(), ...result }, null, 2)}\n`)
