/**
 * Who a worker is: it holds an Ed25519 key (Bernstein et al., "High-speed high-security signatures", CHES 2011; RFC 8032), and the public
 * half is its identity. It proves that by signing what the master has drawn for this one connection, so that what was said on another is
 * worth nothing. Runs anywhere; the signing and its verification are the platform's.
 */

/** The public key, 32 bytes in base64url. */
export const IDENTITY = /^[A-Za-z0-9_-]{43}$/
/** What a master draws, 32 random bytes in base64url. */
export const NONCE = /^[A-Za-z0-9_-]{43}$/
/** A signature, 64 bytes in base64url. */
export const SIGNATURE = /^[A-Za-z0-9_-]{86}$/

/** A key of a worker's own. */
export interface OwnKey {
  readonly identity: string
  /** Signs the words of a nonce; in base64url. */
  sign(nonce: string): string | Promise<string>
}

/** What is signed. Its first words are for nothing else, so a signature is of no use elsewhere. */
export const wordsToSign = (nonce: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`sortfirst: I am a worker with this key, on the connection ${nonce}`)
