/** Why no connection to a master came about, in words, and whether trying again may help. */
import { AccessDeniedError } from '../../access/access-denied.ts'
import { messageOf, SortfirstError } from '../../errors.ts'

/** The two ends cannot agree on encryption, or the master's certificate is not to be trusted. Retrying unchanged will not help. */
export class TlsError extends SortfirstError {
  readonly code = 'TLS_FAILED'
  constructor(url: string, why: string, cause: unknown) {
    super(`master ${url}: ${why}`, { cause })
  }
}

/** The master has as many connections as it takes; that passes. */
export class BusyMasterError extends Error {}

type SystemError = Error & { readonly code?: string; readonly cert?: { readonly subjectaltname?: string } }

/**
 * An error that says what happened: an AccessDeniedError or a TlsError if it will happen again, else a plain one.
 * @param hasToken whether a token was presented
 */
export function connectFailure(url: string, error: SystemError, hasToken: boolean): Error {
  const status = /^Unexpected server response: (\d+)/.exec(error.message)?.[1]
  if (status === '401')
    return new AccessDeniedError(
      `master ${url}: ${hasToken ? 'expected another token' : 'expected a token, got none'}; set SORTFIRST_TOKEN or --token-file to the secret of that master`,
    )
  if (status === '403')
    return new AccessDeniedError(`master ${url}: expected the token of a worker or a client, got that of a viewer`)
  if (status === '503') return new BusyMasterError('it has too many connections; try again', { cause: error })
  const tls = tlsProblem(error)
  if (tls !== undefined) return new TlsError(url, tls, error)
  return new Error(plainWords(url, error), { cause: error })
}

const UNKNOWN_AUTHORITY =
  'expected a certificate from an authority that this machine trusts, got another; name the authority’s certificate, or a self-signed one itself, with --tls-ca'

function tlsProblem({ code = '', message, cert }: SystemError): string | undefined {
  if (/^CERT_HAS_EXPIRED/.test(code))
    return 'expected a certificate that is valid now, got one that has expired; renew it'
  if (/^CERT_NOT_YET_VALID/.test(code))
    return 'expected a certificate that is valid now, got one that is not valid yet; compare the clocks of the two machines'
  if (/SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF)|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE/.test(code))
    return UNKNOWN_AUTHORITY
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `expected a certificate for that address, got one for ${cert?.subjectaltname ?? 'others'}; use one of these addresses, or another certificate`
  if (/wrong version number|packet length too long|record layer failure/i.test(message))
    return 'expected TLS, got a connection without it; use ws:// or give the master a certificate with --tls-cert'
  if (/^(CERT_|ERR_TLS_|ERR_SSL_|CRL_|INVALID_)/.test(code) || (code === 'EPROTO' && /SSL/i.test(message)))
    return `expected an encrypted connection, got an error (${message.trim().split('\n')[0]})`
  return undefined
}

/** For a host with several addresses the system's error has no message at all. */
function plainWords(url: string, error: SystemError): string {
  const { code = '' } = error
  const words = WORDS[code] ?? (messageOf(error) || code || 'no reason given')
  // A server that expects TLS ends a connection without it, or says something that is not HTTP.
  const mayBeTls = url.startsWith('ws:') && (code === 'ECONNRESET' || code.startsWith('HPE_'))
  return mayBeTls ? `${words}; a master with a certificate is at wss://` : words
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the host name cannot be resolved now',
  ETIMEDOUT: 'no answer',
}
