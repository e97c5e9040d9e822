/** `sortfirst master`. */
import { createInterface } from 'node:readline'
import { messageOf } from '../../shared/errors.ts'
import type { Log } from '../../shared/text/log.ts'
import { print } from '../files/standard-output.ts'
import { startMaster } from '../library/master.ts'
import { linkAt } from '../library/shown-view.ts'
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
    page,
    pageAt,
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
    const links = [...(page ? [() => running.link(page)] : []), ...(joinLinks ? [() => running.joinLink()] : [])].map(
      link => () => linkAt(link(), pageAt),
    )
    const stop = links.length > 0 && (await giveLinks(links, linkWords({ page, joinLinks }, process.stdin.isTTY), log))
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
    if (stop) stop()
    await running.finish(messageOf(signal.reason))
    await running.close()
    endedBySignal('master', log, signal)
  })
}

/** For how long links count, and how to get others. @param isTyped whether there is somebody at the keyboard */
export function linkWords(
  { page, joinLinks }: { readonly page?: unknown; readonly joinLinks?: boolean | undefined },
  isTyped: boolean,
): string {
  const kinds = [
    ...(page ? ['a link to the page is for one browser, within a minute'] : []),
    ...(joinLinks ? ['a link to join is for one tab, within ten minutes'] : []),
  ]
  const others = isTyped
    ? 'Enter prints another'
    : 'there is no terminal here: for another one, write a line to its standard input, or start it again'
  return [...kinds, others].join('; ')
}

/** Prints links, and others for each line that is typed. @returns what ends that */
async function giveLinks(links: readonly (() => string)[], words: string, log: Log): Promise<() => void> {
  const give = () => print(links.map(link => `${link()}\n`).join(''))
  await give()
  log.info(words)
  const lines = createInterface({ input: process.stdin })
  lines.on('line', () => void give().catch(() => {}))
  return () => lines.close()
}
