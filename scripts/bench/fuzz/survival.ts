/**
 * An input that ends the process, or holds it up for ever, is a failure like any other: inputs are made in a process of their own, which
 * notes the number of each before it begins, and another one goes on behind it.
 */
import type { FuzzBench, FuzzFailure, FuzzOptions } from './bench-fuzz.ts'

/** How a process that makes inputs ended: with what it found, or at an input. */
export type Outcome = { readonly found: FuzzBench } | { readonly input: number; readonly what: string }

/** So many processes end before the rest is left out: something is wrong with all inputs. */
const MOST_ENDS = 10

/**
 * Makes all inputs.
 * @param make makes those from one number on in a new process
 * @param progress called with a line for each input that ended a process
 */
export async function survived(
  { inputs, seed }: FuzzOptions,
  make: (from: number) => Promise<Outcome>,
  progress: (line: string) => void,
): Promise<FuzzBench> {
  const began = performance.now()
  const ends: FuzzFailure[] = []
  let made = 0
  let found: FuzzBench | undefined
  while (made < inputs && ends.length < MOST_ENDS && !found) {
    const outcome = await make(made)
    if ('found' in outcome) found = outcome.found
    else {
      const { input, what } = outcome
      ends.push({ input, target: 'the process', what })
      progress(`input ${input}: ${what}\n  again: npm run bench -- fuzz --seed ${seed} --only ${input}`)
      made = input + 1
    }
  }
  const { crashes = 0, peakMiB = 0, baseMiB = 0, answers = {}, failures = [] } = found ?? {}
  return {
    inputs: found ? inputs : Math.min(made, inputs),
    seed,
    crashes: crashes + ends.length,
    peakMiB,
    baseMiB,
    seconds: (performance.now() - began) / 1000,
    answers,
    failures: [...ends, ...failures],
  }
}
