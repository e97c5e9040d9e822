/** What `sortfirst systemd --print` prints, and what systemd says of it where there is one. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { masterUnit, workerUnit } from '../../../scripts/deploy/systemd.ts'
import { expectSentence } from '../../support/complaint.ts'
import { PROGRAM, sortfirst } from '../../support/program.ts'

const UNITS = [['master'], ['worker', '--master', 'wss://[2001:db8::7]:7411']] as const
const printed = async (...words: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await sortfirst(['systemd', '--print', ...words])
  expect(code, stderr).toBe(0)
  return stdout
}
const said = (unit: string, name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value)

describe('a unit', () => {
  it('runs this program, with a secret that is in no argument', async () => {
    const [master, worker] = [await printed(...UNITS[0]), await printed(...UNITS[1], '--token-file', '/srv/100%')]
    const secret = `--token-file \${CREDENTIALS_DIRECTORY}/token`
    expect(said(master!, 'ExecStart')).toEqual([
      `${process.execPath} ${PROGRAM} master --listen 0.0.0.0:7411 ${secret}`,
    ])
    expect(said(master!, 'LoadCredential')).toEqual(['token:/etc/sortfirst/token'])
    const joins = 'worker wss://[2001:db8::7]:7411/ --threads auto --retry-for 86400'
    expect(said(worker!, 'ExecStart')).toEqual([`${process.execPath} ${PROGRAM} ${joins} ${secret}`])
    expect(said(worker!, 'LoadCredential')).toEqual(['token:/srv/100%%'])
  })

  it('says that an orderly end is one', async () => {
    for (const words of UNITS) expect(said(await printed(...words), 'SuccessExitStatus')).toEqual(['143'])
  })

  it('lets V8 compile', async () => {
    for (const words of UNITS) expect(said(await printed(...words), 'MemoryDenyWriteExecute')).toEqual([])
  })

  it('quotes what systemd would read otherwise', () => {
    const program = ['/opt/my node/$HOME', '/opt/5%"\\.js']
    const [line] = said(masterUnit({ program, tokenFile: '/t', listen: 'h:1' }), 'ExecStart')
    expect(line).toMatch(/^"\/opt\/my node\/\$\$HOME" "\/opt\/5%%\\"\\\\\.js" master --listen h:1 /)
  })

  it('has one line for a command, whatever is in its words', () => {
    const program = ['/opt/a\nUser=root', '/opt/b\r\tc']
    const unit = masterUnit({ program, tokenFile: '/t', listen: 'h:1' })
    expect(said(unit, 'User')).toEqual([])
    expect(said(unit, 'ExecStart')[0]).toMatch(/^"\/opt\/a\\x0aUser=root" "\/opt\/b\\x0d\\x09c" master /)
  })

  it('shows a program in a home folder to the service', () => {
    const homeOf = (program: string) =>
      said(workerUnit({ program: ['/usr/bin/node', program], tokenFile: '/t', master: 'ws://m/' }), 'ProtectHome')
    expect(homeOf('/usr/lib/node_modules/sortfirst/sortfirst.js')).toEqual(['yes'])
    expect(homeOf('/home/anna/node_modules/sortfirst/sortfirst.js')).toEqual(['read-only'])
  })
})

it.each([
  [['master'], '--print'],
  [['--print', 'client'], "unknown unit 'client'"],
  [['--print', 'worker'], '--master: expected the address of the master'],
  [['--print', 'master', '--listen', 'a b:7411'], "--listen: expected 'host:port'"],
  [['--print', 'master', '--listen', 'here'], "--listen: expected 'host:port'"],
  [['--print', 'master', '--token-file', 'secret'], '--token-file: expected an absolute path'],
])('%j is one sentence', async (words, sentence) => {
  expectSentence(await sortfirst(['systemd', ...words]), 2, sentence)
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

describe.skipIf(!hasSystemd)(`systemd${hasSystemd ? '' : ' (skipped: there is no systemd-analyze)'}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(UNITS)('finds nothing wrong with that of a %s, and little that it could still do', async (unit, ...more) => {
    const path = join(folder, `sortfirst-${unit}.service`)
    writeFileSync(path, await printed(unit, ...more.flatMap(word => word ?? [])))
    const analyze = (...args: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, path], { encoding: 'utf8' })
      return { status, said: `${stdout}${stderr}` }
    }
    const verified = analyze('verify', '--man=no')
    // Units of the machine itself may have flaws of their own.
    expect(verified.said.split('\n').filter(line => line.includes('sortfirst'))).toEqual([])
    expect(verified.status, verified.said).toBe(0)
    const { status, said } = analyze('security', '--offline=true', '--threshold=20')
    expect(status, said).toBe(0)
  })
})
