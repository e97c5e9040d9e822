/** The reference of the command line, made of the commands, their examples and their options. */
import { type Argument, type Command, type Option as Flag, Help } from 'commander'
import { examplesOf } from '../help.ts'
import { groupsOf } from '../later-options.ts'
import { type CommandName, type Group, longFlag, optionsOf } from '../options/declare/group.ts'
import { createProgram } from '../program.ts'
import { headingOf, rowsOf, tableOf } from './option-docs.ts'

const BEGIN = `<!-- Generated from the commands and the groups of scripts/options/groups by \`npm run docs\`. -->

# Reference

All commands of \`sortfirst\`, with their arguments, options and defaults; [recipes](scripts/commands/README.md) say what they are good for. An option with a variable
can also be set in the environment; the command line wins. What options mean beyond a line: [pictures](scripts/options/README.md),
[files and films](scripts/film/README.md), [comparisons](scripts/compare/README.md), [clusters](scripts/deploy/README.md).

Results go to standard output, everything else to standard error. Exit codes: 0 done, 1 failed, 2 wrong usage, 130 ended by Ctrl-C, 143 by SIGTERM;
[ARCHITECTURE.md](ARCHITECTURE.md#error-codes) lists the errors.`

/** The command whose options others share: theirs are listed where they differ. */
const SHARED: CommandName = 'render'

/** The page, as Markdown. */
export async function commandReference(): Promise<string> {
  const commands = visible(createProgram('')).flatMap(each => [each, ...visible(each)])
  const contents = commands.map(
    each => `| [\`${pathOf(each)}\`](#${anchorOf(each)}) | ${each.summary() || each.description()} |`,
  )
  const sections: string[] = []
  const render = commands.find(each => each.name() === SHARED)!
  const shared = await groupsOf(render)
  for (const command of commands) sections.push(sectionOf(command, await groupsOf(command), shared))
  return `${[BEGIN, ['| command | |', '|---|---|', ...contents].join('\n'), ...sections].join('\n\n')}\n`
}

const visible = (command: Command): Command[] =>
  new Help().visibleCommands(command).filter(each => each.name() !== 'help')

const pathOf = (command: Command): string =>
  command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

const anchorOf = (command: Command): string => pathOf(command).replaceAll(' ', '-')

function sectionOf(command: Command, groups: readonly Group[], shared: readonly Group[]): string {
  const plain = command.options.filter(option => !option.hidden)
  const parts = [
    `## ${pathOf(command)}`,
    `${command.description()}.`,
    block('', [usageOf(command, groups.length > 0 || plain.length > 0)]),
    examplesText(command),
    command.registeredArguments.map(argumentText).join('\n'),
    plain.length > 0 ? plainTable(plain) : '',
    groups.length > 0 ? groupTables(command.name() as CommandName, groups, shared) : '',
  ]
  return parts.filter(Boolean).join('\n\n')
}

const block = (language: string, lines: readonly string[]): string => [`\`\`\`${language}`, ...lines, '```'].join('\n')

function usageOf(command: Command, hasOptions: boolean): string {
  const terms = command.registeredArguments.map(argument => {
    const word = `${new Help().argumentTerm(argument)}${argument.variadic ? '...' : ''}`
    return argument.required ? `<${word}>` : `[${word}]`
  })
  const options = hasOptions ? ['[options]'] : []
  return ['sortfirst', pathOf(command), ...options, ...terms].join(' ')
}

function examplesText(command: Command): string {
  const examples = command.parent?.parent ? [] : examplesOf(command.name())
  if (examples.length === 0) return ''
  const width = Math.max(...examples.map(([line]) => line.length))
  return block(
    'sh',
    examples.map(([line, outcome]) => `${line.padEnd(width)}  # ${outcome}`),
  )
}

const argumentText = (argument: Argument): string =>
  `- \`${new Help().argumentTerm(argument)}\`: ${argument.description}`

/** Options of commands that have no groups. */
function plainTable(options: readonly Flag[]): string {
  const rows = options.map(({ flags, description, envVar }) => {
    const [, help = description, usual = ''] = /^(.*?)(?: \(default: (.*)\))?$/s.exec(description) ?? []
    return [`\`${flags.replace(/^-\w, /, '')}\``, usual, envVar === undefined ? '' : `\`${envVar}\``, help]
  })
  return tableOf(rows)
}

/** A table for each heading, or, of a command that shares most, one of what is its own, and the names of the rest. */
function groupTables(command: CommandName, groups: readonly Group[], renders: readonly Group[]): string {
  const common = rowsOf(renders, [SHARED])
  const own = rowsOf(groups, [command])
  const isSame = (key: string, columns: readonly number[]) =>
    command !== SHARED && columns.every(column => own.get(key)![column] === common.get(key)?.[column])
  const same = [...own.keys()].filter(key => isSame(key, ALL))
  const withoutVariable = [...own.keys()].filter(
    key => isSame(key, ALL_BUT_VARIABLE) && own.get(key)![2] === '' && !same.includes(key),
  )
  const shared = [...same, ...withoutVariable]
  if (shared.length === 0) return headingTables(command, groups)
  const different = [...own].flatMap(([key, row]) => (shared.includes(key) ? [] : [row]))
  const options = optionsOf(groups, command)
  const names = (keys: readonly string[]) => keys.map(key => `\`${longFlag(options.get(key)!)}\``).join(', ')
  return [
    tableOf(different),
    same.length > 0 ? `The same as for [${SHARED}](#${SHARED}): ${names(same)}.` : '',
    withoutVariable.length > 0 ? `The same as there, but without a variable: ${names(withoutVariable)}.` : '',
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** Columns of a row: option, default, variable and words. */
const ALL = [0, 1, 2, 3]
const ALL_BUT_VARIABLE = [0, 1, 3]

function headingTables(command: CommandName, groups: readonly Group[]): string {
  const headings = new Set(
    groups.flatMap(group => [...optionsOf([group], command).values()].map(each => headingOf(each, group, command))),
  )
  const tables = [...headings].map(heading => {
    const rows = [...rowsOf(groups, [command], heading).values()]
    return `${headings.size > 1 ? `**${heading.replace(/:$/, '')}**\n\n` : ''}${tableOf(rows)}`
  })
  return tables.join('\n\n')
}
