/** `sortfirst master`. */
import { messageOf } from '../../shared/errors.ts'
import { startMaster } from '../library/master.ts'
import { masterAccessOptions } from '../options/access-options.ts'
import type { Words } from '../options/declare/group.ts'
import { readMaster } from '../options/groups/master.ts'
import { interruptible } from '../terminal/interrupt.ts'
import { endedBySignal, exitWithInput, stderrLog } from './daemon.ts'

export async function master(words: Words): Promise<void> {
  const {
    listen,
    fastMath,
    untilInputEnds,
    maxConnections,
    maxConnectionsPerAddress,
    maxExpelledPerAddress,
    targetFrameMs,
    targetDoneS,
    logForm,
    ...raw
  } = readMaster(words)
  const log = stderrLog(logForm)
  const access = masterAccessOptions(raw, process.env)
  const connections = { total: maxConnections, perAddress: maxConnectionsPerAddress }
  const targets = {
    ...(targetFrameMs === undefined ? {} : { frameMs: targetFrameMs }),
    ...(targetDoneS === undefined ? {} : { doneMs: targetDoneS * 1000 }),
  }
  if (untilInputEnds) exitWithInput('master', log)
  await interruptible(async signal => {
    const running = await startMaster({
      ...{ listen, ...access, fastMath, connections, log },
      mostExpelledPerAddress: maxExpelledPerAddress,
      targets,
    })
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
    await running.finish(messageOf(signal.reason))
    await running.close()
    endedBySignal('master', log, signal)
  })
}
