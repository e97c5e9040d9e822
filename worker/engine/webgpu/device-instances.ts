/**
 * Instances as a device has them: words of its tables. Rows of places are doubles, of two words each, where corners need the kernel's bits
 * (`kernel/arithmetic-doubles.ts`), and floats elsewhere; rays are transformed in floats, so margins are larger than the kernel's.
 */
import type { KernelMemory } from '../wasm/memory.ts'
import { get, header, offsetOf } from '../wasm/records/access.ts'
import { INSTANCE, RUN } from '../wasm/records/instances.ts'
import { CORNER } from '../wasm/records/mesh.ts'
import { RaysDeviceError } from './ray-request.ts'

/** Words from the beginning of an instance: of its vectors, and last of the three rows of its place. */
export const IN_INSTANCE = {
  root: 0,
  number: 1,
  mirrored: 2,
  /** Where the list of its materials begins, of those that shade. */
  materials: 3,
  object: 4,
  normals: 5,
  margin: 14,
  shift: 17,
  place: 20,
} as const
const ROW_NUMBERS = 4
const ROWS = 3

/** What a distance adds to margins: twice the kernel's, since products and sums of floats are off by 2^-22 at most. */
export const MARGIN = '0x1p-19f'
/** What the place itself adds, of how far it is from the scene's centre. */
const SHIFT_MARGIN = 2 ** -21
/** Of numbers of places, besides zero: in products of them and of coordinates no exponent leaves the range of doubles. */
const [LEAST, MOST] = [2 ** -200, 2 ** 200]

export const instanceWords = (exact: boolean): number => IN_INSTANCE.place + ROWS * rowWords(exact)
const rowWords = (exact: boolean): number => ROW_NUMBERS * (exact ? 2 : 1)

/** What shaders read them by. */
export const instanceLayout = (exact: boolean): string => /* wgsl */ `
const INSTANCE_WORDS = ${instanceWords(exact)}u;
const INSTANCE_ROOT = ${IN_INSTANCE.root}u;
const INSTANCE_NUMBER = ${IN_INSTANCE.number}u;
const INSTANCE_MIRRORED = ${IN_INSTANCE.mirrored}u;
const INSTANCE_MATERIALS = ${IN_INSTANCE.materials}u;
const INSTANCE_OBJECT = ${IN_INSTANCE.object}u;
const INSTANCE_NORMALS = ${IN_INSTANCE.normals}u;
const INSTANCE_MARGIN = ${IN_INSTANCE.margin}u;
const INSTANCE_SHIFT = ${IN_INSTANCE.shift}u;
const INSTANCE_PLACE = ${IN_INSTANCE.place}u;
const ROW_WORDS = ${rowWords(exact)}u;
`

/** Where instances are in the kernel's memory, and in the tables: as TRACED_ORDER has it. */
export type InstanceOrder = readonly [instancesAt: number, instances: number, runs: number, runCount: number]

export interface InstanceTables {
  readonly words: Uint32Array<ArrayBuffer>
  readonly order: InstanceOrder
}

/** Words that they take. */
export const instanceTableWords = (memory: KernelMemory, exact: boolean): number =>
  header(memory, 'instanceCount') * instanceWords(exact) + (header(memory, 'runCount') * RUN.bytes) / 4

/**
 * @param exact whether their corners shall have the kernel's bits
 * @param first where the words will be in the tables
 * @param materialsOf where the list of materials at an address is in the tables
 * @throws RaysDeviceError for a place whose numbers are too large or too small
 */
export function packInstances(
  memory: KernelMemory,
  exact: boolean,
  first = 0,
  materialsOf = (_address: number) => 0,
): InstanceTables {
  const each = instanceWords(exact)
  const [count, runCount] = [header(memory, 'instanceCount'), header(memory, 'runCount')]
  const [from, runs] = [header(memory, 'instances'), header(memory, 'runs')]
  const words = new Uint32Array(instanceTableWords(memory, exact))
  const floats = new Float32Array(words.buffer)
  for (let i = 0, at = from, to = 0; i < count; i++, at += INSTANCE.bytes, to += each) {
    const number = (name: 'root' | 'number' | 'materials' | 'object' | 'cornerB') => get(memory, INSTANCE, at, name)
    words[to + IN_INSTANCE.root] = number('root')
    words[to + IN_INSTANCE.number] = number('number')
    words[to + IN_INSTANCE.mirrored] = Number(number('cornerB') !== CORNER.bytes)
    words[to + IN_INSTANCE.materials] = materialsOf(number('materials'))
    words[to + IN_INSTANCE.object] = number('object')
    const place = memory.doubles.slice(
      (at + offsetOf(INSTANCE, 'place')) >>> 3,
      ((at + offsetOf(INSTANCE, 'place')) >>> 3) + 12,
    )
    const normals = (at + offsetOf(INSTANCE, 'normals')) >>> 3
    const own = (at + offsetOf(INSTANCE, 'marginOwn')) >>> 2
    checkPlace(place)
    for (let k = 0; k < 9; k++) floats[to + IN_INSTANCE.normals + k] = memory.doubles[normals + k]!
    for (let k = 0; k < 3; k++) {
      floats[to + IN_INSTANCE.shift + k] = place[k * 4 + 3]!
      let shifted = 0
      for (let axis = 0; axis < 3; axis++)
        shifted += Math.abs(memory.doubles[normals + axis * 3 + k]! * place[axis * 4 + 3]!)
      floats[to + IN_INSTANCE.margin + k] = 2 * memory.floats[own + k]! + SHIFT_MARGIN * shifted
    }
    if (exact) words.set(new Uint32Array(place.buffer), to + IN_INSTANCE.place)
    else floats.set(place, to + IN_INSTANCE.place)
  }
  words.set(memory.words.subarray(runs >>> 2, (runs >>> 2) + (runCount * RUN.bytes) / 4), count * each)
  return { words, order: [from, first, first + count * each, runCount] }
}

/** @throws RaysDeviceError */
function checkPlace(place: Float64Array): void {
  const wrong = place.find(number => number !== 0 && !(Math.abs(number) >= LEAST && Math.abs(number) <= MOST))
  if (wrong !== undefined)
    throw new RaysDeviceError(
      `expected places of meshes with numbers from ${LEAST} to ${MOST}, or 0, got ${wrong}; scale the scene`,
    )
}
