/** What `sortfirst slurm --print` prints. Whether Slurm does with it what it should is tested where there is one (`slurm-jobs.test.ts`). */
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filledText } from '../../../scripts/deploy/template.ts'
import { expectSentence } from '../../support/complaint.ts'
import { PROGRAM, sortfirst } from '../../support/program.ts'

const slurm = (...words: readonly string[]) => sortfirst(['slurm', ...words])
const printed = async (...words: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await slurm('--print', ...words)
  expect(code, stderr).toBe(0)
  // It is a script that bash can read.
  execFileSync('bash', ['-n'], { input: stdout })
  return stdout
}
const FILM = ['--', 'render', 'corner', '--out', 'my film']
const ARRAY = ['--array', '7', '--master', 'login:7411']
const directives = (script: string) => [...script.matchAll(/^#SBATCH (.*)$/gm)].map(([, words]) => words)

describe('a film', () => {
  it('asks for what it was told', async () => {
    const script = await printed('--nodes', '3', '--cpus', '5', '--time', '1-2', '--partition', 'a,b', ...FILM)
    expect(script.split('\n')[0]).toBe('#!/bin/bash')
    expect(directives(script)).toEqual([
      ...['--job-name=sortfirst', '--output=sortfirst-%j.out', '--open-mode=append', '--nodes=3'],
      ...['--ntasks-per-node=1', '--cpus-per-task=5', '--time=1-2', '--partition=a,b', '--no-kill', '--requeue'],
      '--signal=B:USR1@60',
    ])
    expect(script).toMatch(/step "\$node" --cpus-per-task=5 .* worker/)
  })

  it('takes whole nodes, for as long as the partition lets it', async () => {
    const script = await printed('--grace', '90', ...FILM)
    expect(directives(script)).toContain('--exclusive')
    expect(directives(script)).toContain('--nodes=4')
    expect(directives(script)).toContain('--signal=B:USR1@90')
    expect(script).not.toMatch(/--(time|partition|cpus-per-task)=(?!1 )/)
  })

  it('runs this program, and the words of the film as they were given', async () => {
    const script = await printed('--', 'render', "it's $HOME", '--frames', '3')
    const words = (name: string) => {
      const [line] = new RegExp(`^${name}=.*$`, 'm').exec(script)!
      const text = execFileSync('bash', ['-c', `${line}\nprintf '%s\\n' "\${${name}[@]}"`], { encoding: 'utf8' })
      return text.trimEnd().split('\n')
    }
    expect(words('sortfirst')).toEqual([process.execPath, PROGRAM])
    expect(words('film')).toEqual(['render', "it's $HOME", '--frames', '3'])
  })

  it('has no secret in it', async () => {
    expect(await printed(...FILM)).toBe(await printed(...FILM))
  })
})

describe('an array of workers', () => {
  it('asks for what it was told', async () => {
    const script = await printed(...ARRAY, '--cpus', '2', '--token-file', 'a secret', '--death-timeout', '30')
    expect(directives(script)).toEqual([
      ...['--job-name=sortfirst-workers', '--output=sortfirst-%A_%a.out', '--open-mode=append', '--array=1-7'],
      ...['--nodes=1', '--ntasks=1', '--cpus-per-task=2', '--requeue'],
    ])
    expect(script).toContain(`export SORTFIRST_TOKEN_FILE='${resolve('a secret')}'`)
    expect(script).toContain('worker ws://login:7411/ --threads auto')
    expect(script).toContain('--death-timeout 30')
  })

  it('needs no file', async () => {
    const script = await printed(...ARRAY)
    expect(script).not.toContain('SORTFIRST_TOKEN_FILE')
    expect(script).not.toMatch(/@[a-z]+@|\n\n\n/)
  })
})

it.each([
  [FILM, '--print'],
  [['--print'], '[film...]: expected the command that makes the film'],
  [['--print', '--', 'compare', 'corner'], '[film...]: expected the command that makes the film'],
  [['--print', ...FILM, '--master', 'x'], '[film...]: expected no --master'],
  [['--print', ...FILM, '--token-file=x'], '[film...]: expected no --token-file'],
  [['--print', '--array', '3'], '--array needs --master'],
  [['--print', '--master', 'x', ...FILM], '--master needs --array'],
  [['--print', ...ARRAY, '--nodes', '3'], '--nodes cannot be combined with --array'],
  [['--print', ...ARRAY, ...FILM], '--array cannot be combined with a film'],
  [['--print', '--time', 'soon', ...FILM], '--time: expected a time as Slurm writes it'],
  [['--print', '--partition', 'a b', ...FILM], '--partition: expected the name of a partition'],
])('%j is one sentence', async (words, sentence) => {
  expectSentence(await slurm(...words), 2, sentence)
})

describe('words of a file', () => {
  it('are filled in, and a line of nothing but one without a meaning is left out', () => {
    expect(filledText('a @one@\n@none@\n  @none@\nB@@two@ @none@.', { one: 1, two: 'x', none: undefined })).toBe(
      'a 1\nB@x .',
    )
  })

  it('have one meaning each', () => {
    expect(() => filledText('@one@', {})).toThrow('@one@, which means nothing')
    expect(() => filledText('one', { one: 1 })).toThrow('no @one@')
  })
})
