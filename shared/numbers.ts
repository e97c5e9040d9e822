/**
 * Numbers that come from elsewhere, with the bounds that are part of them: what arrives is checked, then believed. A time of
 * 1e308 ms becomes `null` in JSON as soon as two are added, and a speed of 5e-324 makes everything divided by it infinite.
 */
import * as z from 'zod'

/** The same, all the way down, for reading only. */
export type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T

/** Smallest double with all of its digits. */
const SMALLEST_NORMAL = 2 ** -1022

const amountUpTo = (most: number) =>
  z
    .number()
    .min(0)
    .max(most)
    .refine(value => value === 0 || value >= SMALLEST_NORMAL, { error: 'expected 0 or a number that is not denormal' })

/** A count: whole, at least 0. */
export const whole = z.int().nonnegative()
/** A duration: up to eleven days. */
export const ms = amountUpTo(1e9)
/** One amount over another of its kind. */
export const ratio = amountUpTo(1e12)
export const share = z.number().min(0).max(1)
/** Work that an engine counted, in its own unit. */
export const work = amountUpTo(1e15)
/** Throughput relative to nominal; of speed 0 is who shall be given nothing. */
export const speed = z.union([z.literal(0), z.number().min(1e-3).max(1e6)])
/** Cores, or a share of one. */
export const cores = z.number().min(1e-3).max(1e6)
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in hex')
