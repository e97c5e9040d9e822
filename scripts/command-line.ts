/** Runs a command line. Every error that users can encounter ends here as one sentence and an exit code. */
import { readFileSync } from 'node:fs'
import { type Command, CommanderError } from 'commander'
import { SortfirstError } from '../shared/errors.ts'
import { moduleUrl } from '../shared/node/program-files.ts'
import { checkWords } from './terminal/readable-words.ts'

const { version } = JSON.parse(readFileSync(moduleUrl('../package.json'), 'utf8')) as {
  version: string
}

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
    await create(version).parseAsync()
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
    const problem = error.message.replace(/^error: /, '').replaceAll('\n', ' ')
    process.stderr.write(`sortfirst: ${problem}; see ${command} --help\n`)
    return 2
  }
  if (error instanceof SortfirstError && error.code !== 'INVARIANT') {
    process.stderr.write(`sortfirst: ${error.message}\n`)
    return error.exitCode
  }
  // Anything else is a bug: the report needs the stack.
  process.stderr.write(
    `sortfirst: unexpected error, please report it\n${error instanceof Error ? error.stack : String(error)}\n`,
  )
  return 1
}
