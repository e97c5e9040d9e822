/** `sortfirst drain`. */
import { OptionError, UnknownNameError } from '../../shared/errors.ts'
import { masterUrl } from '../../shared/protocol/master-address.ts'
import { print } from '../files/standard-output.ts'
import { drainWorker } from '../library/drain-worker.ts'
import { accessOptions } from '../options/access-options.ts'
import type { Words } from '../options/declare/group.ts'
import { readDrain } from '../options/groups/master.ts'
import { formatTime, plural } from '../report/figures/numbers.ts'
import { interruptible } from '../terminal/interrupt.ts'

/** @throws UnknownNameError if the cluster has no worker of that name */
export async function drain(worker: string, words: Words): Promise<void> {
  if (worker.trim() === '' || worker.length > 128)
    throw new OptionError('<worker>', 'the name of a worker, 1 to 128 characters', `${worker.length} characters`)
  const { master, json, ...raw } = readDrain(words)
  const url = masterUrl('--master', master)
  const access = accessOptions('operate', raw, process.env)
  const { left, remaining } = await interruptible(signal => drainWorker(url, worker, access, signal))
  if (left.length === 0 && remaining.length === 0)
    throw new OptionError('<worker>', `a worker of the master at ${url}`, `'${worker}', and it has none at all`)
  if (left.length === 0) throw new UnknownNameError('worker', worker, remaining)
  if (json) return print(`${JSON.stringify({ worker, left, remaining }, null, 2)}\n`)
  const lines = left.map(
    ({ id, finished, ms, reason }) =>
      `${worker} (${id}) has left after ${formatTime(Math.round(ms))}: ${finished === 0 ? 'it had nothing to finish' : `it finished what it had begun of ${plural(finished, 'tile')}`} (${reason})`,
  )
  const rest =
    remaining.length === 0
      ? 'no worker remains'
      : `${plural(remaining.length, 'worker')} by name: ${remaining.join(', ')}`
  await print(`${lines.join('\n')}\n${remaining.length === 0 ? rest : `there remain ${rest}`}\n`)
}
