/** `bench view`. */
import Table from 'cli-table3'
import { UnknownNameError } from '../../../shared/errors.ts'
import { print } from '../../files/standard-output.ts'
import { parseSize } from '../../options/groups/film.ts'
import { wholeNumber } from '../../options/option-values.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { benchView, type ViewBench } from '../view/bench-view.ts'
import { VIEW_PARTS, type ViewPart } from '../view/other-parts.ts'
import { PLAIN, printJson, progress } from './output.ts'

export interface RawViewOptions {
  readonly scene: string
  readonly size: string
  readonly seconds: string
  readonly stallSeconds: string
  readonly workers: string
  readonly film?: boolean
  readonly parts: string
  readonly lineSeconds: string
  readonly jumps: string
  readonly json?: boolean
}

/** A frame of the film takes seconds. */
const FILM = ['--integrator', 'path', '--samples', '64']

export async function view(raw: RawViewOptions): Promise<void> {
  const workers = wholeNumber('--workers', raw.workers, 1, 64)
  const options = {
    scene: raw.scene,
    size: parseSize(raw.size),
    seconds: wholeNumber('--seconds', raw.seconds, 1, 3600),
    stallSeconds: wholeNumber('--stall-seconds', raw.stallSeconds, 1, 25),
    parts: partsOf(raw.parts),
    lineSeconds: wholeNumber('--line-seconds', raw.lineSeconds, 1, 3600),
    jumps: wholeNumber('--jumps', raw.jumps, 1, 100_000),
    words: ['--size', raw.size, '--workers', `${workers}`],
    ...(raw.film ? { film: { workers, words: FILM } } : {}),
  }
  const result = await interruptible(signal => benchView(options, signal, { info: progress, warn: progress }))
  if (raw.json) return printJson(result)
  await print(viewText(result))
}

function partsOf(list: string): ViewPart[] {
  if (list === 'none') return []
  return list.split(',').map(name => {
    const part = VIEW_PARTS.find(each => each === name.trim())
    if (!part) throw new UnknownNameError('part', name.trim(), VIEW_PARTS, 'none')
    return part
  })
}

function viewText({
  fps,
  latencyMs,
  partsMs,
  movingSize,
  bytesPerFrame,
  outOfOrder,
  warpMs,
  viewers,
  slowLine,
  jumps,
  ...still
}: ViewBench): string {
  const ms = (value: number) => `${value.toFixed(0)} ms`
  const { wait, trace, encode, way } = partsMs
  const table = new Table({ style: PLAIN })
  table.push(
    ['pictures per second', fps.toFixed(1)],
    ['of', movingSize.map(Math.round).join('x')],
    ['latency', `${ms(latencyMs.p50)}, of 95 % at most ${ms(latencyMs.p95)}`],
    ['', `waiting ${ms(wait)}, tracing ${ms(trace)}, encoding ${ms(encode)}, on the way ${ms(way)}`],
    ...(warpMs ? [['last picture, bent', `${ms(warpMs.p50)}, of 95 % at most ${ms(warpMs.p95)}`]] : []),
    ['bytes per picture', `${(bytesPerFrame / 1000).toFixed(1)} kB`],
    ['out of order', `${outOfOrder}`],
    ['full size after the stop', ms(still.stillMs)],
    ['finished after the stop', ms(still.finishedMs)],
    ['stale pictures after a stall', `${still.staleAfterStall}`],
    [
      'dashboard of 8 areas',
      `${(still.dashboard.cpuShare * 100).toFixed(2)} % of a core, ${still.dashboard.bytesPerS.toFixed(0)} B/s`,
    ],
    ...(viewers
      ? [
          [
            `beside ${viewers.others} others`,
            `${viewers.fps.toFixed(1)} pictures per second, alone ${viewers.fpsAlone.toFixed(1)}: ${(viewers.lossShare * 100).toFixed(0)} % lost`,
          ],
        ]
      : []),
    ...(slowLine
      ? [
          [
            `${slowLine.roundTripMs} ms and ${slowLine.mbitPerS} Mbit/s away`,
            `${slowLine.fps.toFixed(1)} pictures per second, latency ${ms(slowLine.latencyMs.p50)}, of 95 % at most ${ms(slowLine.latencyMs.p95)}, at the end ${ms(slowLine.growthMs)} more`,
          ],
        ]
      : []),
    ...(jumps ? [[`${jumps.count} jumps`, `${jumps.pictures} pictures, ${jumps.outOfOrder} out of order`]] : []),
  )
  return `${table}\n`
}
