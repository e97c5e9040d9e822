/** Command lines that make a part of what another makes: the words that a run was given for its picture. */
import type { Command } from 'commander'
import type { ViewFacts } from '../../shared/page/view-offer.ts'
import { HAND_WORDS } from '../../shared/page/view-words.ts'
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

/**
 * The lines of a view, by the scene that it shows.
 * @param isDropped whether the scene is a file that was dropped onto the page: what was said of camera and look was said of another one
 */
export type ViewLines = (scene: string, isDropped: boolean) => Pick<ViewFacts, 'command' | 'bare'>

/** The same of a picture that a page shows, for `sortfirst render`, but for its camera and size. */
export const renderCommand = (scene: string, given: Command, known: ReadonlySet<string>): string | undefined =>
  commandLine('render', scene, given, ofRender(known))

const ofRender =
  (known: ReadonlySet<string>) =>
  (long: string, value: unknown): boolean =>
    known.has(long) && !OF_CAMERA.includes(long) && !(long === '--up' && `${value}`.includes(','))

/** Flags for what a page sets by hand, by what they say. */
const OF_HAND = {
  exposure: ['--exposure'],
  toneMapping: ['--view', '--tone-mapping'],
  sun: ['--sun', '--no-sun'],
  environmentRotation: ['--environment-rotation'],
  environmentIntensity: ['--environment-intensity'],
} as const satisfies Record<(typeof HAND_WORDS)[number], readonly string[]>

/** The line of a view without what its page sets by hand, and the words that it has for that. */
export function bareCommand(
  scene: string,
  given: Command,
  known: ReadonlySet<string>,
): NonNullable<ViewFacts['bare']> | undefined {
  const kept = ofRender(known)
  const flags: readonly string[] = Object.values(OF_HAND).flat()
  const command = commandLine('render', scene, given, (long, value) => kept(long, value) && !flags.includes(long))
  const words = HAND_WORDS.flatMap(key => {
    const own: readonly string[] = OF_HAND[key]
    const said = shellLine(wordsOf(given, long => known.has(long) && own.includes(long)))
    return said === '' ? [] : [[key, said] as const]
  })
  return command === undefined ? undefined : { command, words: Object.fromEntries(words) }
}

function commandLine(
  command: string,
  scene: string,
  given: Command,
  isKept: (long: string, value: unknown) => boolean,
): string | undefined {
  const line = shellLine(['sortfirst', command, scene, ...wordsOf(given, isKept)])
  return line.length <= MOST_LENGTH && printable(line) === line ? line : undefined
}

const wordsOf = (given: Command, isKept: (long: string, value: unknown) => boolean): string[] =>
  given.options
    .filter(option => isKept(option.long ?? '', given.getOptionValue(option.attributeName())))
    .flatMap(option => {
      const name = option.attributeName()
      const source = given.getOptionValueSource(name)
      if (source === undefined || source === 'default') return []
      const value: unknown = given.getOptionValue(name)
      if (option.negate) return value === false ? [option.long!] : []
      return value === true ? [option.long!] : [option.long!, `${value}`]
    })
