/**
 * Colours of vertices in an OBJ file: three numbers after the coordinates. No standard has them, but MeshLab, Blender and most scanners
 * write them: sRGB, as three's loader reads them, from 0 to 1, or from 0 to 255.
 */

/**
 * Changes the lines with vertices so that all have a colour from 0 to 1, or none. Vertices without one in a file that has some are white.
 * @returns what was left out; undefined if all is shown
 */
export function unifyColors(lines: string[]): string | undefined {
  const vertices = lines.flatMap((text, line) => {
    const words = text.trim().split(/\s+/)
    return words[0] === 'v'
      ? [{ line, place: words.slice(0, COLOR_AT), color: words.slice(COLOR_AT, COLOR_AT + 3) }]
      : []
  })
  let most = 1
  let wrong: { line: number; got: string } | undefined
  for (const { line, color } of vertices) {
    if (color.length < 3) continue
    const got = color.find(word => !(Number(word) >= 0 && Number(word) <= 255))
    if (got !== undefined) wrong ??= { line, got }
    else most = Math.max(most, ...color.map(Number))
  }
  const scale = most > 1 ? 255 : 1
  for (const { line, place, color } of vertices) {
    const shares = color.length < 3 ? [1, 1, 1] : color.map(word => Number(word) / scale)
    lines[line] = [...place, ...(wrong ? [] : shares)].join(' ')
  }
  return wrong
    ? `vertex colours were ignored: line ${wrong.line + 1}: expected numbers from 0 to 1 or to 255, got '${wrong.got.slice(0, 60)}'`
    : undefined
}

/** Words before the colour. */
const COLOR_AT = 4
