/** `sortfirst master`. */
import { createInterface } from 'node:readline'
import { messageOf } from '../../shared/errors.ts'
import { print } from '../files/standard-output.ts'
import { type Master, startMaster } from '../library/master.ts'
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
    joinLinks,
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
    const stopLinks = joinLinks ? giveLinks(running) : () => {}
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
    stopLinks()
    await running.finish(messageOf(signal.reason))
    await running.close()
    endedBySignal('master', log, signal)
  })
}

/** Prints a link, and another one for each line that is typed. @returns what ends it */
function giveLinks(running: Master): () => void {
  const give = () => void print(`${running.joinLink()}\n`).catch(() => {})
  give()
  const lines = createInterface({ input: process.stdin })
  lines.on('line', give)
  return () => lines.close()
}
