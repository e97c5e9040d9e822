/**
 * Groups of options. An option is said once, in the file of its group: its flag, what its value may be, its default, its words, which options
 * it needs and excludes, what `--resume` compares, and whether programs have it, too. Commander's options (`flags.ts`), the library's types
 * (`library/render-options.ts`) and the tables of the documentation (`tables.ts`) are made of that; words and a program's values are checked
 * here alike. Imports little, because every command knows its options before it loads anything.
 */
import { OptionError, OptionRuleError, UnknownNameError } from '../../../shared/errors.ts'
import { flag as aFlag, type Kind } from './kinds.ts'

/** Commands with options of groups. */
export type CommandName =
  | ('render' | 'compare' | 'view' | 'simulate' | 'tile' | 'master' | 'worker' | 'drain')
  | ('slurm' | 'systemd' | 'kubernetes')
/** Who gives options: a command line, or a program that calls `render`. */
export type Caller = CommandName | 'library'

/** Commands that make frames on a cluster. */
export const RUNS = ['render', 'compare'] as const satisfies readonly CommandName[]
/** Commands that use a cluster. */
export const CLUSTERS = [...RUNS, 'view'] as const satisfies readonly CommandName[]
/** Commands whose frames are a picture of a scene. */
export const PICTURES = ['render', 'compare', 'view', 'simulate', 'tile'] as const satisfies readonly CommandName[]

/** Of what `simulate` is told of a scene. */
export const SCENE_HEADING = 'Scene, traced here when there is no recording:'

export interface Option<T> {
  /** As it is typed, such as `--samples <n>`. Absent: only programs have it. */
  readonly flag?: string
  readonly kind: Kind<T>
  /** What it may be where that depends on options that are declared before it. */
  readonly among?: (given: Given, caller: Caller) => Kind<T>
  /** A value that suits every rule, because what it stands for is decided later. */
  readonly open?: NoInfer<T>
  /** What it is: `{range}` and `{names}` stand for those of its kind, `{fps}` for what the option is called. */
  readonly help: string | ByCaller<string>
  /** What tables and types say beyond that. */
  readonly more?: string | ByCaller<string>
  /** The value where none is given. */
  readonly usual?: NoInfer<T> | ByCaller<NoInfer<T>>
  /** What happens where none is given, if that is no value. */
  readonly otherwise?: string | ByCaller<string>
  /** @default that of its group */
  readonly heading?: string | ByCaller<string>
  /** Not in help: it is known so that it can be refused in words. */
  readonly hidden?: true
  /** Whether a command does not run without it. */
  readonly mandatory?: true
  /** Commands that have it. @default those of its group */
  readonly commands?: readonly CommandName[]
  /** Commands for which a variable sets it, too: `SORTFIRST_` and its flag. @default none */
  readonly variable?: readonly CommandName[]
  /** Whether `render` of the library has it. */
  readonly library?: true
  /** A value that means that it is not given. @default false, of flags */
  readonly off?: NoInfer<T>
  readonly rules?: readonly Rule[]
  /**
   * What depends on it, and therefore what `--resume` compares: `pixels` and `files` of a film; `times` only in comparisons, which
   * compare all.
   */
  readonly decides?: 'pixels' | 'files' | 'times'
  /** Where that stands in `render.json` and `compare.json`. @default its own name */
  readonly entry?: string
  /** What that is called in errors. @default the name of the entry */
  readonly noun?: string
}

/** An option that always has a value. */
export interface SettledOption<T> extends Option<T> {
  readonly usual: NoInfer<T> | ByCaller<NoInfer<T>>
}

/** What else has to be given, or must not be. */
export type Rule =
  | { readonly needs: string; readonly as?: string; readonly because?: string }
  | { readonly excludes: string; readonly because?: string }

export interface Group<O extends Options = Options> {
  /** In help. */
  readonly heading: string
  readonly commands: readonly CommandName[]
  readonly options: O
}
type Options = Readonly<Record<string, Option<unknown>>>

/** What was said, by the names that options have in programs. */
export type Given = Readonly<Record<string, unknown>>
/** As commander gives them: text, lists of it, true for a flag and false for a `--no-…`. */
export type Words = Readonly<Record<string, unknown>>

type ValueOf<O> = O extends { readonly kind: Kind<infer T> } ? T : never
/** The values of a group that were given. */
export type GivenOf<G extends Group> = { readonly [K in keyof G['options']]?: ValueOf<G['options'][K]> }
/** The values of a group, with defaults. */
export type SettledOf<G extends Group> = {
  readonly [K in keyof G['options']]: G['options'][K] extends SettledOption<infer _>
    ? ValueOf<G['options'][K]>
    : ValueOf<G['options'][K]> | undefined
}

export function option<T>(said: SettledOption<T>): SettledOption<T>
export function option<T>(said: Option<T>): Option<T>
export function option<T>(said: Option<T>): Option<T> {
  return said
}

export const group = <O extends Options>(heading: string, commands: readonly CommandName[], options: O): Group<O> => ({
  heading,
  commands,
  options,
})

/** Something that differs with who asks; for others it is as for `render`. */
export class ByCaller<T> {
  readonly values: Partial<Readonly<Record<Caller, T>>>
  constructor(values: Partial<Readonly<Record<Caller, T>>>) {
    this.values = values
  }
}

export const by = <T>(values: Partial<Readonly<Record<Caller, T>>>): ByCaller<T> => new ByCaller(values)

/** What holds for one of them. */
export const forCaller = <T>(said: T | ByCaller<T> | undefined, caller: Caller): T | undefined =>
  said instanceof ByCaller ? (said.values[caller] ?? said.values.render) : said

/** The options of a command, or of the library, by name. */
export function optionsOf(groups: readonly Group[], caller: Caller): ReadonlyMap<string, Option<unknown>> {
  const options = new Map<string, Option<unknown>>()
  for (const { commands, options: all } of groups)
    for (const [key, each] of Object.entries(all))
      if (caller === 'library' ? each.library : each.flag && (each.commands ?? commands).includes(caller))
        options.set(key, each)
  return options
}

/** The long flag, without its value: `--no-floor`. */
export const longFlag = ({ flag = '' }: Option<unknown>): string => /--[a-z][a-z0-9-]*/.exec(flag)?.[0] ?? ''

/** What commander calls an option: `floor` of `--no-floor`. */
const wordOf = (option: Option<unknown>): string =>
  longFlag(option)
    .replace(/^--(no-)?/, '')
    .replaceAll(/-[a-z0-9]/g, ([, letter]) => letter!.toUpperCase())

/** How a caller names options, and what it throws. */
export interface Voice {
  readonly caller: Caller
  readonly groups: readonly Group[]
  /** Those that the caller has, by name. */
  readonly options: ReadonlyMap<string, Option<unknown>>
  name(key: string): string
  /** With a value: `--integrator path`. */
  phrase(key: string, value: string): string
  error(key: string, expected: string, got: string): Error
  /** @param rule what comes after the option in a sentence: `needs --shutter` */
  refuse(key: string, rule: string): Error
}

/** Flags, and errors of the command line. */
export function commandLine(groups: readonly Group[], caller: CommandName): Voice {
  const options = optionsOf(groups, caller)
  // An option may be named by others that a command has.
  const known = new Map([...groups.flatMap(each => Object.entries(each.options)), ...options])
  const name = (key: string) => longFlag(known.get(key)!)
  return {
    caller,
    groups,
    options,
    name,
    phrase: (key, value) => `${name(key)} ${value}`,
    error: (key, expected, got) => new OptionError(name(key), expected, got),
    refuse: (key, rule) => new OptionRuleError(name(key), rule),
  }
}

/** Reads and checks what a command was told. @throws UsageError */
export function readWords(voice: Voice, words: Words): Given {
  const given: Record<string, unknown> = {}
  for (const [key, option] of voice.options) {
    const word = words[wordOf(option)]
    const isNegated = longFlag(option).startsWith('--no-')
    // Commander says true if a `--no-…` is absent, and false to its twin, such as `--cache`, if it is there.
    if (word === undefined || isNegated !== (word === false)) continue
    given[key] = isNegated ? false : wordsRead(kindOf(option, given, voice), word, voice, key)
  }
  checkRules(given, voice)
  return given
}

function wordsRead(kind: Kind<unknown>, word: unknown, voice: Voice, key: string): unknown {
  const read = (text: string) => kind.read(text, (expected, got) => voice.error(key, expected, got))
  return Array.isArray(word) ? word.flatMap(read) : read(`${word}`)
}

/** Checks what a program asks for. @param what of an unknown name @throws UsageError */
export function checkValues(voice: Voice, values: object, what: string): Given {
  const known = [...voice.options.keys()]
  const stray = Object.keys(values).find(name => !known.includes(name))
  if (stray !== undefined) throw new UnknownNameError(what, stray, known)
  const given: Record<string, unknown> = {}
  for (const [key, option] of voice.options) {
    const value = (values as Given)[key]
    if (value === undefined) continue
    kindOf(option, given, voice).check(value, (expected, got) => voice.error(key, expected, got))
    given[key] = value
  }
  checkRules(given, voice)
  return given
}

const kindOf = ({ kind, among }: Option<unknown>, given: Given, { caller }: Voice): Kind<unknown> =>
  among?.(given, caller) ?? kind

/** With the values that nobody gave: of all options, because some commands have options that others do not need to be told. */
export function settled({ groups, caller }: Pick<Voice, 'groups' | 'caller'>, given: Given): Given {
  const values: Record<string, unknown> = {}
  for (const { options } of groups)
    for (const [key, { usual }] of Object.entries(options)) values[key] = given[key] ?? forCaller(usual, caller)
  return values
}

/** @throws UsageError for options that need or exclude each other */
function checkRules(given: Given, voice: Voice): void {
  for (const [key, option] of voice.options) {
    if (!isOn(option, given[key])) continue
    for (const rule of option.rules ?? []) {
      const because = filled(rule.because ?? '', voice.name)
      if ('excludes' in rule) {
        const other = voice.options.get(rule.excludes)
        if (!other || !isOn(other, given[rule.excludes])) continue
        throw voice.refuse(key, `cannot be combined with ${voice.name(rule.excludes)}${because}`)
      }
      const { needs, as } = rule
      const needed = voice.options.get(needs)
      const there = given[needs] ?? (as === undefined ? undefined : forCaller(needed?.usual, voice.caller))
      if (as === undefined ? there !== undefined : there === as || there === (needed?.open ?? as)) continue
      const expected = as === undefined ? voice.name(needs) : voice.phrase(needs, as)
      throw voice.refuse(key, `needs ${expected}${because}`)
    }
  }
}

/** Whether a value is more than none. */
export const isOn = ({ off }: Option<unknown>, value: unknown): boolean =>
  value !== undefined && value !== off && value !== false

/** A value as it is written in a word. */
export const written = ({ kind }: Option<unknown>, value: unknown): string =>
  kind === aFlag && value === false ? 'no' : (kind.written?.(value) ?? `${value}`)

/** Text with what stands for `{names}` and the like. */
export const filled = (text: string, what: (name: string) => string): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => what(name))
