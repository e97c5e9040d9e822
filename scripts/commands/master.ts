/** `sortfirst master`. */
import { startMaster } from '../library/master.ts'
import { interruptible } from '../run/interrupt.ts'
import { endedBySignal, exitWithInput, stderrLog } from './daemon.ts'

export interface RawMasterOptions {
  readonly listen: string
  readonly fastMath?: boolean
  /** Exit when standard input ends: the process that started this one holds it, and is then gone. */
  readonly untilInputEnds?: boolean
}

export async function master({ listen, fastMath = false, untilInputEnds }: RawMasterOptions): Promise<void> {
  if (untilInputEnds) exitWithInput('master')
  await interruptible(async signal => {
    const running = await startMaster({ listen, fastMath, log: stderrLog })
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
    await running.close()
    endedBySignal('master', signal)
  })
}
