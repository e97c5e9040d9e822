/** `bench checkpoint`. */
import Table from 'cli-table3'
import { print } from '../../files/standard-output.ts'
import { parseSize } from '../../options/groups/film.ts'
import { wholeNumber } from '../../options/option-values.ts'
import { benchCheckpoint, type CheckpointBench } from '../checkpoint/bench-checkpoint.ts'
import { median } from '../measure.ts'
import { PLAIN, printJson, progress } from './output.ts'

export interface RawCheckpointOptions {
  readonly size: string
  readonly scene: string
  readonly stillSize: string
  readonly samples: string
  readonly rounds: string
  readonly json?: boolean
}

export async function checkpoint(raw: RawCheckpointOptions): Promise<void> {
  const still = {
    scene: raw.scene,
    size: parseSize(raw.stillSize),
    samples: wholeNumber('--samples', raw.samples, 1, 16384),
  }
  const options = { size: parseSize(raw.size), rounds: wholeNumber('--rounds', raw.rounds, 1, 100), still }
  const result = await benchCheckpoint(options, progress)
  await (raw.json ? printJson(result) : print(text(result)))
}

function text({
  size,
  bytes,
  wallMs,
  cpuMs,
  diskMs,
  heldMs,
  shareOfMinute,
  still,
  dividedOverPlain,
}: CheckpointBench): string {
  const table = new Table({ style: PLAIN, head: ['', ''] })
  table.push(
    [
      'a checkpoint and its picture, ms, median and most',
      `${median(wallMs).toFixed(0)}, ${Math.max(...wallMs).toFixed(0)}`,
    ],
    ['writing as many bytes to the disk, ms', diskMs.toFixed(0)],
    ['CPU time of it, ms', median(cpuMs).toFixed(0)],
    ['of a minute of one core', `${(100 * shareOfMinute).toFixed(2)} %`],
    ['the event loop was held up for at most, ms', heldMs.toFixed(0)],
    [
      `${still.scene}, ${still.size.join('x')} px, ${still.samples} samples: CPU time divided over undivided`,
      dividedOverPlain.toFixed(3),
    ],
  )
  return `${size.join('x')} px with all sums, ${(bytes / 2 ** 20).toFixed(0)} MiB\n${table}\n`
}
