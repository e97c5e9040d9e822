/**
 * Which rights a token grants. Secrets are compared by their hashes, each with every other, so that the time says nothing about them:
 * neither how much of one was right, nor how long it is.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { RIGHTS, type Right, type Tokens } from '../../shared/access/tokens.ts'

/**
 * Returns the rights of a presented secret; none if it is wrong.
 * @param equal takes as long whatever the bytes are
 */
export function rightsBySecret(
  tokens: Tokens,
  equal: (a: Buffer, b: Buffer) => boolean = timingSafeEqual,
): (secret: string) => ReadonlySet<Right> {
  const granted = RIGHTS.flatMap(right => {
    const secret = tokens[right]
    return secret === undefined ? [] : [{ right, hash: hashOf(secret) }]
  })
  return secret => {
    const hash = hashOf(secret)
    return new Set(granted.filter(each => equal(each.hash, hash)).map(({ right }) => right))
  }
}

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
