/**
 * Base classes of all errors. Every error that a user can meet has its own class with a stable code; the message says what was
 * wrong, what was expected, what was received, and what to do. `UsageError` and its subclasses exit the program with code 2.
 */

export abstract class SortfirstError extends Error {
  /** Stable, upper case; listed in ARCHITECTURE.md. */
  abstract readonly code: string
  /** Exit code of the command line when this error terminates it. */
  readonly exitCode: number = 1
  override get name(): string {
    return this.constructor.name
  }
}

/** The command was wrong; running it again unchanged will not help. */
export abstract class UsageError extends SortfirstError {
  override readonly exitCode = 2
}

/** An option's value is out of range or makes no sense. */
export class OptionError extends UsageError {
  readonly code = 'BAD_OPTION'
  readonly option: string
  constructor(option: string, expected: string, got: string) {
    super(`${option}: expected ${expected}, got ${got}`)
    this.option = option
  }
}

/** An option that needs another one, or excludes it. */
export class OptionRuleError extends UsageError {
  readonly code = 'BAD_OPTION'
  readonly option: string
  /** @param rule what comes after the option in a sentence: `needs --shutter` */
  constructor(option: string, rule: string) {
    super(`${option} ${rule}`)
    this.option = option
  }
}

/** A name that is not in a registry. Lists the known names and suggests the nearest. */
export class UnknownNameError extends UsageError {
  readonly code = 'UNKNOWN_NAME'
  /** @param otherwise what else it may be: `a file` */
  constructor(what: string, got: string, known: readonly string[], otherwise?: string) {
    const near = nearest(got, known)
    const expected = `one of ${known.join(', ')}${otherwise === undefined ? '' : `, or ${otherwise}`}`
    super(`unknown ${what} '${got}': expected ${expected}${near ? `; did you mean '${near}'?` : ''}`)
  }
}

/** The caller cancelled its request. */
export class CancelledError extends SortfirstError {
  readonly code = 'CANCELLED'
  constructor() {
    super('cancelled')
  }
}

/** An internal invariant was violated: a bug, never a user's or a peer's fault. */
export class InvariantError extends SortfirstError {
  readonly code = 'INVARIANT'
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message)
}

/** For the end of a switch over a union: a compile error if a member is missing. */
export function assertNever(value: never): never {
  throw new InvariantError(`unexpected value ${JSON.stringify(value)}`)
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The known name within two edits of `got` (or that `got` begins), if any. */
function nearest(got: string, known: readonly string[]): string | undefined {
  const scored = known.map(name => ({ name, edits: editDistance(got.toLowerCase(), name) }))
  const best = scored.sort((a, b) => a.edits - b.edits)[0]
  if (best && best.edits <= Math.max(2, Math.floor(got.length / 3))) return best.name
  return got.length >= 3 ? known.find(name => name.startsWith(got.toLowerCase())) : undefined
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]!
}
