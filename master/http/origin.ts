/**
 * Decides who may open a WebSocket here. Workers and command-line clients send no `Origin`; a browser always does, and
 * otherwise any page that happens to be open could order work from a master on the same machine. Only pages served by
 * this master are admitted.
 */
import { isIP } from 'node:net'

/**
 * Whether an upgrade request may become a connection. A page is this master's own if its origin is the host that the
 * request names. That alone could be forged by an attacker who controls the name in the page's address (DNS rebinding), so the
 * name must also be an IP address, `localhost`, or the name that the master listens on.
 * @param headers the request's `Origin` and `Host`
 * @param listensOn the host that the master was told to listen on
 */
export function originAllowed(
  { origin, host }: { readonly origin?: string | undefined; readonly host?: string | undefined },
  listensOn: string,
): boolean {
  if (origin === undefined) return true
  if (host === undefined || !URL.canParse(origin)) return false
  const page = new URL(origin)
  // Compared as URLs, so that the scheme's default port may be omitted on either side.
  if (!/^https?:$/.test(page.protocol) || !URL.canParse(`${page.protocol}//${host}`)) return false
  if (page.host !== new URL(`${page.protocol}//${host}`).host) return false
  return nameAllowed(page.hostname, listensOn)
}

/**
 * Whether a plain request may be answered, by the name that it was sent to. A browser says no origin when a page reads from what it
 * takes for its own server, so a name that was pointed here shows only in `Host`.
 */
export function hostAllowed(host: string | undefined, listensOn: string): boolean {
  return (
    host !== undefined && URL.canParse(`http://${host}`) && nameAllowed(new URL(`http://${host}`).hostname, listensOn)
  )
}

/** Whether a name cannot be made to point elsewhere. */
function nameAllowed(hostname: string, listensOn: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(name) !== 0 || name === 'localhost' || name === listensOn.toLowerCase()
}
