/** What is shown of two flat pictures: PNG files of both, and of where they differ. */
import { SrgbBytes } from '../../../../shared/math/srgb.ts'
import { pngOf } from '../page.ts'
import { EXCUSED, OTHER_COLOR, OTHER_COVERAGE } from './compare.ts'
import { CHANNELS, COVERAGE, type FlatPicture } from './flat-picture.ts'

/** PNG files. */
export interface ShownPair {
  readonly theirs: Buffer
  readonly ours: Buffer
  readonly difference: Buffer
}

/** Differences within the tolerance are shown so many times as bright as they are. */
export const DIFFERENCE = 8
/** Of what is marked in a difference, sRGB. */
const MARKS: Readonly<Record<number, readonly [number, number, number]>> = {
  [EXCUSED]: [0, 70, 130],
  [OTHER_COLOR]: [255, 140, 0],
  [OTHER_COVERAGE]: [255, 0, 200],
}

/** @param marks of a comparison */
export async function shownPair(theirs: FlatPicture, ours: FlatPicture, marks: Uint8Array): Promise<ShownPair> {
  const [a, b] = [shownBytes(theirs), shownBytes(ours)]
  const files = [a, b, differenceBytes(a, b, marks)].map(pixels => pngOf(ours.size, pixels))
  const [png, ourPng, difference] = (await Promise.all(files)) as [Buffer, Buffer, Buffer]
  return { theirs: png, ours: ourPng, difference }
}

const srgb = new SrgbBytes()

/** RGB8, on black. */
function shownBytes({ values }: FlatPicture): Uint8Array {
  const bytes = new Uint8Array((values.length / CHANNELS) * 3)
  for (let pixel = 0; pixel < bytes.length / 3; pixel++)
    for (let channel = 0; channel < COVERAGE; channel++)
      bytes[pixel * 3 + channel] = srgb.nearest(values[pixel * CHANNELS + channel]!)
  return bytes
}

function differenceBytes(a: Uint8Array, b: Uint8Array, marks: Uint8Array): Uint8Array {
  const difference = a.map((value, i) => Math.min(255, DIFFERENCE * Math.abs(value - b[i]!)))
  marks.forEach((mark, pixel) => {
    if (MARKS[mark]) difference.set(MARKS[mark], pixel * 3)
  })
  return difference
}
