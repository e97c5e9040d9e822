/** A thread that simulates frames of live runs, and rests between strategies: the processors are there for the frames themselves. */
import { setTimeout as rest } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { Guesser, type GuessJob } from './guesser.ts'

/** It rests for so many times what it worked. */
const RESTS = 9

const guesser = new Guesser(work => {
  const startedAt = performance.now()
  const result = work()
  return { result, ms: performance.now() - startedAt }
})

parentPort?.on('message', async (job: GuessJob) => {
  const steps = guesser.guess(job)
  for (;;) {
    const startedAt = performance.now()
    const { done, value } = steps.next()
    if (done) return parentPort!.postMessage(value)
    await rest((performance.now() - startedAt) * RESTS)
  }
})
