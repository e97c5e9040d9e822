/** What is behind # in a link to a page: a ticket, which counts once. */

/** That of a link; '' if there is none. */
const ticketOf = (hash: string): string => /^#([\w-]{20,})$/.exec(hash)?.[1] ?? ''

/** Takes the ticket out of the page's address: it is not to stay in the history. Another link that is opened in this tab begins anew. */
export function takeTicket(): string {
  const ticket = ticketOf(location.hash)
  if (ticket !== '') history.replaceState(null, '', location.pathname)
  // It differs in its ticket alone, for which browsers load nothing anew.
  addEventListener('hashchange', () => {
    if (ticketOf(location.hash) !== '') location.reload()
  })
  return ticket
}
