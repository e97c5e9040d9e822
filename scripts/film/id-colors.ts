/** Pictures of ids, for the eye: a colour for each, the same in every frame, black for nothing. Which ids they are is in EXR files. */

/** Turns of hue from one id to the next: multiples of the golden ratio stay far from each other, however many there are. */
const HUE_STEP = 0.618033988749895

/** RGB8 of some ids. */
export function idColors(ids: Uint32Array): Uint8Array {
  const rgb = new Uint8Array(ids.length * 3)
  const known = new Map<number, readonly number[]>([[0, [0, 0, 0]]])
  for (let pixel = 0; pixel < ids.length; pixel++) {
    const id = ids[pixel]!
    let color = known.get(id)
    if (!color) {
      color = colorOf(id)
      known.set(id, color)
    }
    rgb.set(color, pixel * 3)
  }
  return rgb
}

/** Of full brightness, or less for every other id, and never grey. */
function colorOf(id: number): number[] {
  const hue = (id * HUE_STEP) % 1
  const bright = id % 2 === 0 ? 180 : 255
  const pale = id % 3 === 0 ? 0.5 : 0.15
  // Smith, "Color Gamut Transform Pairs", SIGGRAPH 1978: the hexagon of hues, a third of a turn between the primaries.
  return [0, 2 / 3, 1 / 3].map(shift => {
    const along = Math.abs(((hue + shift) % 1) * 6 - 3) - 1
    return Math.round(bright * (pale + (1 - pale) * Math.min(1, Math.max(0, along))))
  })
}
