/** Where too few files may be open, every command says so in one sentence. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isOutOfFiles, tooFewFiles } from '../../scripts/open-files.ts'
import { expectSentence } from '../support/complaint.ts'
import { PROGRAM } from '../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const out = ['--out', join(folder, 'out')]

const COMMANDS: readonly (readonly string[])[] = [
  ['render', 'corner', '--frames', '1', '--size', '16x9', ...out],
  ['compare', 'corner', '--frames', '1', '--size', '16x9', '--strategies', 'pbt', ...out],
  ['inspect', 'corner'],
  ['worker', 'localhost:1', '--retry-for', '0'],
  ['master', '--listen', '127.0.0.1:0'],
  ['scenes'],
]

describe.runIf(process.platform === 'linux').each([20, 32, 64, 127])('where %i files may be open', most => {
  it.each(COMMANDS.map(args => [args[0]!, args] as const))('%s is refused', (_, args) => {
    const limited = `ulimit -n ${most}; exec "$0" "$@"`
    const { status, stdout, stderr } = spawnSync('bash', ['-c', limited, process.execPath, PROGRAM, ...args], {
      encoding: 'utf8',
    })
    const sentence = `open files: expected a limit of at least 128, and of several more for each worker and connection, got ${most}; raise it`
    expectSentence({ code: status, stdout, stderr }, 1, sentence)
    expect(stderr.trim()).not.toContain('\n')
    expect(readdirSync(folder)).toEqual([])
  })
})

it('is not said where there is no limit, or none that is known', () => {
  const limits = (most: string) =>
    `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${most}    4096   files\n`
  expect(tooFewFiles('')).toBeUndefined()
  for (const most of ['128', '1048576', 'unlimited']) expect(tooFewFiles(limits(most))).toBeUndefined()
  for (const most of ['127', '3']) expect(tooFewFiles(limits(most))).toContain(`got ${most};`)
})

it('is also what is wrong when they are used up later', () => {
  const coded = (code: string, message = '') => Object.assign(new Error(message), { code })
  expect(isOutOfFiles(coded('EMFILE'))).toBe(true)
  expect(isOutOfFiles(new Error('cannot be read', { cause: coded('ENFILE') }))).toBe(true)
  expect(isOutOfFiles(coded('ERR_WORKER_INIT_FAILED', 'Worker initialization failure: EMFILE'))).toBe(true)
  for (const other of [coded('ENOENT', 'EMFILE'), coded('ERR_WORKER_INIT_FAILED', 'ERR'), 'EMFILE', undefined])
    expect(isOutOfFiles(other)).toBe(false)
})
