/**
 * Tokens and certificates, from the environment and files. A secret is never an option's value: command lines are seen by everybody on
 * the machine, and kept by shells. It leaves the environment once it is read, so that no program that is started later has it.
 */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { MasterAccess } from '../../shared/access/node/master-access.ts'
import { parseTokens, RIGHTS, type Right, secretOf, type Tokens } from '../../shared/access/tokens.ts'
import { messageOf, OptionError, OptionRuleError } from '../../shared/errors.ts'
import { readCredentialSync } from '../../shared/node/regular-file.ts'

/** As given on the command line, or by variables. */
export interface RawTokenOptions {
  readonly tokenFile?: string
  /** Known so that it can be refused in words. */
  readonly token?: string | boolean
}

export interface RawAccessOptions extends RawTokenOptions {
  readonly tlsCa?: string
}

export interface RawMasterAccessOptions extends RawTokenOptions {
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly insecure?: boolean
}

const VARIABLE = 'SORTFIRST_TOKEN'

/** What a worker or a client presents. @throws OptionError */
export function accessOptions(right: Right, raw: RawAccessOptions, env: NodeJS.ProcessEnv): MasterAccess {
  const found = readTokens(raw, env)
  return {
    ...(found && { token: secretOf(found.source, found.tokens, right) }),
    ...(raw.tlsCa === undefined ? {} : { tls: { ca: readText('--tls-ca', 'a certificate', raw.tlsCa) } }),
  }
}

/** What a run presents to the master that it uses, if any: without `--master`, tokens are not read. @throws OptionError */
export function clientAccess(
  raw: RawAccessOptions & { readonly master?: string },
  env: NodeJS.ProcessEnv,
): MasterAccess {
  if (raw.master !== undefined || raw.token !== undefined) return accessOptions('client', raw, env)
  delete env[VARIABLE]
  return {}
}

/** Whom a master lets in, and how it proves who it is. @throws OptionError */
export function masterAccessOptions(
  { tlsCert, tlsKey, insecure = false, ...raw }: RawMasterAccessOptions,
  env: NodeJS.ProcessEnv,
): { token?: Tokens; tls?: { cert: string; key: string }; insecure: boolean } {
  const found = readTokens(raw, env)
  if (tlsCert === undefined && tlsKey !== undefined) throw new OptionRuleError('--tls-key', 'needs --tls-cert')
  if (tlsCert !== undefined && tlsKey === undefined) throw new OptionRuleError('--tls-cert', 'needs --tls-key')
  return {
    ...(found && { token: found.tokens }),
    ...(tlsCert !== undefined && tlsKey !== undefined
      ? {
          tls: {
            cert: readText('--tls-cert', 'a certificate', tlsCert),
            key: readText('--tls-key', 'a private key', tlsKey),
          },
        }
      : {}),
    insecure,
  }
}

function readTokens({ token, tokenFile }: RawTokenOptions, env: NodeJS.ProcessEnv) {
  if (token !== undefined)
    throw new OptionError(
      '--token',
      `the secret in ${VARIABLE}, or in a file with --token-file`,
      'it on the command line, where others on this machine can see it',
    )
  const text = env[VARIABLE]
  delete env[VARIABLE]
  if (tokenFile !== undefined && text !== undefined)
    throw new OptionError('--token-file', `it or ${VARIABLE}`, 'both; unset one of them')
  if (tokenFile !== undefined) {
    const source = `--token-file ${tokenFile}`
    return { source, tokens: parseTokens(source, readTokenText(tokenFile)) }
  }
  return text === undefined ? undefined : { source: VARIABLE, tokens: parseTokens(VARIABLE, text) }
}

/** Of a file, or of a folder with a file for each right, as Kubernetes mounts a Secret: lines `worker=…`. */
function readTokenText(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return readText('--token-file', 'tokens', path)
  const files = RIGHTS.map(right => [right, join(path, right)] as const).filter(([, file]) => existsSync(file))
  if (files.length === 0)
    throw new OptionError(
      '--token-file',
      `the path of a file with tokens, or of a folder with files ${RIGHTS.join(', ')}`,
      `'${path}', which is a folder with none of them`,
    )
  // One line each: what a file says grants no other right.
  const secretIn = (file: string) => readText('--token-file', 'a token', file).trim().replaceAll(/\s+/g, ' ')
  return files.map(([right, file]) => `${right}=${secretIn(file)}\n`).join('')
}

function readText(option: string, what: string, path: string): string {
  if (path.trim() === '') throw new OptionError(option, `the path of a file with ${what}`, 'nothing')
  try {
    return readCredentialSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new OptionError(
      option,
      `the path of a file with ${what}`,
      `'${path}', ${WORDS[code ?? ''] ?? messageOf(error)}`,
    )
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'which does not exist',
  EISDIR: 'which is a folder',
  EACCES: 'which this user may not read',
}
