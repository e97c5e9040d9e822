/**
 * Baranova, Bugerya, Gladkova & Efimkin, "One Approach to Computational Load Balancing within the Node of Hybrid Computing System", §3–4.
 * The CPU's load, t_process / N_threads / t_real, is 100 % when the accelerators are done first and less when the CPU waits for
 * them. Above the eligible band the CPU's share shrinks, below it grows. Accelerators share their part equally.
 *
 * The paper describes the size of a shift as a function of the deviation from the band and of the relative size of the areas, careful
 * near the ends, and gives no numbers. Those here reproduce the course of its figure 3: from 100 % and 75 % for the accelerator it
 * reaches the band within 4 adjustments, from 50 % later, from 0 % after some 150.
 */
import { startingShares, type Within, type WithinInput } from './within.ts'

/** The eligible load of the CPU. */
const BAND = [0.85, 0.95] as const
/** The largest shift, share of the work: away from the CPU, and towards it. */
const MAX_TO_ACCELERATORS = 0.0325
const MAX_TO_CPU = 0.045
/** An accelerator with less than this share is given more carefully; with next to nothing, by this part of a shift. */
const CAREFUL_BELOW = 0.5
const LEAST_CARE = 0.031

export const cpuLoad: Within = {
  name: 'cpu-load',
  summary: 'shifts the boundary until the CPU is busy 85 to 95 % of the time',
  advice: 'as published, for comparison: reliable from a good start, slow from a bad one',
  source:
    'Baranova et al., "One Approach to Computational Load Balancing within the Node of Hybrid Computing System", §3–4',
  divide(input) {
    const accelerators = acceleratorShare(input)
    const each = accelerators / (input.areas.length - 1)
    return { shares: input.areas.map((_, i) => (i === 0 ? 1 - accelerators : each)) }
  },
}

function acceleratorShare(input: WithinInput): number {
  if (!input.previous) return 1 - startingShares(input)[0]!
  const { shares, measured } = input.previous
  const share = 1 - shares[0]!
  const real = Math.max(...measured.map(({ busyMs }) => busyMs))
  if (!(real > 0)) return share
  return Math.min(1, Math.max(0, share + shift(measured[0]!.busyMs / real, share)))
}

/**
 * How much more of the work the accelerators shall have. The load is at most 1, so it can rise above the band by little and fall
 * below it by much: each deviation counts relative to the largest there can be.
 *
 * @param load of the CPU, 0 to 1
 * @param share of the accelerators, 0 to 1
 */
export function shift(load: number, share: number): number {
  const [low, high] = BAND
  if (load > high) {
    const care = LEAST_CARE + (1 - LEAST_CARE) * Math.min(1, share / CAREFUL_BELOW) ** 2
    return MAX_TO_ACCELERATORS * care * Math.sqrt((load - high) / (1 - high))
  }
  return load < low ? -MAX_TO_CPU * Math.sqrt((low - load) / low) : 0
}
