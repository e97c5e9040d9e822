/** `sortfirst master`. */
import { startMaster } from '../library/master.ts'
import { masterAccessOptions, type RawMasterAccessOptions } from '../run/access-options.ts'
import { interruptible } from '../run/interrupt.ts'
import { endedBySignal, exitWithInput, stderrLog } from './daemon.ts'

export interface RawMasterOptions extends RawMasterAccessOptions {
  readonly listen: string
  readonly fastMath?: boolean
  /** Exit when standard input ends: the process that started this one holds it, and is then gone. */
  readonly untilInputEnds?: boolean
}

export async function master({ listen, fastMath = false, untilInputEnds, ...raw }: RawMasterOptions): Promise<void> {
  const access = masterAccessOptions(raw, process.env)
  if (untilInputEnds) exitWithInput('master')
  await interruptible(async signal => {
    const running = await startMaster({ listen, ...access, fastMath, log: stderrLog })
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
    await running.close()
    endedBySignal('master', signal)
  })
}
