/** `bench instances`. */
import Table from 'cli-table3'
import { print } from '../../files/standard-output.ts'
import { parseSize } from '../../options/groups/film.ts'
import { wholeNumber } from '../../options/option-values.ts'
import { describeHost } from '../../run/host.ts'
import { benchInstances, type InstancesBench } from '../instances/bench-instances.ts'

export interface RawInstancesOptions {
  readonly copies: string
  readonly size: string
  readonly rounds: string
  readonly json?: boolean
}

export async function instances(raw: RawInstancesOptions): Promise<void> {
  const result = benchInstances({
    copies: wholeNumber('--copies', raw.copies, 2, 100_000),
    size: parseSize(raw.size),
    rounds: wholeNumber('--rounds', raw.rounds, 1, 1000),
  })
  await print(raw.json ? `${JSON.stringify({ host: describeHost(), ...result }, null, 2)}\n` : instancesText(result))
}

const PLAIN = { head: [], border: [], compact: true }
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

function instancesText({ copies, size, rounds, triangles, instanced, baked, rows }: InstancesBench): string {
  const built = new Table({ style: PLAIN, head: ['', 'build, ms', 'scene, MB', 'process, MB'] })
  for (const [name, { buildMs, bytes, residentBytes }] of Object.entries({ instanced, baked }))
    built.push([name, buildMs.toFixed(0), megabytes(bytes), megabytes(residentBytes)])
  const traced = new Table({ style: PLAIN, head: ['rays', 'instanced, ms', 'baked, ms', 'speed'] })
  for (const { rays, instancedMs, bakedMs, speed } of rows)
    traced.push([rays, instancedMs.toFixed(1), bakedMs.toFixed(1), `${speed.toFixed(2)}×`])
  const shown = `${triangles.unique.toLocaleString('en-US')} triangles in ${copies.toLocaleString('en-US')} places`
  return `${shown}: ${triangles.drawn.toLocaleString('en-US')} drawn; one thread\n${built}\n\npictures of ${size.join('x')}, equal byte for byte; CPU time, median of ${rounds} rounds\n${traced}\n`
}
