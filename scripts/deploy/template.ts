/**
 * The files that `sortfirst slurm | systemd | kubernetes --print` writes: each stands in this folder as it will be printed, but for words
 * such as `@nodes@`, so that it can be read and checked as what it is.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { InvariantError } from '../../shared/errors.ts'
import { moduleUrl, processProgram } from '../../shared/node/program-files.ts'

/** What stands for a word in a file; undefined: the line that is nothing but this word is left out. */
export type Words = Readonly<Record<string, string | number | undefined>>

/** A file of this folder, with its words filled in. @param path such as `slurm/film.sh` */
export function filledFile(path: string, words: Words): string {
  return filledText(readFileSync(moduleUrl(`../scripts/deploy/${path}`), 'utf8'), words)
}

/** @throws InvariantError if a word has no meaning, or a meaning no word */
export function filledText(text: string, words: Words): string {
  const used = new Set<string>()
  const meaning = (name: string): string | undefined => {
    if (!Object.hasOwn(words, name)) throw new InvariantError(`a file to be printed has @${name}@, which means nothing`)
    used.add(name)
    const word = words[name]
    return word === undefined ? undefined : `${word}`
  }
  const lines = text.split('\n').flatMap(line => {
    const [, alone] = /^\s*@([a-z]+)@$/.exec(line) ?? []
    if (alone !== undefined && meaning(alone) === undefined) return []
    return [line.replaceAll(/@([a-z]+)@/g, (_, name: string) => meaning(name) ?? '')]
  })
  const idle = Object.keys(words).filter(name => !used.has(name))
  if (idle.length > 0) throw new InvariantError(`a file to be printed has no @${idle.join('@, @')}@`)
  return lines.join('\n')
}

/** Node.js and this program, where they are on this machine. */
export const thisProgram = (): readonly [node: string, program: string] => [
  process.execPath,
  fileURLToPath(processProgram('scripts/sortfirst.js')),
]
