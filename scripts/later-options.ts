/** Options that a command gets when it is asked for: those of all commands take longer to load than what most commands need. */
import { type Command, Help } from 'commander'
import { foldGroups } from './help.ts'
import type { CommandName, Group } from './options/declare/group.ts'
import { flagsOf } from './options/flags.ts'

type Load = () => Promise<readonly Group[]>

/** What all commands get, for the documentation. */
const LOADS = new WeakMap<Command, Load>()

/** The groups that a command gets its options of. */
export const groupsOf = async (command: Command): Promise<readonly Group[]> => (await LOADS.get(command)?.()) ?? []

export class LaterOptions {
  readonly #loads = new Map<Command, Load>()

  constructor(program: Command) {
    program
      .configureHelp({ ...program.configureHelp(), subcommandTerm: command => this.#term(command) })
      .hook('preSubcommand', (_, command) => this.#complete(command))
  }

  /** Has the command get its options of these groups, and returns it. */
  of(command: Command, load: Load): Command {
    this.#loads.set(command, load)
    LOADS.set(command, load)
    return command
  }

  async #complete(command: Command): Promise<void> {
    const load = this.#loads.get(command)
    if (!load) return
    this.#loads.delete(command)
    for (const each of flagsOf(await load(), command.name() as CommandName)) command.addOption(each)
    foldGroups(command)
  }

  /** In the list of commands. */
  #term(command: Command): string {
    const term = new Help().subcommandTerm(command)
    const isOpen = this.#loads.has(command) && command.options.length === 0
    return isOpen ? term.replace(command.name(), `${command.name()} [options]`) : term
  }
}
