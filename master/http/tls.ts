/** The certificate and key of a master, checked before it listens, so that what is wrong with them is said at once. */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { certificateOf } from '../../shared/access/node/certificates.ts'
import { OptionError } from '../../shared/errors.ts'

/** Both in PEM form; the certificate may be followed by those that link it to an authority. */
export interface MasterTls {
  readonly cert: string
  readonly key: string
}

/**
 * @param now ms since 1970
 * @throws OptionError
 */
export function checkedTls({ cert, key }: MasterTls, now: number): MasterTls {
  const certificate = certificateOf('--tls-cert', cert)
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  if (now > to) throw new OptionError('--tls-cert', 'a certificate that is valid now', `one that expired on ${day(to)}`)
  if (now < from) throw new OptionError('--tls-cert', 'a certificate that is valid now', `one valid from ${day(from)}`)
  if (!certificate.checkPrivateKey(privateKeyOf(key)))
    throw new OptionError('--tls-key', 'the private key of the certificate', 'that of another one')
  return { cert, key }
}

function privateKeyOf(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    throw new OptionError('--tls-key', 'a private key in PEM form, without a passphrase', 'text that is none')
  }
}

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
