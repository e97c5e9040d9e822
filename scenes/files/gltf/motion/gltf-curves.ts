/** What a sampler of an animation says: values at key times, and those between them. */
import { Quaternion } from 'three'
import { BadMeshError } from '../../../errors.ts'
import type { GltfAccessors } from '../gltf-accessors.ts'
import { ELEMENTS, type Gltf } from '../gltf-schema.ts'

type Animation = Gltf['animations'][number]

/** Values of one size over time. Before its first key and after its last one, it stays as it is there. */
export interface Curve {
  /** Times of its keys, s, ascending; at least one. Borrowed. */
  readonly keys: Float32Array
  /** Numbers of a value. */
  readonly size: number
  /** Writes the value at a time, s. `into` has at least `size` numbers. */
  valueAt(seconds: number, into: Float64Array): void
}

/** What a curve moves. */
export interface CurveUse {
  /** Numbers of a value. */
  readonly size: number
  /** Type of the accessor with the values. */
  readonly type: keyof typeof ELEMENTS
  /** Values are unit quaternions. */
  readonly isRotation: boolean
}

/** Reads the curves of a file, each accessor once. */
export class GltfCurves {
  readonly #document: Gltf
  readonly #accessors: GltfAccessors
  readonly #path: string
  readonly #numbers = new Map<number, Promise<Float32Array>>()

  /** @param document checked @param path for messages */
  constructor(document: Gltf, accessors: GltfAccessors, path: string) {
    this.#document = document
    this.#accessors = accessors
    this.#path = path
  }

  /** @param owner for messages @throws BadMeshError, TruncatedMeshError */
  async read({ samplers }: Animation, sampler: number, { size, type, isRotation }: CurveUse, owner: string) {
    const { input, output, interpolation = 'LINEAR' } = samplers[sampler]!
    const { accessors } = this.#document
    const refuse = (problem: string): never => {
      throw new BadMeshError(this.#path, `${owner}: expected ${problem}`)
    }
    const [keys, values] = [accessors[input]!, accessors[output]!]
    if (keys.type !== 'SCALAR' || keys.componentType !== FLOAT)
      refuse(`times of floats, got ${keys.type} of component type ${keys.componentType}`)
    const perKey = (interpolation === 'CUBICSPLINE' ? 3 : 1) * (size / ELEMENTS[type])
    if (values.type !== type || values.count !== keys.count * perKey)
      refuse(`${keys.count * perKey} values of ${type} for ${keys.count} times, got ${values.count} of ${values.type}`)
    const [times, numbers] = await Promise.all([this.#read(input), this.#read(output)])
    const late = times.findIndex((time, i) => !(time >= 0 && time <= LONGEST && (i === 0 || time > times[i - 1]!)))
    if (late >= 0) refuse(`times from 0 to ${LONGEST} s that increase, got ${times[late]} s at key ${late}`)
    const bad = numbers.findIndex(value => !Number.isFinite(value))
    if (bad >= 0)
      refuse(`finite values, got ${numbers[bad]} at key ${Math.floor(bad / (numbers.length / times.length))}`)
    return curveOf({ times, numbers, size, isRotation }, interpolation)
  }

  #read(accessor: number): Promise<Float32Array> {
    const known = this.#numbers.get(accessor) ?? this.#accessors.read(accessor).then(floatsOf)
    this.#numbers.set(accessor, known)
    return known
  }
}

const FLOAT = 5126
/** A day, s. */
const LONGEST = 86_400

function floatsOf({
  array,
  normalized,
}: {
  readonly array: ArrayLike<number> & { readonly BYTES_PER_ELEMENT?: number }
  readonly normalized: boolean
}): Float32Array {
  if (array instanceof Float32Array) return array
  const signed = array instanceof Int8Array || array instanceof Int16Array
  const most = 2 ** (8 * (array.BYTES_PER_ELEMENT ?? 1) - (signed ? 1 : 0)) - 1
  return Float32Array.from(array, value => (normalized ? Math.max(value / most, -1) : value))
}

interface Keys {
  readonly times: Float32Array
  readonly numbers: Float32Array
  readonly size: number
  readonly isRotation: boolean
}

type Interpolation = NonNullable<Animation['samplers'][number]['interpolation']>

function curveOf(keys: Keys, interpolation: Interpolation): Curve {
  const { times, numbers, size } = keys
  const between = interpolation === 'CUBICSPLINE' ? splined : interpolation === 'STEP' ? stepped : mixed
  // The value of a key of a spline stands between its tangents.
  const [step, value] = interpolation === 'CUBICSPLINE' ? [size * 3, size] : [size, 0]
  return {
    keys: times,
    size,
    valueAt(seconds, into) {
      const key = lastKeyAt(times, seconds)
      const isBetween = key >= 0 && key < times.length - 1
      if (isBetween) between(keys, key, seconds, into)
      else for (let i = 0; i < size; i++) into[i] = numbers[Math.max(key, 0) * step + value + i]!
      if (keys.isRotation) normalise(into)
    },
  }
}

/** The last key at or before a time, -1 if there is none. */
function lastKeyAt(times: Float32Array, seconds: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! <= seconds) low = middle + 1
    else high = middle
  }
  return low - 1
}

type Between = (keys: Keys, key: number, seconds: number, into: Float64Array) => void

const stepped: Between = ({ numbers, size }, key, _, into) => {
  for (let i = 0; i < size; i++) into[i] = numbers[key * size + i]!
}

const mixed: Between = ({ times, numbers, size, isRotation }, key, seconds, into) => {
  const share = shareAt(times, key, seconds)
  const from = key * size
  if (isRotation)
    Quaternion.slerpFlat(
      into as unknown as number[],
      0,
      numbers as unknown as number[],
      from,
      numbers as unknown as number[],
      from + 4,
      share,
    )
  else for (let i = from; i < from + size; i++) into[i - from] = numbers[i]! * (1 - share) + numbers[i + size]! * share
}

/** A cubic Hermite spline: glTF 2.0, appendix C.5. */
const splined: Between = ({ times, numbers, size }, key, seconds, into) => {
  const span = times[key + 1]! - times[key]!
  const t = shareAt(times, key, seconds)
  const [t2, t3] = [t * t, t * t * t]
  for (let i = 0; i < size; i++) {
    const at = key * 3 * size + i
    into[i] =
      (2 * t3 - 3 * t2 + 1) * numbers[at + size]! +
      span * (t3 - 2 * t2 + t) * numbers[at + 2 * size]! +
      (3 * t2 - 2 * t3) * numbers[at + 4 * size]! +
      span * (t3 - t2) * numbers[at + 3 * size]!
  }
}

const shareAt = (times: Float32Array, key: number, seconds: number): number =>
  (seconds - times[key]!) / (times[key + 1]! - times[key]!)

/** To a unit quaternion; one without a direction turns nothing. */
function normalise(q: Float64Array): void {
  const length = Math.hypot(q[0]!, q[1]!, q[2]!, q[3]!)
  for (let i = 0; i < 4; i++) q[i] = length > 0 ? q[i]! / length : i === 3 ? 1 : 0
}
