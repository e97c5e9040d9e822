/** Command-line options that say who may join a master, and what workers and clients present to it. */
import { Option } from 'commander'
import { option } from './option.ts'

/** Of the master. */
export const masterAccessFlags = (): Option[] => [
  ...tokenFlags('who may do what: a file with one secret, or lines worker=…, client=…, viewer=…, operate=…'),
  option('--tls-cert <file>', 'TLS_CERT', 'encrypt connections (wss://): the certificate, PEM'),
  option('--tls-key <file>', 'TLS_KEY', 'its private key, PEM'),
  new Option('--insecure', 'let in everybody, without a token, also from other machines'),
]

/** Of a worker or a client. */
export const accessFlags = (of: 'workers' | 'clients' | 'operate'): Option[] => [
  ...tokenFlags(`the secret that the master knows for ${of === 'operate' ? 'the right to operate' : of}`),
  option('--tls-ca <file>', 'TLS_CA', 'of a master at wss://: whom to trust, PEM (default: the usual authorities)'),
]

/** Secrets are not options' values: `--token` is known so that it can be refused in words. */
const tokenFlags = (text: string): Option[] => [
  option('--token-file <file>', 'TOKEN_FILE', `${text} (instead of the variable SORTFIRST_TOKEN)`),
  new Option('--token [secret]').hideHelp(),
]
