/** How a page is shown. */
import { group, option } from '../declare/group.ts'
import { flag, wholeNumber } from '../declare/kinds.ts'

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
})
