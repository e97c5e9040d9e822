/** Commands whose errors are sentences: those of commander are usage errors like any others. */
import type { Command } from 'commander'

/** Has every command throw its errors, with the command as it is typed, and print nothing. */
export function endInSentences(program: Command): void {
  for (const command of withSubcommands(program))
    command
      .exitOverride(error => {
        throw Object.assign(error, { command: pathOf(command) })
      })
      .configureOutput({ outputError: () => {} })
}

/** The command as typed: `sortfirst new strategy`. */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

const withSubcommands = (command: Command): Command[] => [command, ...command.commands.flatMap(withSubcommands)]
