/** Everything that is made of the commands and of the groups of options, by file. */
import { posix } from 'node:path'
import { LIBRARY } from '../library/program-options.ts'
import { strategy } from '../options/groups/strategy.ts'
import { simulation } from '../simulate/group.ts'
import { commandReference } from './command-docs.ts'
import { optionTable, optionTypes, programTable } from './option-docs.ts'

/** A document with its tables made again: each stands between two comments, of which the first names it. */
const withTables = (document: string, tables: Readonly<Record<string, string>>): string =>
  document.replaceAll(
    /(<!-- options: (.+) -->\n)[\s\S]*?(\n<!-- end -->)/g,
    (_, begin, name, end) => `${begin}\n${tables[name]}\n${end}`,
  )

const REFERENCE = 'scripts/commands/REFERENCE.md'

/** Documents with tables. */
const DOCUMENTS = ['scripts/library/README.md', 'master/strategies/README.md', 'master/simulator/README.md']

/** Text for a document, whose links are from the root of the repository. */
const linked = (text: string, path: string): string =>
  text.replaceAll(/\]\(([\w./-]+\.md)?(#[\w-]+)?\)/g, (_, to: string = path, anchor: string = '') =>
    to === path ? `](${anchor})` : `](${posix.relative(posix.dirname(path), to)}${anchor})`,
  )

/** Everything that is made of the groups, by path from the root of the repository. @param read what is there */
export async function generated(
  read: (path: string) => string,
): Promise<readonly (readonly [path: string, text: string])[]> {
  const tables = {
    strategies: optionTable([strategy], ['render', 'compare', 'simulate']),
    library: programTable(LIBRARY),
    'simulated clusters': optionTable([simulation], ['simulate'], 'Cluster:'),
  }
  const linkedTables = (path: string) =>
    Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, linked(table, path)]))
  return [
    ['scripts/library/render-options.ts', optionTypes(LIBRARY)],
    [REFERENCE, linked(await commandReference(), REFERENCE)],
    ...DOCUMENTS.map(path => [path, withTables(read(path), linkedTables(path))] as const),
  ]
}
