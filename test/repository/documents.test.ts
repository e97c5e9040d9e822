/** What documents point at is there: files, anchors, and the commands and options of the lines that they print. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { groupsOf } from '../../scripts/later-options.ts'
import { type CommandName, commandLine, readWords } from '../../scripts/options/declare/group.ts'
import { createProgram } from '../../scripts/program.ts'

const root = join(import.meta.dirname, '../../..')
const skipped = ['node_modules', 'dist', 'out', 'coverage', '.git']
const entries = readdirSync(root, { withFileTypes: true }).filter(({ name }) => !skipped.includes(name))
/** Files and folders, from the root of the repository. */
const files = new Set<string>(
  entries.flatMap(entry => [
    entry.name,
    ...(entry.isDirectory()
      ? readdirSync(join(root, entry.name), { recursive: true }).map(path => `${entry.name}/${path}`)
      : []),
  ]),
)
const paths = [...files].filter(path => path.endsWith('.md')).sort()

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const FENCED = /^```(\w*)\n([\s\S]*?)^```$/gm
const prose = (path: string): string => read(path).replaceAll(FENCED, '')

/** As GitHub makes them of headings. */
function anchorsOf(path: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading] of prose(path).matchAll(/^#+ (.*)$/gm)) {
    const text = heading!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-')
    let unique = anchor
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`
    anchors.add(unique)
  }
  return anchors
}

/** Where files are for those who have the package alone. */
const OWN = [
  'https://github.com/sortfirst/sortfirst/blob/main/',
  'https://raw.githubusercontent.com/sortfirst/sortfirst/main/',
]

describe('links', () => {
  it.each(paths)('of %s lead somewhere', path => {
    const dead = [
      ...prose(path)
        .replaceAll(/`[^`]*`/g, '')
        .matchAll(/\]\(([^)\s]+)\)/g),
    ].flatMap(([, link]) => {
      const own = OWN.find(address => link!.startsWith(address))
      if (own === undefined && /^[a-z]+:/.test(link!)) return []
      const [file, anchor] = link!.slice(own?.length ?? 0).split('#') as [string, string?]
      const from = own === undefined ? dirname(path) : '.'
      const target = file === '' ? path : relative('.', join(from, file)).replace(/\/$/, '')
      if (!files.has(target)) return [link]
      return anchor === undefined || !target.endsWith('.md') || anchorsOf(target).has(anchor) ? [] : [link]
    })
    expect(dead).toEqual([])
  })
})

/** The words of each `sortfirst …` in blocks of shell, as far as the next operator of the shell. */
const linesOf = (path: string): string[][] =>
  [...read(path).matchAll(FENCED)]
    .filter(([, language]) => language === 'sh')
    .flatMap(([, , text]) => text!.split('\n'))
    .flatMap(line => [...line.matchAll(/(?:^|\s|')sortfirst ([a-z].*)/g)].map(([, words]) => wordsOf(words!)))

function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const [word] of text.matchAll(/'[^']*'|"[^"]*"|[^\s'"]+/g)) {
    if (/^([#|;&]|\d?[<>])/.test(word)) break
    words.push(word.replace(/^(['"])(.*)\1$/, '$2'))
  }
  return words
}

/** Reads a command line as the program does, and does nothing then. @throws if it is not one */
async function parse(words: readonly string[]): Promise<void> {
  const program = createProgram('')
  let reached = false
  const stop = (commands: typeof program.commands): void => {
    for (const command of commands) {
      stop(command.commands)
      command.action(async () => {
        reached = true
        const groups = await groupsOf(command)
        if (groups.length > 0) readWords(commandLine(groups, command.name() as CommandName), command.opts())
        if (command.name() === 'slurm' && command.args.length > 0) await parse(command.args)
      })
    }
  }
  stop(program.commands)
  // Help and the version end the program before any command.
  if (words.some(word => ['--help', '--version'].includes(word))) return
  await program.parseAsync([...words], { from: 'user' })
  expect(reached, words.join(' ')).toBe(true)
}

describe('command lines', () => {
  const documents = paths.filter(path => linesOf(path).length > 0)

  it.each(documents)('of %s are understood', async path => {
    const wrong: string[] = []
    for (const words of linesOf(path))
      await parse(words).catch(error => wrong.push(`sortfirst ${words.join(' ')}: ${error.message}`))
    expect(wrong).toEqual([])
  })

  it('are found where they are expected', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'scripts/commands/README.md']))
    expect(linesOf('README.md').length).toBeGreaterThan(10)
  })

  it.each([['render'], ['render', 'dragon', '--sample', '4'], ['render', 'dragon', '--samples', 'many'], ['paint']])(
    'are refused if they are wrong: %s %s %s %s',
    async (...words) => {
      await expect(parse(words)).rejects.toThrow()
    },
  )
})
