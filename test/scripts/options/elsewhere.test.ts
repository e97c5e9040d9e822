/** Options that are said to the wrong command, and what two qualities differ in: by the options that say it. */
import { expect, it } from 'vitest'
import { elsewhere } from '../../../scripts/options/elsewhere.ts'
import { qualityDifference } from '../../../scripts/options/quality-difference.ts'

it.each([
  [
    "unknown option '--time' (Did you mean --size?)",
    'sortfirst compare',
    /'--time': it is one of 'sortfirst render', because frames with only so much time /,
  ],
  ["unknown option '--contact-sheet'", 'sortfirst tile', /'--contact-sheet': it is one of 'sortfirst render'$/],
  [
    "unknown option '--strategies'",
    'sortfirst render',
    /'--strategies': it is one of 'sortfirst compare', 'sortfirst simulate'$/,
  ],
])('%s of %s is one of others', (problem, command, said) => {
  expect(elsewhere(problem, command)).toMatch(said)
})

it.each(["unknown option '--tiem' (Did you mean --time?)", "error: missing required argument 'scene'"])(
  '%s is one of none',
  problem => {
    expect(elsewhere(problem, 'sortfirst render')).toBeUndefined()
  },
)

const path = { samples: 64, ambientRays: 0, maxDepth: 0, bounces: 4 }
it.each<[object, object, object | undefined]>([
  [path, path, undefined],
  [path, { ...path, samples: 32 }, { only: 'samples', flag: '--samples', was: '64', is: '32' }],
  [path, { ...path, pattern: 'film' }, { only: 'pattern', flag: '--pattern', was: 'frame', is: 'film' }],
  [{ ...path, caustics: 'off' }, path, { only: 'caustics', flag: '--caustics', was: 'off', is: 'on' }],
  [
    path,
    { ...path, singleScattering: true },
    { only: 'singleScattering', flag: '--single-scattering', was: 'not given', is: 'given' },
  ],
  [{ ...path, clamp: 10 }, path, { only: 'clamp', flag: '--clamp', was: '10', is: 'no limit' }],
  [path, { ...path, samples: 32, seed: 7 }, { flag: '--seed', was: '1', is: '7' }],
  [path, { samples: 4, ambientRays: 2, maxDepth: 6 }, { flag: '--integrator', was: 'path', is: 'ambient' }],
  [path, { samples: 'many' }, undefined],
])('%j and %j differ in an option', (was, is, difference) => {
  expect(qualityDifference(was, is)).toEqual(difference)
})
