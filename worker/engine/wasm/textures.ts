/**
 * Textures in the kernel's memory: a record each, and the texels of their levels in blocks of 4 × 4, so that neighbours in both
 * directions share a cache line.
 */
import type { Texture, TextureFacts } from '../../../shared/scene/texture.ts'
import type { KernelMemory } from './memory.ts'
import { halved, type Level, levelSizes } from './mip-levels.ts'
import { get, offsetOf, put } from './records/access.ts'
import { LEVEL, TEXELS, TEXTURE, WRAPS } from './records/texture.ts'

const SIDE = 4
const BLOCK_BYTES = 64

/** Bytes of all of them in the kernel's memory, a multiple of a block's. */
export const textureBytes = (textures: readonly TextureFacts[]): number =>
  textures.reduce((sum, texture) => sum + TEXTURE.bytes + levelBytes(texture), 0)

const levelBytes = (texture: TextureFacts): number =>
  levelSizes(texture).reduce((sum, [width, height]) => sum + blockBytes(width, height), 0)

const blocksAlong = (texels: number): number => Math.ceil(texels / SIDE)

const blockBytes = (width: number, height: number): number => blocksAlong(width) * blocksAlong(height) * BLOCK_BYTES

/** Address of a texture's record, of textures from the address `at` on. */
export const textureAt = (at: number, number: number): number => at + number * TEXTURE.bytes

/** Textures that were written before: where, and how many. */
export interface PutTextures {
  readonly memory: KernelMemory
  readonly at: number
  readonly count: number
}

/**
 * Writes textures from the address `at` on, a multiple of a block's bytes.
 * @param made of the same texels; the blocks of those that are averaged in the same way are copied, or stay where they are already there
 */
export function putTextures(memory: KernelMemory, textures: readonly Texture[], at: number, made?: PutTextures): void {
  const { words } = memory
  const like = made && hasSizes(made, textures) ? made : undefined
  let next = textureAt(at, textures.length)
  textures.forEach((texture, i) => {
    const record = textureAt(at, i)
    const sizes = levelSizes(texture)
    const before = like && textureAt(like.at, i)
    const blocks =
      before !== undefined && isSrgb(like!.memory, before) === texture.srgb ? like!.memory.words : undefined
    put(memory, TEXTURE, record, {
      wrapU: WRAPS[texture.wrapU],
      wrapV: WRAPS[texture.wrapV],
      flags: (texture.srgb ? TEXELS.srgb : 0) | (texture.nearest ? TEXELS.nearest : 0),
      levelCount: sizes.length,
    })
    let level: Level = texture
    sizes.forEach(([width, height], number) => {
      put(memory, LEVEL, levelAt(record, number), { blocks: next, across: blocksAlong(width), width, height })
      const to = words.subarray(next >>> 2, (next + blockBytes(width, height)) >>> 2)
      if (blocks) {
        const from = get(like!.memory, LEVEL, levelAt(before!, number), 'blocks') >>> 2
        if (blocks.buffer !== words.buffer || from !== next >>> 2) to.set(blocks.subarray(from, from + to.length))
      } else {
        if (number > 0) level = halved(level, texture.srgb)
        putBlocks(level, to)
      }
      next += blockBytes(width, height)
    })
  })
}

/** Whether there are as many textures of the same sizes: then the same texels are those of the same textures. */
function hasSizes({ memory, at, count }: PutTextures, textures: readonly TextureFacts[]): boolean {
  const side = (i: number, name: 'width' | 'height') => get(memory, LEVEL, levelAt(textureAt(at, i), 0), name)
  return (
    count === textures.length &&
    textures.every(({ width, height }, i) => side(i, 'width') === width && side(i, 'height') === height)
  )
}

/** Address of a level's record. */
export const levelAt = (texture: number, number: number): number =>
  texture + offsetOf(TEXTURE, 'levels') + number * LEVEL.bytes

const isSrgb = (memory: KernelMemory, record: number): boolean =>
  (get(memory, TEXTURE, record, 'flags') & TEXELS.srgb) !== 0

/** A texel is a word; those beyond the image's edges stay 0 and are never read. */
function putBlocks({ width, height, texels }: Level, blocks: Uint32Array): void {
  const across = blocksAlong(width)
  const rows = wordsOf(texels)
  for (let y = 0; y < height; y++) {
    const line = Math.floor(y / SIDE) * across * SIDE * SIDE + (y % SIDE) * SIDE
    for (let x = 0; x < width; x++) blocks[line + (x >> 2) * SIDE * SIDE + (x & 3)] = rows[y * width + x]!
  }
}

/** The texels as words, of a copy where they do not begin at a multiple of four. */
function wordsOf(texels: Uint8Array): Uint32Array {
  const aligned = texels.byteOffset % 4 === 0 ? texels : texels.slice()
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4)
}

/** The texel of a level in a column and a row, as a word. @param level address of its record */
export function texelIn(memory: KernelMemory, level: number, x: number, y: number): number {
  const block = (y >> 2) * get(memory, LEVEL, level, 'across') + (x >> 2)
  const first = get(memory, LEVEL, level, 'blocks') + block * BLOCK_BYTES
  return memory.words[(first >>> 2) + (y & 3) * SIDE + (x & 3)]!
}
