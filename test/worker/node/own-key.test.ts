/** The key of a worker's own, and the folder that keeps it. */
import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { IDENTITY, SIGNATURE } from '../../../shared/protocol/identity.ts'
import { freshKey, KEY_FILE, keptKey } from '../../../worker/node/own-key.ts'

const folders: string[] = []
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  folders.push(folder)
  return folder
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

it('has the form that the protocol says', () => {
  const key = freshKey()
  expect(key.identity).toMatch(IDENTITY)
  expect(key.sign('n'.repeat(43))).toMatch(SIGNATURE)
  expect(freshKey().identity).not.toBe(key.identity)
})

describe('a folder', () => {
  it('keeps the key, for its user only, and nothing else', async () => {
    const folder = join(newFolder(), 'a', 'b')
    const { identity } = await keptKey(folder)
    expect((await keptKey(folder)).identity).toBe(identity)
    expect(readdirSync(folder)).toEqual([KEY_FILE])
    expect(statSync(join(folder, KEY_FILE)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, KEY_FILE), 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----\n/)
    expect((await keptKey(newFolder())).identity).not.toBe(identity)
  })

  it('has one key, however many make it at the same time', async () => {
    const folder = newFolder()
    const keys = await Promise.all(Array.from({ length: 8 }, () => keptKey(folder)))
    expect(new Set(keys.map(({ identity }) => identity)).size).toBe(1)
    expect(readdirSync(folder)).toEqual([KEY_FILE])
  })

  it.each(['EPERM', 'ENOTSUP', 'ENOSYS'])('on a file system without hard links (%s) keeps one, too', async code => {
    const none = () => Promise.reject(Object.assign(new Error('no links here'), { code }))
    const folder = newFolder()
    const { identity } = await keptKey(folder, none)
    expect((await keptKey(folder, none)).identity).toBe(identity)
    expect(readdirSync(folder)).toEqual([KEY_FILE])
    expect(statSync(join(folder, KEY_FILE)).mode & 0o777).toBe(0o600)
    // One that was made while this process made its own is left as it is.
    const meanwhile = newFolder()
    const late = async () => {
      writeFileSync(join(meanwhile, KEY_FILE), readFileSync(join(folder, KEY_FILE)))
      await none()
    }
    expect((await keptKey(meanwhile, late)).identity).toBe(identity)
    expect(readdirSync(meanwhile)).toEqual([KEY_FILE])
  })

  it('whose disk is full is an error, and is left empty', async () => {
    const folder = newFolder()
    const full = () => Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }))
    await expect(keptKey(folder, full)).rejects.toThrow(
      '--state: expected a folder that can be written, got no space left on device',
    )
    expect(readdirSync(folder)).toEqual([])
  })

  const other = generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
  it.each([
    ['empty', ''],
    ['cut off', '-----BEGIN PRIVATE KEY-----\nMC4C'],
    ['of another kind', other],
  ])('with a key that is %s is an error, and is left as it is', async (_, text) => {
    const folder = newFolder()
    writeFileSync(join(folder, KEY_FILE), text)
    await expect(keptKey(folder)).rejects.toThrow(
      /^--state: expected an Ed25519 key in .*worker-key\.pem, or no such file/,
    )
    expect(readFileSync(join(folder, KEY_FILE), 'utf8')).toBe(text)
  })

  it('whose key is a folder, or that is a file, is an error', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, KEY_FILE))
    await expect(keptKey(folder)).rejects.toThrow('--state: expected')
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    await expect(keptKey(file)).rejects.toThrow('--state: expected')
  })

  it.skipIf(process.getuid?.() === 0)('that cannot be written is an error', async () => {
    const folder = newFolder()
    chmodSync(folder, 0o500)
    await expect(keptKey(folder)).rejects.toThrow('--state: expected a folder that can be written')
  })
})
