/**
 * Node.js reads words and paths as UTF-8, and puts U+FFFD in place of what is none: they would name other files than those that were
 * meant, and output would be put where nobody looks for it.
 */
import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import { OptionError } from '../../shared/errors.ts'
import { printable } from '../../shared/text/printable.ts'

const REPLACED = '\uFFFD'

/** @throws OptionError for words of the command line, options in variables, and a current folder that cannot be read exactly */
export function checkWords(words: readonly string[], env: NodeJS.ProcessEnv): void {
  const asked = Object.entries(env).filter(([name]) => name.startsWith('SORTFIRST_'))
  for (const [where, texts, file] of [
    ['command line', words, '/proc/self/cmdline'],
    ['environment', asked.map(([name, text]) => `${name}=${text}`), '/proc/self/environ'],
  ] as const) {
    const bad = texts.find(text => text.includes(REPLACED) && !isExact(text, file))
    if (bad !== undefined)
      throw new OptionError(where, 'words in UTF-8', `'${printable(bad)}'; rename the file or folder`)
  }
  checkFolder()
}

/** Whether it is among the words as the system keeps them: somebody may really use that character. */
function isExact(text: string, file: string): boolean {
  try {
    const bytes = readFileSync(file)
    return isUtf8(bytes) || bytes.toString('latin1').split('\0').includes(Buffer.from(text).toString('latin1'))
  } catch {
    return false
  }
}

function checkFolder(): void {
  const expect = (what: string, got: string) => new OptionError('current folder', what, `${got}; work in another one`)
  let path: string
  try {
    path = process.cwd()
  } catch {
    throw expect('one that exists', 'one that was removed')
  }
  if (path.includes(REPLACED) && !isHere(path)) throw expect('a path in UTF-8', `'${printable(path)}'`)
}

function isHere(path: string): boolean {
  const [here, there] = [statSync('.'), statSync(path, { throwIfNoEntry: false })]
  return here.dev === there?.dev && here.ino === there.ino
}
