/** How files of frames are called. Four digits at least: what lists them in order of their names lists them in order. */

/** File name of a frame. */
export const frameFile = (frame: number): string => `${String(frame).padStart(4, '0')}.png`

/** The frame of a file; undefined for other files, such as one with zeros more than a frame's would have. */
export function frameOf(name: string): number | undefined {
  const frame = /^\d{4,}\.png$/.test(name) ? Number.parseInt(name, 10) : Number.NaN
  return frameFile(frame) === name ? frame : undefined
}
