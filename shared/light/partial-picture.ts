/** What there is of a frame in the making, as a picture: light where a pixel has samples, and nothing where it has none. Pure. */
import { type ChannelName, type PlaneOf, planeAt } from '../frame/channels.ts'
import { type FrameState, newestOf, planeOf, samplesOf } from '../frame/frame-state.ts'
import { joined } from './accumulate.ts'
import { sumScale } from './sum-scale.ts'
import { type Look, ToneMap } from './tone-map.ts'

/** RGBA8, row-major. Of a transparent frame it is as opaque as what is there. */
export function partialPicture(state: FrameState, look: Look): Uint8Array<ArrayBuffer> {
  const samples = samplesOf(state)
  const rgba = new Uint8Array(samples.length * 4)
  if (state.channels.includes('rgb')) {
    const rgb = valuesOf(state, 'rgb')
    for (let at = 0; at < samples.length; at++) {
      if (samples[at] === 0) continue
      for (let k = 0; k < 3; k++) rgba[at * 4 + k] = rgb[at * 3 + k]!
      rgba[at * 4 + 3] = 255
    }
    return rgba
  }
  const light = valuesOf(state, 'light')
  const newest = state.planes.some(({ channel, isNewest }) => channel === 'light' && isNewest)
    ? valuesOf(state, 'light', true)
    : undefined
  const hits = state.channels.includes('alpha') ? valuesOf(state, 'alpha') : undefined
  const toneMap = new ToneMap(look, sumScale(look))
  // What is kept apart is arbitrary where nothing of it has arrived.
  const isNew = newest ? newestOf(state) : undefined
  for (let at = 0; at < samples.length; at++) {
    const count = samples[at]!
    if (count === 0) continue
    const hit = hits ? hits[at]! : count
    const factor = hit === 0 ? 0 : state.most / hit
    const more = isNew?.[at] === 1 ? newest : undefined
    const value = (i: number) => (more ? joined(light[i]!, more[i]!) : light[i]!) * factor
    toneMap.write(value(at * 3), value(at * 3 + 1), value(at * 3 + 2), rgba, at * 4)
    rgba[at * 4 + 3] = Math.round((255 * hit) / count)
  }
  return rgba
}

const valuesOf = <C extends ChannelName>(state: FrameState, channel: C, isNewest = false): PlaneOf<C> => {
  const { bytes } = planeOf(state, channel, isNewest)
  return planeAt(channel, bytes.buffer, bytes.byteOffset, state.size[0] * state.size[1])
}
