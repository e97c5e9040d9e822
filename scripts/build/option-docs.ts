/** What is made of groups of options for readers: the types of the library, and the tables of the documentation. Pure. */

import { type Caller, forCaller, type Group, longFlag, type Option, optionsOf } from '../options/declare/group.ts'
import { variableOf } from '../options/flags.ts'
import { defaultText, helpText, moreText, type Style } from '../options/words.ts'

const GENERATED = '// Generated from the groups of scripts/options/groups by `npm run docs`.'

/** Where the types are that kinds name. */
const TYPES: Readonly<Record<string, string>> = {
  PlaneName: '../../shared/frame/frame-planes.ts',
  FrameProgress: '../../shared/frame/frame-progress.ts',
  Rect: '../../shared/frame/rect.ts',
  Size: '../../shared/frame/rect.ts',
  FramePreview: '../../shared/session/session.ts',
  StrategyOptions: '../../shared/session/strategy-options.ts',
  Log: '../../shared/text/log.ts',
  Stops: '../options/groups/exposure.ts',
  CameraChoice: './cameras.ts',
  Cluster: './cluster.ts',
  OwnStrategy: './plug-ins.ts',
}

/** `RenderOptions`, as a module. */
export function optionTypes(groups: readonly Group[]): string {
  const options = optionsOf(groups, 'library')
  const text = [...options].map(
    ([key, option]) => `${docstring(option, options)}\n  readonly ${key}?: ${option.kind.type}`,
  )
  const used = Object.entries(TYPES).filter(([name]) =>
    [...options.values()].some(({ kind }) => new RegExp(`\\b${name}\\b`).test(kind.type)),
  )
  const files = new Map<string, string[]>()
  for (const [name, from] of used) files.set(from, [...(files.get(from) ?? []), name])
  const imports = [...files].map(([from, names]) => `import type { ${names.join(', ')} } from '${from}'`)
  return `${GENERATED}\n${imports.join('\n')}\n\n/** What \`render\` is told. */\nexport interface RenderOptions {\n${text.join('\n')}\n}\n`
}

const IN_TYPES: Style = { name: key => `\`${key}\``, value: word => word }

/** Columns of a line of a comment. */
const WIDTH = 118

function docstring(option: Option<unknown>, all: ReadonlyMap<string, unknown>): string {
  const sentences = programWords(option, all).map(text => `${capital(text)}.`)
  const usual = usualText(option)
  const words = `${sentences.join(' ')}${usual === '' ? '' : ` @default ${usual}`}`
  if (words.length <= WIDTH - 9) return `  /** ${words} */`
  const lines = wrapped(sentences.join(' '), WIDTH - 5)
  return [
    '  /**',
    ...lines.map(line => `   * ${line}`),
    ...(usual === '' ? [] : [`   * @default ${usual}`]),
    '   */',
  ].join('\n')
}

/** What it is for programs. */
function programWords(option: Option<unknown>, all: ReadonlyMap<string, unknown>): string[] {
  const help = helpText(option, 'library', IN_TYPES)
  const { range } = option.kind
  return [
    help,
    ...(range === undefined || /\d to \d/.test(help) ? [] : [range]),
    ...[moreText(option, 'library', IN_TYPES)].filter(Boolean),
    ...limits(option, all),
  ].map(marked)
}

/** As a program writes it. */
function usualText(option: Option<unknown>): string {
  const text = defaultText(option, 'library', IN_TYPES)
  const usual = option.otherwise === undefined ? forCaller(option.usual, 'library') : undefined
  if (Array.isArray(usual)) return usual.length === 0 ? 'none' : `[${usual.join(', ')}]`
  if (typeof usual === 'boolean') return `${usual}`
  return typeof usual === 'object' ? 'none' : text
}

/** Which options of the library do not go with it. */
function limits({ rules = [] }: Option<unknown>, all: ReadonlyMap<string, unknown>): string[] {
  const others = rules.flatMap(rule => ('excludes' in rule && all.has(rule.excludes) ? [`\`${rule.excludes}\``] : []))
  return others.length === 0 ? [] : [`not with ${others.join(' or ')}`]
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** An integrator that a text begins with is a name. */
const marked = (text: string): string => text.replace(/^(ambient|path)(:| is)/, '`$1`$2')

function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** A row for each option of programs. */
export function programTable(groups: readonly Group[]): string {
  const options = optionsOf(groups, 'library')
  const rows = [...options].map(([key, option]) => [
    `\`${key}\``,
    usualText(option),
    programWords(option, options).join('; '),
  ])
  return [['option', 'default', ''], ['---', '---', '---'], ...rows].map(lineOf).join('\n')
}

/** Which commands a table is of. */
export type Table = readonly [Exclude<Caller, 'library'>, ...Exclude<Caller, 'library'>[]]

/** Cells of each option of the commands by its name, the same one once. @param heading of the options, if not all */
export function rowsOf(
  groups: readonly Group[],
  commands: Table,
  heading?: string,
): ReadonlyMap<string, readonly string[]> {
  const rows = new Map<string, readonly string[]>()
  for (const each of groups)
    for (const command of commands)
      for (const [key, option] of optionsOf([each], command))
        if (!option.hidden && !rows.has(key) && [undefined, headingOf(option, each, command)].includes(heading))
          rows.set(key, cellsOf(option, commands.filter(has(groups, key)), commands, groups))
  return rows
}

/** A row for each option of the commands. @param heading of the options, if not all */
export const optionTable = (groups: readonly Group[], commands: Table, heading?: string): string =>
  tableOf([...rowsOf(groups, commands, heading).values()])

/** @param rows option, default, variable and words; without any variable, the column is left out */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const hasVariables = rows.some(([, , variable]) => variable !== '')
  const lines = [['option', 'default', 'variable', ''], ['---', '---', '---', '---'], ...rows]
  return lines.map(cells => lineOf(cells.filter((_, column) => column !== 2 || hasVariables))).join('\n')
}

const lineOf = (cells: readonly string[]): string =>
  cells.every(cell => cell === '---')
    ? `|${cells.join('|')}|`
    : `|${cells.map(cell => (cell === '' ? ' ' : ` ${cell.replaceAll('|', '\\|')} `)).join('|')}|`

export const headingOf = (option: Option<unknown>, { heading }: Group, command: Caller): string =>
  forCaller(option.heading, command) ?? heading

const has = (groups: readonly Group[], key: string) => (command: Caller) => optionsOf(groups, command).has(key)

function cellsOf(
  option: Option<unknown>,
  those: readonly Caller[],
  all: Table,
  groups: readonly Group[],
): readonly string[] {
  const options = new Map(groups.flatMap(({ options }) => Object.entries(options)))
  for (const command of those) for (const [key, each] of optionsOf(groups, command)) options.set(key, each)
  const style: Style = { name: key => `\`${longFlag(options.get(key)!)}\``, value: word => `\`${word}\`` }
  const [first, ...others] = those as [Caller, ...Caller[]]
  const prefix = those.length < all.length ? `${those.map(each => `\`${each}\``).join(', ')}: ` : ''
  const help = [...new Set(those.map(each => marked(helpText(option, each, style))))].join('; `compare`: ')
  const more = moreText(option, first, style)
  const usual = defaultText(option, first, style)
  const different = others.flatMap(each => {
    const text = defaultText(option, each, style)
    return text === usual ? [] : [`; \`${each}\` ${text}`]
  })
  const variable = those.some(each => option.variable?.some(command => command === each))
  return [
    `\`${flagText(option)}\``,
    `${usual}${different.join('')}`,
    variable ? `\`${variableOf(option)}\`` : '',
    `${prefix}${help}${more && `; ${more}`}`,
  ]
}

const flagText = ({ flag = '' }: Option<unknown>): string => flag.replace(/^-\w, /, '')
