/** `sortfirst master`. */
import { createInterface } from 'node:readline'
import { messageOf } from '../../shared/errors.ts'
import type { Log } from '../../shared/text/log.ts'
import { print } from '../files/standard-output.ts'
import { startMaster } from '../library/master.ts'
import { masterAccessOptions } from '../options/access-options.ts'
import type { Words } from '../options/declare/group.ts'
import { readMaster } from '../options/groups/master.ts'
import { interruptible } from '../terminal/interrupt.ts'
import { endedBySignal, exitWithInput, stderrLog } from './daemon.ts'

export async function master(words: Words): Promise<void> {
  const { listen, fastMath, untilInputEnds, maxConnections, maxConnectionsPerAddress, page, logForm, ...raw } =
    readMaster(words)
  const log = stderrLog(logForm)
  const access = masterAccessOptions(raw, process.env)
  const connections = { total: maxConnections, perAddress: maxConnectionsPerAddress }
  if (untilInputEnds) exitWithInput('master', log)
  await interruptible(async signal => {
    const running = await startMaster({ listen, ...access, fastMath, connections, log })
    const stop = page && (await giveLinks(() => running.link(page), log))
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
    stop?.()
    await running.finish(messageOf(signal.reason))
    await running.close()
    endedBySignal('master', log, signal)
  })
}

/** Prints a link, and another one for each line that is typed. @returns what ends that */
async function giveLinks(linkOf: () => string, log: Log): Promise<() => void> {
  await print(`${linkOf()}\n`)
  if (!process.stdin.isTTY) {
    log.info('the link of --page is for one browser, within a minute')
    return () => {}
  }
  log.info('the link is for one browser, within a minute; Enter gives another one')
  const lines = createInterface({ input: process.stdin })
  lines.on('line', () => void print(`${linkOf()}\n`).catch(() => {}))
  return () => lines.close()
}
