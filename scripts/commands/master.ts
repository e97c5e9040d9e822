/** `sortfirst master`. */
import { messageOf } from '../../shared/errors.ts'
import { startMaster } from '../library/master.ts'
import { masterAccessOptions, type RawMasterAccessOptions } from '../options/access-options.ts'
import { wholeNumber } from '../options/option-values.ts'
import { interruptible } from '../terminal/interrupt.ts'
import { endedBySignal, exitWithInput, stderrLog } from './daemon.ts'

/** More than any operating system has ports for one address. */
const MOST_CONNECTIONS = 1_000_000

export interface RawMasterOptions extends RawMasterAccessOptions {
  readonly listen: string
  readonly maxConnections: string
  readonly maxConnectionsPerAddress: string
  readonly fastMath?: boolean
  /** Exit when standard input ends: the process that started this one holds it, and is then gone. */
  readonly untilInputEnds?: boolean
}

export async function master({ listen, fastMath = false, untilInputEnds, ...raw }: RawMasterOptions): Promise<void> {
  const access = masterAccessOptions(raw, process.env)
  const connections = {
    total: wholeNumber('--max-connections', raw.maxConnections, 1, MOST_CONNECTIONS),
    perAddress: wholeNumber('--max-connections-per-address', raw.maxConnectionsPerAddress, 1, MOST_CONNECTIONS),
  }
  if (untilInputEnds) exitWithInput('master')
  await interruptible(async signal => {
    const running = await startMaster({ listen, ...access, fastMath, connections, log: stderrLog })
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
    await running.finish(messageOf(signal.reason))
    await running.close()
    endedBySignal('master', signal)
  })
}
