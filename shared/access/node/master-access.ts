/** What a worker or client presents to its master, and how it knows that it is the right one. */

import { OptionError } from '../../errors.ts'
import { checkedSecret } from '../tokens.ts'
import { certificateOf } from './certificates.ts'

export interface MasterAccess {
  /** The secret that the master knows for workers, or clients. @default none */
  readonly token?: string
  /** Of `wss://` masters: whom to trust, as certificates in PEM form. @default the authorities that Node.js knows */
  readonly tls?: { readonly ca: string }
}

/** @throws OptionError */
export function checkedAccess({ token, tls }: MasterAccess, url: string): MasterAccess {
  if (tls && !url.startsWith('wss:'))
    throw new OptionError('--tls-ca', 'a master at wss:// with it, because others are not encrypted', url)
  if (tls) certificateOf('--tls-ca', tls.ca)
  if (token !== undefined) checkedSecret('token', token)
  return { ...(token === undefined ? {} : { token }), ...(tls ? { tls } : {}) }
}
