/** What docker-compose.yml sets for its commands is what they read. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { flagsOf } from '../../../scripts/options/flags.ts'
import { GROUPS } from '../../../scripts/options/groups/index.ts'

const compose = parse(readFileSync(new URL('../../../../docker-compose.yml', import.meta.url), 'utf8'), { merge: true })
const { environment } = compose.services.sortfirst as { readonly environment: Readonly<Record<string, string>> }
/** Their meaning depends on the command. */
const NOT_OF_ALL = ['SORTFIRST_OUT', 'SORTFIRST_PAGE_AT']

describe.each(['render', 'compare', 'view'] as const)('docker compose run sortfirst %s', command => {
  const read = flagsOf(GROUPS, command).flatMap(({ envVar }) => envVar ?? [])

  it('uses the cluster of the file', () => {
    const ofAll = Object.keys(environment).filter(name => !NOT_OF_ALL.includes(name))
    expect(ofAll).toContain('SORTFIRST_MASTER')
    expect(ofAll.filter(name => !read.includes(name))).toEqual([])
  })

  it('writes to the folder, or gives links to the port, that the file has', () => {
    expect(Object.keys(environment)).toEqual(expect.arrayContaining(NOT_OF_ALL))
    expect(read).toContain(command === 'view' ? 'SORTFIRST_PAGE_AT' : 'SORTFIRST_OUT')
  })
})
