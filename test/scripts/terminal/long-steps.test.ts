import { expect, it } from 'vitest'
import { LongSteps } from '../../../scripts/terminal/long-steps.ts'

/** Steps under a clock that is turned by hand; `said` is emptied by reading. */
function told() {
  const lines: string[] = []
  let now = 0
  const steps = new LongSteps({ info: text => lines.push(text), warn: text => lines.push(`! ${text}`) }, () => now)
  const pass = (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      now += 1000
      steps.tick()
    }
  }
  return { steps, pass, said: () => lines.splice(0) }
}

it('a step that takes long says so every few seconds, and how long it took', () => {
  const { steps, pass, said } = told()
  steps.step('waiting for 2 workers')
  pass(11)
  steps.info('2 workers are ready')
  expect(said()).toEqual([
    'waiting for 2 workers',
    'waiting for 2 workers: 5 s so far',
    'waiting for 2 workers: 10 s so far',
    'waiting for 2 workers: took 11.0 s',
    '2 workers are ready',
  ])
})

it('a step that takes no time is said, or not even that', () => {
  const { steps, pass, said } = told()
  steps.begin('loading corner')
  pass(1)
  steps.step('building')
  pass(1)
  steps.info('ready')
  steps.end()
  pass(60)
  expect(said()).toEqual(['building', 'ready'])
})

it('a silent step is heard of when it takes long', () => {
  const { steps, pass, said } = told()
  steps.begin('loading dragon')
  pass(8)
  expect(said()).toEqual(['loading dragon: 2 s so far', 'loading dragon: 7 s so far'])
})

it('warnings end no step', () => {
  const { steps, pass, said } = told()
  steps.step('building')
  steps.warn('worker-1 ended')
  pass(5)
  expect(said()).toEqual(['building', '! worker-1 ended', 'building: 5 s so far'])
})

it('what happens is said once, and does not run on', () => {
  const { steps, pass, said } = told()
  steps.step('waiting for 1 worker')
  pass(3)
  steps.info('worker anna joined')
  pass(60)
  expect(said()).toEqual(['waiting for 1 worker', 'waiting for 1 worker: took 3.0 s', 'worker anna joined'])
})
