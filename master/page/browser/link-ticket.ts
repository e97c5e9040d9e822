/** What is behind # in a link to a page: a ticket, which counts once. */

const TICKET = /^#([\w-]{20,})(?:&(.*))?$/

/** That of a link; '' if there is none. */
const ticketOf = (hash: string): string => TICKET.exec(hash)?.[1] ?? ''

/** Takes the ticket out of the page's address: it is not to stay in the history. What else is there, as a view, stays. Another link that is opened in this tab begins anew. */
export function takeTicket(): string {
  const ticket = ticketOf(location.hash)
  const others = TICKET.exec(location.hash)?.[2]
  if (ticket !== '') history.replaceState(null, '', location.pathname + (others ? `#${others}` : ''))
  // It differs in its ticket alone, for which browsers load nothing anew.
  addEventListener('hashchange', () => {
    if (ticketOf(location.hash) !== '') location.reload()
  })
  return ticket
}
