/** Asks a running master to let a worker leave. */
import { AccessDeniedError } from '../../shared/access/access-denied.ts'
import type { MasterAccess } from '../../shared/access/node/master-access.ts'
import { CancelledError, messageOf, SortfirstError } from '../../shared/errors.ts'
import { CLOSE_CODES } from '../../shared/protocol/channel.ts'
import { type Drained, parseToClient } from '../../shared/protocol/client-messages.ts'
import { MasterLine } from '../../shared/protocol/node/master-line.ts'
import { AVAILABLE_ENCODINGS } from '../../shared/protocol/node/pixel-encoding.ts'
import { PROTOCOL_VERSION } from '../../shared/protocol/version.ts'
import { MasterConnectionError, RemoteError } from './remote-errors.ts'

/**
 * Resolves when all workers of the name have left; with none if there is none.
 * Rejects with MasterConnectionError, AccessDeniedError or TlsError, with RemoteError when the master refuses, or with CancelledError.
 */
export function drainWorker(url: string, worker: string, access: MasterAccess, signal: AbortSignal): Promise<Drained> {
  const line = new MasterLine(url, access)
  const { channel } = line
  return new Promise((resolve, reject) => {
    const cancel = () => {
      channel.terminate()
      reject(new CancelledError())
    }
    signal.addEventListener('abort', cancel)
    channel.listen({
      control: message => {
        const said = parseToClient(message)
        if (said.type === 'welcome') {
          line.welcomed()
          channel.send({ type: 'drain', worker })
        } else if (said.type === 'drained') {
          channel.close(CLOSE_CODES.done, 'done')
          resolve({ left: said.left, remaining: said.remaining })
        } else if (said.type === 'goodbye' && said.code !== 'DONE') reject(refusal(said))
      },
      binary: () => {},
      closed: (_, reason) => {
        signal.removeEventListener('abort', cancel)
        reject(new MasterConnectionError(url, `the connection was lost${reason ? ` (${reason})` : ''}`))
      },
    })
    line.opened.then(
      () =>
        channel.send({
          type: 'hello',
          role: 'client',
          protocol: PROTOCOL_VERSION,
          encodings: [...AVAILABLE_ENCODINGS],
        }),
      error => reject(error instanceof SortfirstError ? error : new MasterConnectionError(url, messageOf(error))),
    )
  })
}

const refusal = ({ code, reason }: { readonly code: string; readonly reason: string }): Error =>
  code === 'ACCESS_DENIED' ? new AccessDeniedError(reason) : new RemoteError(code, reason)
