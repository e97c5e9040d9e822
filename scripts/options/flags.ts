/** Commander's options of a command, made of groups. */
import { Option as Flag } from 'commander'
import {
  type CommandName,
  commandLine,
  forCaller,
  type Group,
  longFlag,
  type Option,
  optionsOf,
} from './declare/group.ts'
import { cache } from './groups/cache.ts'
import { defaultText, helpText } from './words.ts'

/** Those of all groups that the command has. */
export function flagsOf(groups: readonly Group[], command: CommandName): Flag[] {
  const { name } = commandLine(groups, command)
  return groups.flatMap(group =>
    [...optionsOf([group], command).values()].map(option =>
      flagOf(option, name, command, forCaller(option.heading, command) ?? group.heading),
    ),
  )
}

/** @param name what other options are called @param heading that of its group */
function flagOf(option: Option<unknown>, name: (key: string) => string, command: CommandName, heading?: string): Flag {
  const style = { name, value: (word: string) => word }
  const usual = defaultText(option, command, style)
  const help = helpText(option, command, style)
  const made = new Flag(option.flag!, usual === '' ? help : `${help} (default: ${usual})`)
  if (option.variable?.includes(command)) made.env(variableOf(option))
  if (heading !== undefined && heading !== PLAIN) made.helpGroup(heading)
  if (option.hidden) made.hideHelp()
  if (option.mandatory) made.makeOptionMandatory()
  if (option.kind.repeated) made.argParser<string[]>((text, before = []) => [...before, text])
  return made
}

/** Where scenes are kept, for commands that have no groups. */
export const cacheFlags = (): [Flag, Flag] => [
  flagOf(cache.options.cache, key => key, 'render'),
  flagOf(cache.options.noCache, key => key, 'render'),
]

/** The heading that commander gives options without one. */
const PLAIN = 'Options:'

export const variableOf = (option: Option<unknown>): string =>
  `SORTFIRST_${longFlag(option).slice(2).replaceAll('-', '_').toUpperCase()}`
