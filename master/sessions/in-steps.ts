import type { Steps } from '../../shared/time/steps.ts'

/** Runs a long computation in steps, so that messages are answered meanwhile. */
export async function inSteps<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await new Promise(resolve => setImmediate(resolve))
  }
}
