/** What is made of the groups of options is what is in the repository, and what they say of each other is there. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { generated } from '../../scripts/build/generated-docs.ts'
import { LIBRARY } from '../../scripts/library/program-options.ts'
import { ByCaller, type CommandName, type Group, optionsOf, PICTURES } from '../../scripts/options/declare/group.ts'
import { GROUPS } from '../../scripts/options/groups/index.ts'
import { DRAIN, MASTER } from '../../scripts/options/groups/master.ts'
import { WORKER } from '../../scripts/options/groups/worker.ts'
import { SIMULATION } from '../../scripts/simulate/group.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const made = await generated(read)

describe('made of the options', () => {
  it.each(made)('%s is not stale: npm run docs writes it', (path, text) => expect(read(path)).toBe(text))

  it('has a table in each document', () => {
    for (const [path, text] of made.filter(([, text]) => text.includes('<!-- options: ')))
      expect(text.match(/<!-- options: .+ -->\n\n\| option \|[^|]*default/g), path).toHaveLength(1)
  })
})

describe('options', () => {
  const all: Readonly<Record<string, readonly Group[]>> = { GROUPS, SIMULATION, MASTER, WORKER, DRAIN, LIBRARY }

  it.each(Object.entries(all))('of %s name others that there are', (_, groups) => {
    const known = new Set(groups.flatMap(({ options }) => Object.keys(options)))
    const missing = groups.flatMap(({ options }) =>
      Object.entries(options).flatMap(([key, { help, otherwise, more, rules = [] }]) => {
        const texts = [help, otherwise, more].flatMap(text =>
          text instanceof ByCaller ? Object.values(text.values) : text,
        )
        const named = [...texts, ...rules.map(({ because }) => because)].flatMap(text =>
          [...(text ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
        )
        const others = rules.map(rule => ('needs' in rule ? rule.needs : rule.excludes))
        return [...named, ...others]
          .filter(name => !known.has(name) && name !== 'range' && name !== 'names')
          .map(name => `${key}: ${name}`)
      }),
    )
    expect(missing).toEqual([])
  })

  it('have a flag of their own in each command', () => {
    for (const command of PICTURES as readonly CommandName[]) {
      const flags = [...optionsOf(command === 'simulate' ? SIMULATION : GROUPS, command).values()].map(
        ({ flag }) => flag,
      )
      expect(new Set(flags).size).toBe(flags.length)
    }
  })

  it('on which pixels depend are known to tile, too', () => {
    const ofTile = optionsOf(GROUPS, 'tile')
    const missing = [...optionsOf(GROUPS, 'render')].filter(
      ([key, { decides }]) => decides === 'pixels' && !ofTile.has(key),
    )
    expect(missing.map(([key]) => key)).toEqual([])
  })
})
