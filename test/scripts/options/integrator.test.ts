/** Which integrator `auto` stands for. */
import { describe, expect, it } from 'vitest'
import type { Words } from '../../../scripts/options/declare/group.ts'
import { readRun } from '../../../scripts/options/groups/index.ts'
import { openRun } from '../../../scripts/options/integrator.ts'
import { resolveRunOptions } from '../../../scripts/options/run.ts'

const opened = (words: Words) =>
  openRun(readRun('render', words), 'render', each =>
    resolveRunOptions('dragon', each, { command: 'render', cores: 2, chosen: [] }),
  )
const integratorOf = (words: Words, forPath: readonly string[]) => {
  const { options, because } = opened(words).of({ text: '', forPath })
  return [options.quality.bounces === undefined ? 'ambient' : 'path', because]
}

describe('the integrator', () => {
  it.each<[words: Words, plain: string, lit: string]>([
    [{}, 'ambient', 'path'],
    [{ integrator: 'auto' }, 'ambient', 'path'],
    [{ integrator: 'ambient' }, 'ambient', 'ambient'],
    [{ integrator: 'path' }, 'path', 'path'],
    // What only one of them has says which.
    [{ bounces: '2' }, 'path', 'path'],
    [{ noise: '0.1' }, 'path', 'path'],
    [{ denoise: 'on' }, 'path', 'path'],
    [{ denoise: 'off' }, 'ambient', 'path'],
    [{ denoise: 'off', maxDepth: '2' }, 'ambient', 'ambient'],
    [{ singleScattering: true }, 'path', 'path'],
    [{ pattern: 'frame' }, 'path', 'path'],
    [{ integrator: 'auto', maxDepth: '2' }, 'ambient', 'ambient'],
    [{ ambientRays: '0' }, 'ambient', 'ambient'],
    // So many samples or passes has only the other one.
    [{ samples: '2000' }, 'path', 'path'],
    [{ samples: '500' }, 'ambient', 'path'],
    [{ passes: '16' }, 'path', 'path'],
    [{ passes: '2' }, 'ambient', 'path'],
  ])('of %o is %s, and with lights %s', (words, plain, lit) => {
    expect(integratorOf(words, [])[0]).toBe(plain)
    expect(integratorOf(words, ['2 lamps'])[0]).toBe(lit)
  })

  it('says why if the scene decides', () => {
    expect(integratorOf({}, ['2 lamps', '1 sun'])).toEqual(['path', '2 lamps, 1 sun'])
    expect(integratorOf({ bounces: '2' }, ['2 lamps'])).toEqual(['path', undefined])
  })

  it.each<[words: Words, pattern: string | undefined]>([
    [{ integrator: 'path' }, undefined],
    [{ integrator: 'path', denoise: 'off' }, undefined],
    [{ denoise: 'on' }, 'film'],
    [{ denoise: 'oidn' }, 'film'],
    [{ denoise: 'on', pattern: 'frame' }, undefined],
    [{ pattern: 'film' }, 'film'],
    // An integrator without such a pattern is the same with any denoiser.
    [{ integrator: 'ambient', denoise: 'off' }, undefined],
  ])('%o: the pattern of the frame or of the film, %s', (words, pattern) => {
    expect(opened(words).options.quality.pattern).toBe(pattern)
    expect(opened(words).of({ text: '', forPath: ['2 lamps'] }).options.quality.pattern).toBe(pattern)
  })

  it.each<[words: Words, sentence: string]>([
    [{ bounces: '3', maxDepth: '2' }, '--bounces cannot be combined with --max-depth'],
    [{ integrator: 'ambient', bounces: '3' }, '--bounces needs --integrator path'],
    [{ integrator: 'ambient', denoise: 'on' }, '--denoise needs --integrator path'],
    [{ denoise: 'on', maxDepth: '2' }, '--max-depth cannot be combined with --denoise'],
    [{ denoise: 'yes' }, "unknown denoiser 'yes': expected one of off, on"],
    [{ integrator: 'path', maxDepth: '3' }, '--max-depth needs --integrator ambient'],
    [{ integrator: 'ambient', samples: '2000' }, "--samples: expected a whole number from 1 to 1024, got '2000'"],
    [{ integrator: 'ambient', pattern: 'film' }, '--pattern needs --integrator path'],
    [{ pattern: 'still' }, "unknown pattern 'still': expected one of film, frame"],
    [{ integrator: 'light' }, "unknown integrator 'light': expected one of auto, ambient, path"],
  ])('%o: %s', (words, sentence) => expect(() => opened(words)).toThrow(sentence))
})
