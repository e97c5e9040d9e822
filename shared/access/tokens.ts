/**
 * Who may do what at a master: rights, and the secrets that grant them. Tokens are written as one secret that grants everything, or
 * as a line for each right, `worker=…`, `client=…`, `viewer=…`, `operate=…`; a secret in several lines grants all of these rights. No
 * error repeats any of the text, because it is secret.
 */
import { OptionError } from '../errors.ts'

/**
 * Workers trace; clients bring scenes and take frames; viewers read what the master says of itself; who may operate acts on what is
 * others', and has workers leave. All but workers may read, too.
 */
export const RIGHTS = ['worker', 'client', 'viewer', 'operate'] as const
export type Right = (typeof RIGHTS)[number]

/** The secret of each right. A right without one is granted to nobody. */
export type Tokens = Readonly<Partial<Record<Right, string>>>

/** Of a secret, characters. 16 random ones cannot be guessed at the pace at which a master looks at them. */
const [MIN_LENGTH, MAX_LENGTH] = [16, 256]

/** What `Authorization: Bearer` can carry (RFC 6750 §2.1). */
const SENDABLE = /^[A-Za-z0-9\-._~+/]+=*$/

export const HOW_TO_MAKE_A_TOKEN = "'openssl rand -hex 32' makes one"

/**
 * Reads tokens. Empty lines and those that begin with `#` do not count.
 * @param source where the text comes from, for errors
 * @throws OptionError
 */
export function parseTokens(source: string, text: string): Tokens {
  const lines = text
    .split('\n')
    .map((line, i) => ({ line: line.trim(), number: i + 1 }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
  if (lines.length === 1 && rightOf(lines[0]!.line) === undefined) {
    const secret = checkedSecret(source, lines[0]!.line)
    return Object.fromEntries(RIGHTS.map(right => [right, secret]))
  }
  const tokens: Partial<Record<Right, string>> = {}
  for (const { line, number } of lines) {
    const right = rightOf(line)
    const expected = `one secret, or lines ${RIGHTS.map(right => `${right}=…`).join(', ')}`
    if (right === undefined) throw new OptionError(source, expected, `a line ${number} that is none of these`)
    if (tokens[right] !== undefined) throw new OptionError(source, expected, `two lines ${right}=…`)
    tokens[right] = checkedSecret(source, line.slice(right.length + 1).trim())
  }
  if (lines.length === 0)
    throw new OptionError(source, `a secret of at least ${MIN_LENGTH} characters (${HOW_TO_MAKE_A_TOKEN})`, 'nothing')
  return tokens
}

/** The secret that a peer presents to be admitted as `right`. @throws OptionError */
export function secretOf(source: string, tokens: Tokens, right: Right): string {
  const secret = tokens[right]
  if (secret !== undefined) return secret
  const others = Object.keys(tokens).join(' and ')
  throw new OptionError(source, `a line ${right}=…, or one secret for everything`, `lines for ${others} only`)
}

/** The secret itself, if it is one. @throws OptionError */
export function checkedSecret(source: string, secret: string): string {
  if (!SENDABLE.test(secret))
    throw new OptionError(source, 'a secret of the characters A–Z a–z 0–9 - . _ ~ + / and = at the end', 'others, too')
  if (secret.length < MIN_LENGTH || secret.length > MAX_LENGTH)
    throw new OptionError(
      source,
      `a secret of ${MIN_LENGTH} to ${MAX_LENGTH} characters, so that nobody can guess it (${HOW_TO_MAKE_A_TOKEN})`,
      `one of ${secret.length}`,
    )
  return secret
}

const rightOf = (line: string): Right | undefined => RIGHTS.find(right => line.startsWith(`${right}=`))
