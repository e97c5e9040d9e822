/** What the engine `webgpu` does not trace yet: said by name before anything is traced, never left out of a picture. */
import type { ChannelName } from './channels.ts'
import type { Quality } from './view.ts'

/** What to do instead. */
export const INSTEAD = 'use --engine wasm, or --accelerator webgpu for its rays'

export const notYet = (what: string): string => `--engine webgpu does not trace ${what} yet: ${INSTEAD}`

/** What of a view, and of what is asked about its pixels, is not traced, for `notYet`; undefined if all is. @param asked channels beside colour */
export function deviceGap(_: Quality, asked: readonly string[]): string | undefined {
  const channel = NOT_TRACED.find(name => asked.includes(name))
  return channel === undefined ? undefined : `the channel ${channel}`
}

/** Of an order. */
export const orderGap = (order: {
  readonly quality: Quality
  readonly channels?: readonly string[]
  readonly transparent?: boolean
}): string | undefined => deviceGap(order.quality, [...(order.channels ?? []), ...(order.transparent ? ['alpha'] : [])])

/** They are counted while light is traced; others come from the rays of pixels' centres. */
const NOT_TRACED: readonly ChannelName[] = []
