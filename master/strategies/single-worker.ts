/**
 * Control: the whole frame goes to the first worker. The performance of one machine, and the bytes every other plan must
 * reproduce.
 */
import { frameRect } from '../../shared/frame/rect.ts'
import { type Strategy, workingShares } from './strategy.ts'

export const singleWorker: Strategy = {
  name: 'single-worker',
  summary: 'control: the whole frame to one worker',
  advice: 'what one machine does: the time that a cluster has to beat',
  source: 'control',
  plan: ({ size, workers }) => ({
    tiles: workingShares(workers)
      .slice(0, 1)
      .map(({ id }) => ({ rect: frameRect(size), worker: id })),
  }),
}
