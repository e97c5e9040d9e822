/** Command lines that make a part of what another makes: the words that a run was given for its picture. */
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
export const tileCommand = (scene: string, given: Command, known: ReadonlySet<string>): string | undefined =>
  commandLine('tile', scene, given, long => known.has(long))

/** Flags of `render` that a page's own camera and size take the place of. `--up` may be the axis of a mesh. */
const OF_CAMERA = ['--camera', '--camera-path', '--camera-name', '--eye', '--target', '--fov', '--size']

/** The same of a picture that a page shows, for `sortfirst render`, but for its camera and size. */
export const renderCommand = (scene: string, given: Command, known: ReadonlySet<string>): string | undefined =>
  commandLine(
    'render',
    scene,
    given,
    (long, value) => known.has(long) && !OF_CAMERA.includes(long) && !(long === '--up' && `${value}`.includes(',')),
  )

function commandLine(
  command: string,
  scene: string,
  given: Command,
  isKept: (long: string, value: unknown) => boolean,
): string | undefined {
  const words = given.options
    .filter(option => isKept(option.long ?? '', given.getOptionValue(option.attributeName())))
    .flatMap(option => {
      const name = option.attributeName()
      const source = given.getOptionValueSource(name)
      if (source === undefined || source === 'default') return []
      const value: unknown = given.getOptionValue(name)
      if (option.negate) return value === false ? [option.long!] : []
      return value === true ? [option.long!] : [option.long!, `${value}`]
    })
  const line = shellLine(['sortfirst', command, scene, ...words])
  return line.length <= MOST_LENGTH && printable(line) === line ? line : undefined
}
