/** Has a worker prove that it holds the key that it names: it signs what is drawn for its connection, and nobody has seen before. */
import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { SortfirstError } from '../../shared/errors.ts'
import type { Channel } from '../../shared/protocol/channel.ts'
import { wordsToSign } from '../../shared/protocol/identity.ts'
import { type Hello, parseProof } from '../../shared/protocol/messages.ts'

/** A worker names a key that it does not hold. */
export class WrongProofError extends SortfirstError {
  readonly code = 'WRONG_PROOF'
  constructor(name: string) {
    super(`worker ${name}: expected a signature with the key that it names, got another one`)
  }
}

/**
 * Asks a worker that names a key for a signature.
 * @returns what reads its answer, which throws ProtocolError or WrongProofError; undefined: there is nothing to prove
 */
export function challenge(channel: Pick<Channel, 'send'>, hello: Hello): ((answer: unknown) => void) | undefined {
  if (hello.role !== 'worker' || hello.identity === undefined) return undefined
  const { name, identity } = hello
  const nonce = randomBytes(32).toString('base64url')
  channel.send({ type: 'challenge', nonce })
  return answer => {
    if (!isSigned(identity, nonce, parseProof(answer).signature)) throw new WrongProofError(name)
  }
}

function isSigned(identity: string, nonce: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: identity }, format: 'jwk' })
    return verify(null, wordsToSign(nonce), key, Buffer.from(signature, 'base64url'))
  } catch {
    // 32 bytes that are no key.
    return false
  }
}
