/** `sortfirst master`. */
import { startMaster } from '../library/master.ts'
import { interruptible } from '../run/interrupt.ts'
import { wholeNumber } from '../run/option-values.ts'
import { endedBySignal, exitWithInput, stderrLog } from './daemon.ts'

/** More than any operating system has ports for one address. */
const MOST_CONNECTIONS = 1_000_000

export interface RawMasterOptions {
  readonly listen: string
  readonly maxConnections: string
  readonly maxConnectionsPerAddress: string
  readonly fastMath?: boolean
  /** Exit when standard input ends: the process that started this one holds it, and is then gone. */
  readonly untilInputEnds?: boolean
}

export async function master(raw: RawMasterOptions): Promise<void> {
  const { listen, fastMath = false, untilInputEnds } = raw
  const connections = {
    total: wholeNumber('--max-connections', raw.maxConnections, 1, MOST_CONNECTIONS),
    perAddress: wholeNumber('--max-connections-per-address', raw.maxConnectionsPerAddress, 1, MOST_CONNECTIONS),
  }
  if (untilInputEnds) exitWithInput('master')
  await interruptible(async signal => {
    const running = await startMaster({ listen, fastMath, connections, log: stderrLog })
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
    await running.close()
    endedBySignal('master', signal)
  })
}
