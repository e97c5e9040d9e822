/** Options that a command does not have, but others do. */
import { type CommandName, longFlag, optionsOf, PICTURES } from './declare/group.ts'
import { GROUPS } from './groups/index.ts'

/** Why some are not where they may be looked for. */
const REASONS: Partial<Readonly<Record<string, Partial<Readonly<Record<CommandName, string>>>>>> = {
  '--time': {
    compare:
      'frames with only so much time have as many samples as their strategy is fast, and can no longer be compared',
  },
}

/** Says that an option that is not known to a command is one of others. @param problem of commander: `unknown option '--time' (Did you mean --size?)` */
export function elsewhere(problem: string, command: string): string | undefined {
  const [, flag] = /^unknown option '(--[a-z0-9-]+)'/.exec(problem) ?? []
  if (flag === undefined) return undefined
  const owners = PICTURES.filter(name => [...optionsOf(GROUPS, name).values()].some(each => longFlag(each) === flag))
  if (owners.length === 0) return undefined
  const because = REASONS[flag]?.[command.replace(/^sortfirst /, '') as CommandName]
  return `unknown option '${flag}': it is one of ${owners.map(name => `'sortfirst ${name}'`).join(', ')}${because === undefined ? '' : `, because ${because}`}`
}
