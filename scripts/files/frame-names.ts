/** Names of frame files. At least four digits, so that sorting by name sorts by frame. */

/** File name of a frame. */
export const frameFile = (frame: number): string => `${String(frame).padStart(4, '0')}.png`

/** The frame number of a file; undefined for other files, such as one with extra leading zeros. */
export function frameOf(name: string): number | undefined {
  const frame = /^\d{4,}\.png$/.test(name) ? Number.parseInt(name, 10) : Number.NaN
  return frameFile(frame) === name ? frame : undefined
}
