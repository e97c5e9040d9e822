/** The benches are a program of their own, with the errors of the other one. */
import { expect, it } from 'vitest'
import { runBench, sortfirst } from '../../support/program.ts'

it.each([
  ['an unknown option', ['cluster', '--wrokers', '2'], '--wrokers', '--workers', 'npm run bench -- cluster --help'],
  ['an unknown bench', ['kernle'], 'kernle', 'kernel', 'npm run bench -- --help'],
])('%s gets one sentence', async (_, args, ...parts) => {
  const { code, stdout, stderr } = await runBench(args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^[^\n]+\n$/)
  for (const part of parts) expect(stderr).toContain(part)
})

it('they are listed, and no part of the program that is installed', async () => {
  const { code, stdout } = await runBench(['--help'])
  expect(code).toBe(0)
  for (const name of ['kernel', 'pictures', 'schedule', 'soak']) expect(stdout).toContain(`  ${name} `)
  expect((await sortfirst(['bench', 'kernel'])).code).toBe(2)
})
