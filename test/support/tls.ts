/**
 * Certificates for 127.0.0.1, self-signed, in test/support/tls. Made with OpenSSL 3: `openssl genpkey -algorithm EC -pkeyopt
 * ec_paramgen_curve:P-256` for the two keys, `openssl req -new` and `openssl ca -selfsign -startdate 20200101000000Z -enddate
 * 21200101000000Z` (the expired one: until 20200102000000Z) with `subjectAltName=IP:127.0.0.1` for the certificates.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Path of one of the files. */
export const tlsFile = (name: string): string =>
  fileURLToPath(new URL(`../../../test/support/tls/${name}`, import.meta.url))

const text = (name: string): string => readFileSync(tlsFile(name), 'utf8')

/** A certificate and its key. */
export const TLS = { cert: text('cert.pem'), key: text('key.pem') }
/** Another pair. */
export const OTHER_TLS = { cert: text('other-cert.pem'), key: text('other-key.pem') }
/** With the key of `TLS`. */
export const EXPIRED_CERT = text('expired-cert.pem')
