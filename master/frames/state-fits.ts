/** Whether what a peer has of a frame, or says that it has, is of a frame of a session. Pure. */
import { NOISE_CELL } from '../../shared/frame/cell-mask.ts'
import { bytesPerPixel, CHANNELS } from '../../shared/frame/channels.ts'
import { bitsIn, type FrameState } from '../../shared/frame/frame-state.ts'
import { doublingRanges } from '../../shared/frame/halves.ts'
import { weightedFor } from '../../shared/frame/sample-layout.ts'
import type { StateHead } from '../../shared/frame/state-head.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import { channelsFor } from '../assembly/finish-frame.ts'

/** What is wrong with a head, before memory is taken for what follows it; undefined: nothing. */
export function headProblem(head: StateHead, order: SessionOrder): string | undefined {
  const { size, range, phase, channels, most } = head
  const { quality, noise } = order
  if (size[0] !== order.size[0] || size[1] !== order.size[1])
    return `expected ${order.size.join('x')} px, got ${size.join('x')}`
  const own = channelsFor(order)
  if (channels.join() !== own.join()) return `expected channels ${own.join(', ')}, got ${channels.join(', ')}`
  if (most !== weightedFor(quality)) return `expected weights for ${weightedFor(quality)} samples, got ${most}`
  if (range.from >= range.to || range.to > quality.samples)
    return `expected samples within 0 to ${quality.samples}, got ${range.from} to ${range.to}`
  if (
    noise !== undefined &&
    !doublingRanges(quality.samples).some(each => each.from === range.from && each.to === range.to)
  )
    return `expected samples that double, got ${range.from} to ${range.to}`
  if (phase === 'judging' && noise === undefined) return 'expected no judging without a noise limit'
  return planesProblem(head) ?? countsProblem(head, noise !== undefined)
}

function planesProblem({ size, range, phase, channels, planes }: StateHead): string | undefined {
  const sums = planes.filter(({ isNewest }) => !isNewest).map(({ channel }) => channel)
  if (sums.join() !== channels.join()) return `expected the planes of ${channels.join(', ')}, got ${sums.join(', ')}`
  const newest = planes.filter(({ isNewest }) => isNewest).map(({ channel }) => channel)
  const isApart = range.from > 0 && phase !== 'complete'
  const may = (channel: (typeof newest)[number]) => CHANNELS[channel].of === 'samples' && channels.includes(channel)
  if (new Set(newest).size < newest.length || (newest.length > 0 && !isApart) || !newest.every(may))
    return `expected newest samples apart only of sums, got ${newest.join(', ')}`
  const wrong = planes.find(({ channel, bytes }) => bytes !== size[0] * size[1] * bytesPerPixel(channel))
  return (
    wrong &&
    `expected ${size[0] * size[1] * bytesPerPixel(wrong.channel)} bytes of ${wrong.channel}, got ${wrong.bytes}`
  )
}

function countsProblem({ size: [w, h], phase, ...head }: StateHead, isAdaptive: boolean): string | undefined {
  const cells = Math.ceil(w / NOISE_CELL) * Math.ceil(h / NOISE_CELL)
  const mayHaveNext = isAdaptive && phase === 'complete'
  for (const [name, expected] of [
    ['taken', [4 * cells]],
    ['open', [isAdaptive ? cells : 0]],
    ['next', mayHaveNext ? [0, cells] : [0]],
    ['arrived', [4 * Math.ceil((w * h) / 32)]],
  ] as const)
    if (!expected.some(bytes => bytes === head[name]))
      return `expected ${expected.join(' or ')} bytes of ${name}, got ${head[name]}`
  return undefined
}

/** What is wrong with what followed such a head; undefined: nothing. What pixels are like is their owner's business. */
export function stateProblem(state: FrameState): string | undefined {
  const { taken, open, next, arrived, range, phase, size } = state
  const before = phase === 'tracing' ? range.from : range.to
  if (taken.some(samples => samples > before)) return `expected at most ${before} samples of a cell, got more`
  for (const marks of [open, next])
    if (marks?.some(mark => mark > 1)) return 'expected marks of cells of 0 or 1, got more'
  const pixels = size[0] * size[1]
  if (phase !== 'tracing' && bitsIn(arrived, pixels) < pixels)
    return 'expected all pixels of a complete range, got fewer'
  return undefined
}
