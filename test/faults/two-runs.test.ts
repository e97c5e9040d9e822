/** Two runs that write into one folder: exactly one goes on, and one that was killed is in nobody's way. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { expectSentence, saidIn } from '../support/complaint.ts'
import { type Running, sortfirst, start } from '../support/program.ts'

const mesh = fileURLToPath(new URL('../../../test/support/tent.obj', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const quick = ['--size', '64x36', '--samples', '1', '--ambient-rays', '1', '--workers', '1']
const args = (command: string, out: string, ...more: string[]) => [command, mesh, ...quick, '--out', out, ...more]
const locksIn = (out: string) => readdirSync(out).filter(name => name.startsWith('.run-'))
const IN_USE = /expected a folder that no other run writes into, got that of a run in progress \(process \d+\)/

it('a strategy of a comparison in progress keeps its folder, also before its turn', async () => {
  const out = join(folder, 'comparison')
  const first = start(args('compare', out, '--frames', '50000', '--strategies', 'pbt,static-blocks'))
  await first.line(/frame +1 /)
  for (const name of ['pbt', 'static-blocks'])
    expectSentence(await sortfirst(args('render', join(out, name), '--frames', '1')), 2, IN_USE)
  expect(await first.stop('SIGINT')).toBe(130)
  expect(readdirSync(out).sort()).toEqual(['compare.json', 'pbt'])
  const second = start(args('render', join(out, 'pbt'), '--frames', '50000'))
  await second.line(/frame +1 /)
  expectSentence(await sortfirst(args('compare', out, '--frames', '1', '--strategies', 'pbt')), 2, IN_USE)
  await second.stop('SIGKILL')
})

describe.each(['render', 'compare'])('%s', command => {
  const out = join(folder, command)

  it('refuses a folder that another run writes into, also to resume, before it renders anything', async () => {
    const first = start(args(command, out, '--frames', '50000'))
    await first.line(/frame +1 /)
    for (const other of ['render', 'compare'])
      for (const more of [[], ['--resume']]) {
        const refused = await sortfirst(args(other, out, '--frames', '2', ...more))
        expectSentence(refused, 2, `--out ${out}: `, IN_USE)
        expect(saidIn(refused.stderr)).toHaveLength(1)
      }
    await first.stop('SIGKILL')
    const next = await sortfirst(args(command, out, '--frames', '2'))
    expect(next.code, next.stderr).toBe(0)
    expect(locksIn(out)).toEqual([])
  })

  it('goes on once when it is started several times at once, also after one that was killed', async () => {
    const place = join(folder, `${command} at once`)
    for (const [signal, code, locks] of [
      ['SIGKILL', null, 1],
      ['SIGINT', 130, 0],
    ] as const) {
      const all = Array.from({ length: 3 }, () => start(args(command, place, '--frames', '50000')))
      const refused: Running[] = []
      await new Promise<void>(resolve => {
        for (const run of all) void run.ended.then(() => refused.push(run) === 2 && resolve())
      })
      for (const run of refused)
        expectSentence({ code: await run.ended, stdout: '', stderr: run.lines.join('\n') }, 2, IN_USE)
      const first = all.find(run => !refused.includes(run))!
      await first.line(/frame +1 /)
      expect(await first.stop(signal)).toBe(code)
      expect(locksIn(place)).toHaveLength(locks)
    }
  })
})
