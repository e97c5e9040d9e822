/** Files that are not on disk, for readers of files that name others. */
import sharp from 'sharp'
import type { SceneFolder } from '../../../scenes/files/folders/scene-folder.ts'

export type NamedFiles = Readonly<Record<string, string | Uint8Array>>

export const folderOf = (files: NamedFiles): SceneFolder => ({
  async read(name) {
    const file = files[name]
    if (file === undefined) throw new Error('its file was not found')
    return typeof file === 'string' ? new TextEncoder().encode(file) : file
  },
})

type Rgba = readonly [number, number, number, number]

/** A PNG of one row. */
export const picture = (...texels: readonly Rgba[]): Promise<Buffer> =>
  sharp(Uint8Array.from(texels.flat()), { raw: { width: texels.length, height: 1, channels: 4 } })
    .png()
    .toBuffer()

export const grey = (...levels: readonly number[]): Promise<Buffer> =>
  picture(...levels.map((level): Rgba => [level, level, level, 255]))
