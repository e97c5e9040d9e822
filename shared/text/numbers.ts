/**
 * Schemas of numbers from peers and files, with their bounds: nothing is trusted until it has been validated. The sum of two times
 * of 1e308 ms becomes `null` in JSON, and a speed of 5e-324 makes everything divided by it infinite.
 */
import * as z from 'zod'

/** Deeply read-only. */
export type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T

/** Smallest double with full precision. */
const SMALLEST_NORMAL = 2 ** -1022

const amountUpTo = (most: number) =>
  z
    .number()
    .min(0)
    .max(most)
    .refine(value => value === 0 || value >= SMALLEST_NORMAL, { error: 'expected 0 or a number that is not denormal' })

/** A count: an integer of at least 0. */
export const whole = z.int().nonnegative()
/** A duration: up to eleven days. */
export const ms = amountUpTo(1e9)
/** The quotient of two amounts of the same kind. */
export const ratio = amountUpTo(1e12)
export const share = z.number().min(0).max(1)
/** Work counted by an engine, in its own unit. */
export const work = amountUpTo(1e15)
/** Throughput relative to nominal; a worker of speed 0 is given no work. */
export const speed = z.union([z.literal(0), z.number().min(1e-3).max(1e6)])
/** Cores, possibly fractional. */
export const cores = z.number().min(1e-3).max(1e6)
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in hex')
