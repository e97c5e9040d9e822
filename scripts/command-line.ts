/** Runs a command line. Every error that users can encounter ends here as one sentence and an exit code. */
import { existsSync, readFileSync } from 'node:fs'
import { type Command, CommanderError } from 'commander'
import { SortfirstError } from '../shared/errors.ts'
import { bundledFile, COMMIT_FILE, moduleUrl } from '../shared/node/program-files.ts'
import { printable } from '../shared/text/printable.ts'
import { helpWords } from './help.ts'
import { elsewhere } from './options/elsewhere.ts'
import { asksForJson, logLine } from './terminal/json-log.ts'
import { checkWords } from './terminal/readable-words.ts'

const { version: release } = JSON.parse(readFileSync(moduleUrl('../package.json'), 'utf8')) as { version: string }

/** With the commit that it was built of, if that is known: `0.1.0 (abc1234)`; with a + after it, files differ from it. */
const version = existsSync(bundledFile(COMMIT_FILE))
  ? `${release} (${readFileSync(bundledFile(COMMIT_FILE), 'utf8').trim()})`
  : release

// Result writes are awaited by their callers; unhandled, these events would crash the program. A closed standard error is no
// reason to stop.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

/** Sets the exit code. @param isOthers errors with which it rejects, and that others report */
export async function runCommand(
  create: (version: string) => Command,
  isOthers: (error: unknown) => boolean = () => false,
): Promise<void> {
  try {
    checkWords(process.argv, process.env)
    const program = create(version)
    await program.parseAsync(helpWords(program, process.argv.slice(2)), { from: 'user' })
  } catch (error) {
    if (isOthers(error)) throw error
    process.exitCode = report(error)
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError) {
    // Help and version arrive as errors with exit code 0, already printed.
    if (error.exitCode === 0) return 0
    // Without a command, help has been printed.
    if (error.code === 'commander.help') return 2
    const { command = 'sortfirst' } = error as { command?: string }
    const problem = inOneSentence(error.message)
    return said(`${elsewhere(problem, command) ?? problem}; see ${command} --help`, 2)
  }
  if (error instanceof SortfirstError && error.code !== 'INVARIANT') {
    return said(printable(error.message), error.exitCode, error.code)
  }
  // Anything else is a bug: the report needs the stack.
  const stack = error instanceof Error ? error.stack : String(error)
  return said(`unexpected error, please report it\n${stack}`, 1)
}

/** A message of commander: `error: too many arguments for 'render'. Expected 1 argument but got 2.` */
const inOneSentence = (message: string): string =>
  message
    .replace(/^error: /, '')
    .replaceAll('\n', ' ')
    .replace(/\.$/, '')
    .replace(/\. E(?=xpected )/, ': e')

/** Says why the program ends; returns the exit code. What a sentence quotes may not break its line. */
function said(text: string, exitCode: number, code?: string): number {
  const line = asksForJson(process.argv.slice(2), process.env)
    ? logLine({ event: 'error', level: 'error', text, ...(code === undefined ? {} : { code }), exitCode })
    : `sortfirst: ${text}`
  process.stderr.write(`${line}\n`)
  return exitCode
}
