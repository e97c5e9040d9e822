/** A worker's own key: made for one process, or kept in a folder for all of its starts. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf, OptionError } from '../../shared/errors.ts'
import { type OwnKey, wordsToSign } from '../../shared/protocol/identity.ts'

/** In the state folder: the private key, as PKCS #8 in PEM, for its user only. */
export const KEY_FILE = 'worker-key.pem'

/** A key that is gone with this process. */
export const freshKey = (): OwnKey => ownKey(generateKeyPairSync('ed25519').privateKey)

/** Gives a file a name that there is not yet, beside the one that it has. */
type Link = (from: string, to: string) => Promise<void>

/**
 * The key that a folder keeps, made if there is none. Of several processes that make one at the same time, all have that of the first.
 * Rejects with OptionError if the folder cannot be written, or its key cannot be read.
 */
export async function keptKey(folder: string, linkFile: Link = link): Promise<OwnKey> {
  const path = join(folder, KEY_FILE)
  return (await readKey(path)) ?? (await makeKey(folder, path, linkFile))
}

async function readKey(path: string): Promise<OwnKey | undefined> {
  let pem: string
  try {
    pem = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new OptionError('--state', `a folder whose ${KEY_FILE} can be read`, messageOf(error))
  }
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'ed25519') return ownKey(key)
  } catch {}
  throw new OptionError('--state', `an Ed25519 key in ${path}, or no such file, for a new one`, 'something else')
}

async function makeKey(folder: string, path: string, linkFile: Link): Promise<OwnKey> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const draft = join(folder, `.${KEY_FILE}-${randomUUID()}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // It has its name only when it is whole; the name is given once.
    await writeFile(draft, pem, { mode: 0o600, flag: 'wx', flush: true })
    await linkFile(draft, path)
    return ownKey(privateKey)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    const other = NO_LINKS.has(code) ? await renamed(draft, path) : code === 'EEXIST' ? await readKey(path) : undefined
    if (other) return other
    throw new OptionError('--state', 'a folder that can be written', messageOf(error))
  } finally {
    await rm(draft, { force: true }).catch(() => {})
  }
}

/** What systems answer that have no hard links, as those of memory cards (FAT, exFAT), and of some networks and containers. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/**
 * Whole, too, but given again if two processes come at the same moment: then each has what the last one left, or what was there when it looked.
 * The program lets one in at a time. Undefined: it cannot be.
 */
async function renamed(draft: string, path: string): Promise<OwnKey | undefined> {
  const before = await readKey(path)
  if (before) return before
  await rename(draft, path).catch(() => {})
  return readKey(path)
}

const ownKey = (key: KeyObject): OwnKey => ({
  // The x of an Ed25519 key is its public half (RFC 8037 §2).
  identity: createPublicKey(key).export({ format: 'jwk' }).x!,
  sign: nonce => sign(null, wordsToSign(nonce), key).toString('base64url'),
})
