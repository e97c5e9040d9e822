/** Options of `sortfirst systemd`. */
import { isAbsolute } from 'node:path'
import { DEFAULT_PORT } from '../../../shared/protocol/version.ts'
import { commandLine, group, option, readWords, type SettledOf, settled, type Words } from '../declare/group.ts'
import { type Kind, path, text } from '../declare/kinds.ts'
import { print } from './slurm.ts'

const absolute: Kind<string> = {
  ...path('file'),
  read(word, wrong) {
    if (!isAbsolute(word) || /[\s"'\\]/.test(word))
      throw wrong('an absolute path without spaces or quotes', `'${word}'`)
    return word
  },
}

const systemd = group('Options:', ['systemd'], {
  print,
  listen: option({
    flag: '--listen <host:port>',
    kind: text(),
    help: 'of a master: its address for workers and clients',
    usual: `0.0.0.0:${DEFAULT_PORT}`,
  }),
  master: option({
    flag: '--master <url>',
    kind: text(),
    help: 'of a worker: the master that it joins',
  }),
  tokenFile: option({
    flag: '--token-file <file>',
    kind: absolute,
    help: 'the file of the secret, for root alone',
    usual: '/etc/sortfirst/token',
  }),
})

export const SYSTEMD = [systemd] as const

/** @throws UsageError */
export function readSystemd(words: Words): SettledOf<typeof systemd> {
  const voice = commandLine(SYSTEMD, 'systemd')
  return settled(voice, readWords(voice, words)) as SettledOf<typeof systemd>
}
