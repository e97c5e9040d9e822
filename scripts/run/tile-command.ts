/** The command line that traces a tile of a run's frames alone: the words that the run was given for its picture. */
import type { Command } from 'commander'
import { printable } from '../../shared/text/printable.ts'
import { shellLine } from '../terminal/shell-word.ts'

/** Of the command, without the tile. */
const MOST_LENGTH = 2000

/**
 * Undefined if it cannot be written as a line.
 * @param given the command that was given
 * @param known flags of `sortfirst tile`
 */
export function tileCommand(scene: string, given: Command, known: ReadonlySet<string>): string | undefined {
  const words = given.options
    .filter(({ long }) => known.has(long ?? ''))
    .flatMap(option => {
      const name = option.attributeName()
      const source = given.getOptionValueSource(name)
      if (source === undefined || source === 'default') return []
      const value: unknown = given.getOptionValue(name)
      if (option.negate) return value === false ? [option.long!] : []
      return value === true ? [option.long!] : [option.long!, `${value}`]
    })
  const line = shellLine(['sortfirst', 'tile', scene, ...words])
  return line.length <= MOST_LENGTH && printable(line) === line ? line : undefined
}
