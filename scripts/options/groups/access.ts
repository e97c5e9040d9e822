/** Who may join a master, and what workers and clients present to it. Files and secrets are read in `access-options.ts`. */
import { CLUSTERS, type CommandName, group, option } from '../declare/group.ts'
import { flag, text } from '../declare/kinds.ts'

/** Secrets are not options' values: `--token` is known so that it can be refused in words. */
const tokens = (help: string, variable: readonly CommandName[]) => ({
  tokenFile: option({
    flag: '--token-file <file>',
    kind: text(),
    help: `${help} (instead of the variable SORTFIRST_TOKEN)`,
    more: 'see [who may join](scripts/deploy/README.md#who-may-join)',
    variable,
  }),
  token: option({ flag: '--token [secret]', kind: text(), help: '', hidden: true }),
})

const trust = (variable: readonly CommandName[]) => ({
  tlsCa: option({
    flag: '--tls-ca <file>',
    kind: text(),
    help: 'of a master at wss://: whom to trust, PEM',
    otherwise: 'the usual authorities',
    variable,
  }),
})

const presented = (heading: string, commands: readonly CommandName[], of: string) =>
  group(heading, commands, {
    ...tokens(`file with the secret that the master knows for ${of}`, commands),
    ...trust(commands),
  })

export const accessOfClients = presented('Cluster:', CLUSTERS, 'clients')
export const accessOfWorkers = presented('Options:', ['worker'], 'workers')
export const accessOfOperators = presented('Options:', ['drain'], 'the right to operate')

export const accessToMaster = group('Options:', ['master'], {
  ...tokens(
    'who may do what: a file with one secret, or lines worker=…, client=…, viewer=…, operate=…, or a folder with files of these names',
    ['master'],
  ),
  tlsCert: option({
    flag: '--tls-cert <file>',
    kind: text(),
    help: 'encrypt connections (wss://): the certificate, PEM',
    variable: ['master'],
  }),
  tlsKey: option({ flag: '--tls-key <file>', kind: text(), help: 'its private key, PEM', variable: ['master'] }),
  insecure: option({
    flag: '--insecure',
    kind: flag,
    help: 'let anyone connect without a token, even from other machines',
  }),
})
