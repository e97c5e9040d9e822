/** The control: shares in proportion to what areas declare, or as `--within-start` says, whatever is measured. */
import { startingShares, type Within } from './within.ts'

export const fixed: Within = {
  name: 'fixed',
  summary: 'a fixed share: declared speeds, or what --within-start says',
  advice: 'to find the best share by hand, or where both devices are known exactly',
  source: 'control; Baranova et al., "One Approach to Computational Load Balancing within the Node", §2',
  divide: input => ({ shares: startingShares(input) }),
}
