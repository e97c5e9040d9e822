/** A running cluster elsewhere, as a client of its master. */
import { CancelledError, messageOf, SortfirstError } from '../../shared/errors.ts'
import { BusyMasterError } from '../../shared/protocol/node/connect-failure.ts'
import { type LineOptions, MasterLine } from '../../shared/protocol/node/master-line.ts'
import type { SessionRunner } from '../../shared/session/session.ts'
import { MasterLink } from './master-link.ts'
import { MasterConnectionError } from './remote-errors.ts'
import type { ShowScene } from './shown-view.ts'

/**
 * Connects to a running master; `signal` cancels it.
 * Rejects with MasterConnectionError, AccessDeniedError or TlsError, with RemoteError when the master refuses, or with CancelledError.
 */
export async function connectToCluster(
  url: string,
  options: LineOptions = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<SessionRunner & { readonly show: ShowScene }> {
  if (signal.aborted) throw new CancelledError()
  const line = new MasterLine(url, options)
  const giveUp = () => line.channel.terminate()
  signal.addEventListener('abort', giveUp)
  let link: MasterLink
  try {
    link = await welcomedLink(url, line)
  } catch (error) {
    throw signal.aborted ? new CancelledError() : error
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
  return {
    run: (order, scene, source, sink, signal) => link.run(order, scene, source, sink, signal),
    close: () => link.close(),
    show: (...view) => link.show(...view),
  }
}

async function welcomedLink(url: string, line: MasterLine): Promise<MasterLink> {
  try {
    await line.opened
  } catch (error) {
    // These say themselves what to do.
    if (error instanceof SortfirstError) throw error
    throw new MasterConnectionError(url, messageOf(error), error instanceof BusyMasterError)
  }
  const link = new MasterLink(url, line.channel)
  await link.welcomed
  line.welcomed()
  return link
}
