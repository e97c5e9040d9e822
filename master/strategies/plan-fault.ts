/** Checks what every plan promises, whichever strategy made it. */
import { forEachRun, type PixelSet } from '../../shared/frame/pixel-set.ts'
import { contains, formatRect, frameRect, type Size } from '../../shared/frame/rect.ts'
import type { FrameInput, Plan } from './strategy.ts'

const STEALING: readonly unknown[] = [undefined, 'tiles', 'rows']

/** The promise that a plan breaks, in words; undefined if none. */
export function planFault(plan: Plan, { size, workers }: Pick<FrameInput, 'size' | 'workers'>): string | undefined {
  if (!Array.isArray(plan?.tiles)) return 'plan() must return { tiles: [...] }'
  const odd = plan.tiles.find(tile => typeof tile?.rect !== 'object' || tile.rect === null)
  if (odd) return `every tile must have a rect { x, y, w, h }, got ${JSON.stringify(odd)}`
  const working = new Set<string>(workers.filter(({ speed }) => speed > 0).map(({ id }) => id))
  const stray = plan.tiles.find(({ worker }) => worker !== undefined && !working.has(worker))
  if (stray) return `a tile is for worker '${stray.worker}', which does not exist or has speed 0`
  if (!STEALING.includes(plan.stealing)) return `stealing must be 'tiles' or 'rows', got '${plan.stealing}'`
  return partitionFault(plan.tiles, size)
}

/** Why tiles do not partition a frame: every pixel must be in exactly one tile, each with integer coordinates and not empty. */
export function partitionFault(tiles: readonly PixelSet[], [w, h]: Size): string | undefined {
  const owned = new Uint8Array(w * h)
  for (const tile of tiles) {
    const { rect } = tile
    if (![rect.x, rect.y, rect.w, rect.h].every(Number.isInteger)) return `${formatRect(rect)} has non-integer edges`
    if (!contains(frameRect([w, h]), rect)) return `${formatRect(rect)} is outside the frame`
    let pixels = 0
    let twice = 0
    forEachRun(tile, (x, y, length) => {
      pixels += length
      for (let i = y * w + x; i < y * w + x + length; i++) twice += owned[i]!++
    })
    if (pixels === 0) return `${formatRect(rect)} has no pixels`
    if (twice > 0) return `${twice} pixels of ${formatRect(rect)} are in two tiles`
  }
  const missing = owned.indexOf(0)
  return missing < 0 ? undefined : `pixel ${missing % w},${Math.floor(missing / w)} is in no tile`
}
