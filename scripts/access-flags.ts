/** Command-line options that say who may join a master, and what workers and clients present to it. */
import { Option } from 'commander'

/** Of the master. */
export const masterAccessFlags = (): Option[] => [
  ...tokenFlags('who may do what: a file with one secret, or lines worker=…, client=…, viewer=…'),
  new Option('--tls-cert <file>', 'encrypt connections (wss://): the certificate, PEM').env('SORTFIRST_TLS_CERT'),
  new Option('--tls-key <file>', 'its private key, PEM').env('SORTFIRST_TLS_KEY'),
  new Option('--insecure', 'let in everybody, without a token, also from other machines'),
]

/** Of a worker or a client. */
export const accessFlags = (right: 'worker' | 'client'): Option[] => [
  ...tokenFlags(`the secret that the master knows for ${right}s`),
  new Option('--tls-ca <file>', 'of a master at wss://: whom to trust, PEM (default: the usual authorities)').env(
    'SORTFIRST_TLS_CA',
  ),
]

/** Secrets are not options' values: `--token` is known so that it can be refused in words. */
const tokenFlags = (text: string): Option[] => [
  new Option('--token-file <file>', `${text} (instead of the variable SORTFIRST_TOKEN)`).env('SORTFIRST_TOKEN_FILE'),
  new Option('--token [secret]').hideHelp(),
]
