/** Images. */
import { WRAPS as WRAP_NAMES } from '../../../../shared/scene/texture.ts'
import { bits, numbered, record, records, u32 } from './record.ts'

export const WRAPS = numbered(WRAP_NAMES)
export const TEXELS = bits(['srgb', 'nearest'])

/** Every level is half as large as the one before. */
export const LEVEL = record('Level', 'A texture in one size.', {
  blocks: u32('address of its blocks of 4 × 4 texels, RGBA8, row by row'),
  across: u32('how many there are in a row'),
  width: u32('texels'),
  height: u32('texels'),
})

export const TEXTURE = record('Texture', 'An image.', {
  wrapU: u32('one of WRAPS: what continues it beyond its edges'),
  wrapV: u32('one of WRAPS'),
  flags: u32('TEXELS'),
  levelCount: u32('how many there are'),
  levels: records(LEVEL, 15, 'enough for sides of 16384 texels'),
})
