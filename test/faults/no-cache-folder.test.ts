/** A cache folder that there cannot be is said once, and is no obstacle. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { sortfirst } from '../support/program.ts'

const mesh = fileURLToPath(new URL('../../../test/support/tent.obj', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const quick = ['--frames', '1', '--size', '32x18', '--samples', '1', '--workers', '1']
const warnings = (stderr: string) => stderr.split('\n').filter(line => line.includes('warning: '))

/** Homes without room for a cache. */
const HOMES: readonly (readonly [what: string, home: string])[] = [
  // Here a folder neither exists nor can be made, and yet its parent exists.
  ['in a file system that takes no folders', '/proc/none'],
  ['that is a file', mesh],
  ['that leads nowhere', join(folder, 'dangling')],
]
symlinkSync('/proc/none', join(folder, 'dangling'))

describe.runIf(process.platform === 'linux').each(HOMES)('a home %s', (_, home) => {
  const env = { HOME: home, XDG_CACHE_HOME: '' }

  it.each([
    ['render', [...quick, '--out', join(folder, 'film')]],
    ['compare', [...quick, '--strategies', 'pbt', '--out', join(folder, 'report')]],
    ['inspect', []],
  ])('leaves %s without a cache, which is a warning', async (command, words) => {
    const { code, stderr } = await sortfirst([command, mesh, ...words], { env })
    expect(code, stderr).toBe(0)
    const [first, ...others] = warnings(stderr)
    expect(first).toContain(`cache ${home}/.cache/sortfirst: expected a writable folder, got `)
    expect(others.filter(line => line.includes('cache'))).toEqual([])
    const silent = await sortfirst([command, mesh, ...words, '--no-cache'], { env })
    expect(warnings(silent.stderr).filter(line => line.includes('cache'))).toEqual([])
  })

  it('is said by the worker of a cluster', async () => {
    const { stderr } = await sortfirst(['worker', 'localhost:1', '--retry-for', '0'], { env })
    expect(warnings(stderr)).toHaveLength(1)
  })

  it('has an empty cache', async () => {
    const { code, stdout } = await sortfirst(['cache', '--json'], { env })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ packed: 0, built: 0 })
  })
})

describe('a home that is not said', () => {
  it('leaves a run without a cache, and puts none into the current folder', async () => {
    const place = mkdtempSync(join(folder, 'here-'))
    // A relative path is none: the specification has it ignored.
    for (const env of [
      { HOME: '', XDG_CACHE_HOME: '' },
      { HOME: 'home', XDG_CACHE_HOME: 'cache' },
    ]) {
      const { code, stderr } = await sortfirst(['render', mesh, ...quick, '--out', 'film'], { cwd: place, env })
      expect(code, stderr).toBe(0)
      expect(warnings(stderr)[0]).toContain('cache: expected a home folder')
      expect(readdirSync(place)).toEqual(['film'])
    }
  })

  it('is told to those that ask for the cache', async () => {
    for (const words of [['cache'], ['cache', 'clear']]) {
      const { code, stderr } = await sortfirst(words, { env: { HOME: '', XDG_CACHE_HOME: '' } })
      expect(code).toBe(2)
      expect(stderr).toMatch(/^sortfirst: --cache: expected the path of a folder, got none, and no home folder/)
    }
  })
})

it('a file in place of the cache is said', async () => {
  const cache = join(folder, 'cache')
  writeFileSync(cache, 'mine')
  const words = ['render', mesh, ...quick, '--out', join(folder, 'film'), '--cache', cache]
  const { code, stderr } = await sortfirst(words)
  expect(code, stderr).toBe(0)
  expect(warnings(stderr)[0]).toContain(`cache ${cache}: expected a writable folder, got a file in place`)
  expect(readFileSync(cache, 'utf8')).toBe('mine')
})
