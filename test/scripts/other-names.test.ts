/** Names that are not UTF-8, which the file systems of Linux allow: one sentence, or it works; nothing is written elsewhere. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectSentence } from '../support/complaint.ts'
import { PROGRAM, sortfirst } from '../support/program.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  writeFileSync(join(folder, 'a.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')
})
afterEach(() => execFileSync('rm', ['-rf', folder]))

const SMALL = '--frames 1 --size 16x9 --samples 1 --workers 1'

/** Words of a shell: there, a name may be $'\xff'. */
function shell(script: string) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script, process.execPath, PROGRAM], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { code: status, stdout, stderr }
}
const there = () => readdirSync(folder, { encoding: 'latin1' }).sort()

describe.runIf(process.platform === 'linux')('a name that is not UTF-8', () => {
  it.each([
    ['a scene', `cp a.obj $'\\xff.obj'; "$0" "$1" render $'\\xff.obj' ${SMALL} --out out`],
    ['a folder with a scene', `mkdir $'\\xff'; cp a.obj $'\\xff'; "$0" "$1" render $'./\\xff' ${SMALL} --out out`],
    ['an output folder', `"$0" "$1" render a.obj ${SMALL} --out $'\\xff'`],
    ['an output folder that exists', `mkdir $'\\xff'; "$0" "$1" compare a.obj ${SMALL} --out $'\\xff'`],
    ['a cache', `"$0" "$1" cache clear --cache $'\\xff'`],
    ['a file to write', `"$0" "$1" render a.obj ${SMALL} --out out --trace $'\\xff'`],
  ])('of %s is refused', (_, script) => {
    const outcome = shell(script)
    expectSentence(outcome, 2, /^sortfirst: command line: expected words in UTF-8, got '.*\uFFFD.*'; rename/)
    expect(there().filter(name => !/^(a\.obj|\xff(\.obj)?)$/.test(name))).toEqual([])
  })

  it('in a variable is refused', () => {
    const outcome = shell(`SORTFIRST_OUT=$'\\xff' "$0" "$1" render a.obj ${SMALL}`)
    expectSentence(outcome, 2, "environment: expected words in UTF-8, got 'SORTFIRST_OUT=\uFFFD'")
  })

  it.each([
    ['not UTF-8', `mkdir $'\\xff'; cd $'\\xff'`, 'a path in UTF-8'],
    ['gone', `mkdir gone; cd gone; rmdir ../gone`, 'one that exists, got one that was removed'],
  ])('of the current folder that is %s is refused', (_, go, sentence) => {
    const outcome = shell(`${go}; "$0" "$1" render ../a.obj ${SMALL} --out out`)
    expectSentence(outcome, 2, `current folder: expected ${sentence}`)
  })

  it('of the scene in a folder is refused', () => {
    const outcome = shell(`mkdir in; mv a.obj $'in/\\xff.obj'; "$0" "$1" render ./in ${SMALL} --out out`)
    expectSentence(outcome, 2, 'cannot be read: expected a name in UTF-8, got another one; rename it')
  })

  it('of what a scene names is not found, and beside a scene is no obstacle', () => {
    const outcome = shell(
      `echo 'newmtl a' > $'\\xff.mtl'; printf 'mtllib \\xff.mtl\\n' > b.obj; cat a.obj >> b.obj; mkdir in; mv b.obj *.mtl in
       "$0" "$1" render ./in ${SMALL} --out out --no-cache`,
    )
    expect(outcome.code, outcome.stderr).toBe(0)
    expect(outcome.stderr).toContain('was not read: its file was not found')
  })

  it('of a home is as none', () => {
    const outcome = shell(`HOME=$PWD/$'\\xff' XDG_CACHE_HOME= "$0" "$1" render a.obj ${SMALL} --out out`)
    expect(outcome.code, outcome.stderr).toBe(0)
    expect(outcome.stderr).toContain('cache: expected a home folder')
    expect(there()).toEqual(['a.obj', 'out'])
  })
})

it('the character that stands for others is a character like others', async () => {
  const name = '\uFFFD é 中'
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, 'a.obj'), 'mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')
  writeFileSync(join(folder, name, 'a.mtl'), 'newmtl a\n')
  const words = ['render', `./${name}`, ...SMALL.split(' '), '--out', `${name}/film`]
  const outcome = await sortfirst(words, { cwd: folder })
  expect(outcome.code, outcome.stderr).toBe(0)
  expect(outcome.stderr).not.toContain('warning')
  const inside = await sortfirst(['render', 'a.obj', ...words.slice(2, -1), 'film'], { cwd: join(folder, name) })
  expect(inside.code, inside.stderr).toBe(0)
  expect(readdirSync(join(folder, name)).sort()).toEqual(['a.mtl', 'a.obj', 'film'])
  rmSync(join(folder, name), { recursive: true })
})
