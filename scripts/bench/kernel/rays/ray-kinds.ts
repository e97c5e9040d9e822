/**
 * The kinds of rays that the kernel bench measures, and how a set of them is stored.
 *
 * | kind | asks for | from | towards |
 * |---|---|---|---|
 * | `primary` | closest hit | the camera | the centre of every pixel |
 * | `shadow` | any hit | camera hits | the sun |
 * | `ambient` | any hit | camera hits | the sky, as the integrator `ambient` asks for it |
 * | `next-event` | any hit | hits of paths | a point of a light, as the integrator `path` asks for it |
 * | `bounce` | closest hit | camera hits | anywhere, cosine-distributed |
 * | `deep-bounce` | closest hit | hits of bounces | the same, for the second to the fourth bounce of a path |
 */
export const RAY_KINDS = ['primary', 'shadow', 'ambient', 'next-event', 'bounce', 'deep-bounce'] as const
export type RayKind = (typeof RAY_KINDS)[number]

/** Kinds for which only matters whether something is in the way. */
const ANY_HIT: ReadonlySet<RayKind> = new Set(['shadow', 'ambient', 'next-event'])
export const asksForAnyHit = (kind: RayKind): boolean => ANY_HIT.has(kind)

export interface RaySet {
  readonly count: number
  /** RAY_FLOATS per ray. */
  readonly rays: Float32Array
  /** From `wasm`: distance of the closest hit, or Infinity; for any-hit rays only whether it is finite matters. */
  readonly answers: Float32Array
}

export type RaySets = Readonly<Record<RayKind, RaySet>>

/** Direction of unit length. */
export type Ray = readonly [
  ox: number,
  oy: number,
  oz: number,
  tMin: number,
  dx: number,
  dy: number,
  dz: number,
  tMax: number,
]

export const RAY_FLOATS = 8

/** A value for every kind. */
export const forKinds = <T>(of: (kind: RayKind) => T): Record<RayKind, T> =>
  Object.fromEntries(RAY_KINDS.map(kind => [kind, of(kind)])) as Record<RayKind, T>

/** Rays in the largest set. */
export const mostRays = (sets: RaySets): number => Math.max(...RAY_KINDS.map(kind => sets[kind].count))
