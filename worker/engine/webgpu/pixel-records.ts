/**
 * What an invocation writes of a pixel's samples: always its sum of light, the steps of its rays and the depth of the first; of what else is counted
 * (`kernel/surface/first-hits.ts`, `features.ts`, `coverage.ts`) what the view asks for. The host adds these up to what the kernel would have left: integers,
 * exact in any order.
 */
import { addTables, TABLE_ENTRIES } from '../../../shared/frame/coverage-table.ts'
import type { KernelMemory } from '../wasm/memory.ts'
import { get } from '../wasm/records/access.ts'
import { COVERED_BY, FEATURES, SUM, VIEW } from '../wasm/records/view.ts'
import { type PixelRequest, PixelsDeviceError } from './pixel-request.ts'

/** What is counted besides light. */
export interface Counted {
  readonly hits: boolean
  readonly features: boolean
  readonly objects: boolean
  readonly labels: boolean
}

export const EVERY_COUNT: Counted = { hits: true, features: true, objects: true, labels: true }

/** What the view at an address asks for. */
export function countedBy(memory: KernelMemory, view: number): Counted {
  const by = get(memory, VIEW, view, 'coveredBy')
  return {
    hits: get(memory, VIEW, view, 'firstHits') !== 0,
    features: get(memory, VIEW, view, 'features') !== 0,
    objects: (by & COVERED_BY.objects) !== 0,
    labels: (by & COVERED_BY.labels) !== 0,
  }
}

/** Words of light, of first hits, and of features: two quads each. */
const PART_WORDS = 8

/** Where the parts of a record begin, and its words. */
export function recordOf({ hits, features, objects, labels }: Counted) {
  const after = (at: number, has: boolean, words: number) => at + (has ? words : 0)
  const featuresAt = after(PART_WORDS, hits, PART_WORDS)
  const objectsAt = after(featuresAt, features, PART_WORDS)
  const labelsAt = after(objectsAt, objects, TABLE_ENTRIES)
  return {
    hits: PART_WORDS,
    features: featuresAt,
    objects: objectsAt,
    labels: labelsAt,
    words: after(labelsAt, labels, TABLE_ENTRIES),
  }
}

export const MOST_PIXEL_WORDS = recordOf(EVERY_COUNT).words

/** The statements that write the record of an invocation. */
export function writesOf(counted: Counted): string {
  const at = recordOf(counted)
  const quads = (from: number, values: readonly string[]) =>
    values.map((value, i) => `sums[at + ${from / 4 + i}u] = ${value};`)
  const table = (name: string) =>
    Array.from(
      { length: TABLE_ENTRIES / 4 },
      (_, i) => `vec4<u32>(${[0, 1, 2, 3].map(k => `${name}[${4 * i + k}]`).join(', ')})`,
    )
  return [
    `let at = ${at.words / 4}u * id.x;`,
    ...quads(0, ['vec4<u32>(sum.low, steps)', 'vec4<u32>(sum.high, bitcast<u32>(depth))']),
    ...(counted.hits ? quads(at.hits, ['vec4<u32>(albedo.low, covered)', 'vec4<u32>(albedo.high, 0u)']) : []),
    ...(counted.features ? quads(at.features, ['first_features', 'second_features']) : []),
    ...(counted.objects ? quads(at.objects, table('object_table')) : []),
    ...(counted.labels ? quads(at.labels, table('label_table')) : []),
  ].join('\n  ')
}

/** Adds records of parts of the samples of pixels up. @param goesOn whether to what is there @throws PixelsDeviceError where a loop has ended early */
export function addUp(
  { words, floats, doubles }: KernelMemory,
  { count, sums, steps, depths, albedos, covered, features, objectTables, labelTables }: PixelRequest,
  counted: Counted,
  made: Uint32Array,
  parts: number,
  goesOn: boolean,
): void {
  const at = recordOf(counted)
  const depthsMade = new Float32Array(made.buffer, made.byteOffset, made.length)
  /** Of words from an address on. */
  const added = (to: number, from: number, length: number) => {
    for (let k = 0; k < length; k++) words[(to >>> 2) + k]! += made[from + k]!
  }
  const light = (to: number, from: number) => {
    for (let k = 0; k < 3; k++)
      doubles[(to >>> 3) + k] = Math.min(
        doubles[(to >>> 3) + k]! + made[from + 4 + k]! + made[from + k]! * 2 ** -32,
        LARGEST_SUM,
      )
  }
  const tables = (to: number, from: number) =>
    addTables(words.subarray(to >>> 2, (to >>> 2) + TABLE_ENTRIES), made.subarray(from, from + TABLE_ENTRIES))
  for (let pixel = 0; pixel < count; pixel++) {
    const first = pixel * parts * at.words
    const place = {
      ...{ sum: sums + pixel * SUM.bytes, steps: steps + 4 * pixel, features: features + pixel * FEATURES.bytes },
      ...{ albedo: albedos + pixel * SUM.bytes, covered: covered + 4 * pixel },
      objects: objectTables + pixel * TABLE_ENTRIES * 4,
      labels: labelTables + pixel * TABLE_ENTRIES * 4,
    }
    if (!goesOn) {
      for (const [from, bytes, is] of [
        [place.sum, SUM.bytes, true],
        [place.steps, 4, true],
        [place.albedo, SUM.bytes, counted.hits],
        [place.covered, 4, counted.hits],
        [place.features, FEATURES.bytes, counted.features],
        [place.objects, TABLE_ENTRIES * 4, counted.objects],
        [place.labels, TABLE_ENTRIES * 4, counted.labels],
      ] as const)
        if (is) words.fill(0, from >>> 2, (from + bytes) >>> 2)
    }
    for (let from = first; from < first + parts * at.words; from += at.words) {
      if (made[from + 3] === 0)
        throw new PixelsDeviceError(
          'expected the device to trace each ray to its end, got loops that end early, as software makes them end; use a graphics card, or --engine wasm',
        )
      light(place.sum, from)
      added(place.steps, from + 3, 1)
      if (counted.hits) {
        light(place.albedo, from + at.hits)
        added(place.covered, from + at.hits + 3, 1)
      }
      if (counted.features) added(place.features, from + at.features, PART_WORDS)
      if (counted.objects) tables(place.objects, from + at.objects)
      if (counted.labels) tables(place.labels, from + at.labels)
    }
    floats[(depths >>> 2) + pixel] = depthsMade[first + 7]!
  }
}

/** As `shared/light/accumulate.ts` has it. */
const LARGEST_SUM = 2 ** 20
