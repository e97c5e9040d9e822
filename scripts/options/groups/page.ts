/** How a page is shown. */
import { group, option } from '../declare/group.ts'
import { flag, pageAddress, wholeNumber } from '../declare/kinds.ts'

/** For links that others than this machine open. */
export const pageAt = option({
  flag: '--page-at <url>',
  kind: pageAddress,
  help: 'address of the page in links, where browsers reach it by another one than the master’s, such as behind a proxy',
  otherwise: 'the master’s',
  variable: ['view', 'master'],
})

export const page = group('Page:', ['view'], {
  open: option({
    flag: '--open',
    kind: flag,
    help: 'open the page in the browser of this machine',
    usual: false,
  }),
  port: option({
    flag: '--port <n>',
    kind: wholeNumber(1, 65_535),
    help: 'of the page, on this machine, such as for ssh -L',
    otherwise: 'any that is free',
    variable: ['view'],
    rules: [{ excludes: 'master', because: ': its page has the port of the master' }],
  }),
  pageAt,
})
