/**
 * Textures in the kernel's memory: a record each, and their texels in blocks of 4 × 4, so that neighbours in both directions share a
 * cache line.
 */
import type { Material } from '../../../shared/scene/material.ts'
import type { Texture, TextureFacts, Wrap } from '../../../shared/scene/texture.ts'
import {
  MATERIAL_BYTES,
  MATERIAL_COLOR_MAP,
  MATERIAL_COLOR_PLACE,
  MATERIAL_VARIES,
  TEXTURE_ACROSS,
  TEXTURE_BLOCKS,
  TEXTURE_BYTES,
  TEXTURE_HEIGHT,
  TEXTURE_SRGB,
  TEXTURE_WIDTH,
  TEXTURE_WRAP_U,
  TEXTURE_WRAP_V,
  VARIES_COLOR_MAP,
  WRAP_CLAMP,
  WRAP_MIRROR,
  WRAP_REPEAT,
} from './kernel/layout.ts'
import type { KernelMemory } from './memory.ts'

const SIDE = 4
const BLOCK_BYTES = 64
const WRAPS: Readonly<Record<Wrap, number>> = { repeat: WRAP_REPEAT, clamp: WRAP_CLAMP, mirror: WRAP_MIRROR }

/** Bytes of all of them in the kernel's memory, a multiple of a block's. */
export const textureBytes = (textures: readonly TextureFacts[]): number =>
  recordBytes(textures.length) + textures.reduce((sum, texture) => sum + blockBytes(texture), 0)

const recordBytes = (count: number): number => Math.ceil((count * TEXTURE_BYTES) / BLOCK_BYTES) * BLOCK_BYTES

const blocksAlong = (texels: number): number => Math.ceil(texels / SIDE)

const blockBytes = ({ width, height }: TextureFacts): number => blocksAlong(width) * blocksAlong(height) * BLOCK_BYTES

/** Writes textures from the address `at` on, a multiple of a block's bytes, and tells the materials at `materialsAt` of theirs. */
export function putTextures(
  { words, floats }: KernelMemory,
  { textures, materials }: { readonly textures: readonly Texture[]; readonly materials: readonly Material[] },
  at: number,
  materialsAt: number,
): void {
  let next = at + recordBytes(textures.length)
  textures.forEach((texture, i) => {
    const record = at + i * TEXTURE_BYTES
    const put = (field: number, value: number) => {
      words[(record + field) >>> 2] = value
    }
    put(TEXTURE_BLOCKS, next)
    put(TEXTURE_ACROSS, blocksAlong(texture.width))
    put(TEXTURE_WIDTH, texture.width)
    put(TEXTURE_HEIGHT, texture.height)
    put(TEXTURE_WRAP_U, WRAPS[texture.wrapU])
    put(TEXTURE_WRAP_V, WRAPS[texture.wrapV])
    put(TEXTURE_SRGB, Number(texture.srgb))
    putBlocks(texture, words.subarray(next >>> 2, (next + blockBytes(texture)) >>> 2))
    next += blockBytes(texture)
  })
  materials.forEach(({ colorMap }, i) => {
    if (!colorMap) return
    const material = materialsAt + i * MATERIAL_BYTES
    words[(material + MATERIAL_VARIES) >>> 2]! |= VARIES_COLOR_MAP
    words[(material + MATERIAL_COLOR_MAP) >>> 2] = at + colorMap.texture * TEXTURE_BYTES
    floats.set(colorMap.transform, (material + MATERIAL_COLOR_PLACE) >>> 2)
  })
}

/** A texel is a word; those beyond the image's edges stay 0 and are never read. */
function putBlocks({ width, height, texels }: Texture, blocks: Uint32Array): void {
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
