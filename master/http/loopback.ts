/** Which addresses only this machine can reach. */
import { isIP } from 'node:net'

/** Whether a peer's address, or an address to listen on, is this machine's own. Names other than `localhost` are not looked up. */
export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false
  if (address.toLowerCase() === 'localhost') return true
  const plain = address.replace(/^::ffff:/i, '')
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}
