import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { accessOptions, clientAccess, masterAccessOptions } from '../../../scripts/options/access-options.ts'
import { TLS, tlsFile } from '../../support/tls.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const [A, B] = ['a'.repeat(20), 'b'.repeat(20)] as [string, string]
const tokenFile = join(folder, 'tokens')
writeFileSync(tokenFile, `worker=${A}\nclient=${B}\n`)

describe('a token', () => {
  it('comes from a file, for each right its own', () => {
    expect(accessOptions('worker', { tokenFile }, {})).toEqual({ token: A })
    expect(accessOptions('client', { tokenFile }, {})).toEqual({ token: B })
    expect(masterAccessOptions({ tokenFile }, {})).toEqual({ token: { worker: A, client: B }, insecure: false })
    expect(() => accessOptions('viewer', { tokenFile }, {})).toThrow(
      `--token-file ${tokenFile}: expected a line viewer=…`,
    )
  })

  it('comes from a folder with a file for each right', () => {
    const [some, none] = [join(folder, 'some'), join(folder, 'none')]
    for (const path of [some, none]) mkdirSync(path)
    writeFileSync(join(some, 'worker'), `${A}\n`)
    writeFileSync(join(some, 'client'), B)
    writeFileSync(join(some, 'else'), 'no token')
    expect(masterAccessOptions({ tokenFile: some }, {})).toEqual({ token: { worker: A, client: B }, insecure: false })
    expect(accessOptions('client', { tokenFile: some }, {})).toEqual({ token: B })
    expect(() => accessOptions('viewer', { tokenFile: some }, {})).toThrow(
      `--token-file ${some}: expected a line viewer=…`,
    )
    expect(() => masterAccessOptions({ tokenFile: none }, {})).toThrow(
      `or of a folder with files worker, client, viewer, operate, got '${none}', which is a folder with none of them`,
    )
    writeFileSync(join(some, 'viewer'), `${A}\noperate=${A}`)
    expect(() => masterAccessOptions({ tokenFile: some }, {})).toThrow('expected a secret of the characters')
  })

  it('or the environment, which does not keep it', () => {
    const env = { SORTFIRST_TOKEN: A, OTHER: 'x' }
    expect(accessOptions('worker', {}, env)).toEqual({ token: A })
    expect(env).toEqual({ OTHER: 'x' })
    expect(accessOptions('worker', {}, env)).toEqual({})
  })

  it('not both', () => {
    expect(() => accessOptions('worker', { tokenFile }, { SORTFIRST_TOKEN: A })).toThrow(
      '--token-file: expected it or SORTFIRST_TOKEN, got both; unset one of them',
    )
  })

  it('is needed only where there is a master elsewhere', () => {
    const env = { SORTFIRST_TOKEN: 'short' }
    expect(clientAccess({ tokenFile: join(folder, 'missing') }, env)).toEqual({})
    expect(env).toEqual({})
    expect(clientAccess({ tokenFile, master: 'ws://192.0.2.7' }, {})).toEqual({ token: B })
    expect(() => clientAccess({ tokenFile: ' ', master: 'ws://192.0.2.7' }, {})).toThrow('got nothing')
    expect(() => clientAccess({ token: A }, {})).toThrow('--token: expected the secret in SORTFIRST_TOKEN')
  })
})

it('certificates come from files', () => {
  const [tlsCert, tlsKey] = [tlsFile('cert.pem'), tlsFile('key.pem')]
  expect(masterAccessOptions({ tlsCert, tlsKey, insecure: true }, {})).toEqual({ tls: TLS, insecure: true })
  expect(accessOptions('client', { tlsCa: tlsCert }, {})).toEqual({ tls: { ca: TLS.cert } })
  expect(() => accessOptions('client', { tlsCa: folder }, {})).toThrow(
    `--tls-ca: expected the path of a file with a certificate, got '${folder}', which is a folder`,
  )
})
