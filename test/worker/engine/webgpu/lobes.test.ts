/**
 * The lobes of WGSL answer what the kernel's do, for thousands of directions and materials. Floats have 24 digits: what a device answers must be what the kernel
 * answers for some numbers that differ from the asked ones in the last of these.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { LOBE_SUBJECTS } from '../../../../scripts/bench/pictures/kernel/lobes.ts'
import type { MaterialSubject } from '../../../../scripts/bench/pictures/kernel/material-subject.ts'
import { RandomStream } from '../../../../scripts/bench/pictures/naive/random-stream.ts'
import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { Scattered } from '../../../../worker/engine/wasm/kernel-probe.ts'
import { deviceFunctions } from '../../../support/device-function.ts'
import { type LobeQuestion, type LobeReply, preparedLobes } from '../../../support/lobes-on-device.ts'

const GOLD: Vec3 = [1, 0.78, 0.34]

/** What is hardest for floats: lobes as narrow as they may be, indices that are almost or exactly equal, and colours that part. */
const HARD: readonly MaterialSubject[] = [
  { name: 'conductor, α 0.0011', material: { color: GOLD, metallic: 1, roughness: Math.sqrt(0.0011) } },
  { name: 'plastic, α 0.0011', material: { color: GOLD, roughness: Math.sqrt(0.0011) } },
  { name: 'rough glass, α 0.0011', material: { color: GOLD, transmission: 1, roughness: Math.sqrt(0.0011) } },
  { name: 'rough glass of ior 1.01', material: { transmission: 1, ior: 1.01, roughness: Math.sqrt(0.05) } },
  { name: 'glass of ior 1', material: { color: GOLD, transmission: 1, roughness: 0.5, ior: 1 } },
  { name: 'smooth mixture', material: { color: GOLD, transmission: 0.5, roughness: 0 } },
  { name: 'mixture of ior 1', material: { transmission: 1, roughness: 0.3, ior: 1, specular: 0.9 } },
  { name: 'smooth mixture of ior 1', material: { transmission: 1, roughness: 0, ior: 1, specular: 0.9 } },
  { name: 'smooth mixture of ior 1.01', material: { transmission: 1, roughness: 0.04, ior: 1.01, specular: 0.9 } },
  { name: 'rough glass of ior 1.0011', material: { transmission: 1, ior: 1.0011, roughness: Math.sqrt(0.0011) } },
  { name: 'dispersing glass', material: { color: GOLD, transmission: 1, roughness: 0.3, dispersion: 2 } },
  { name: 'smooth dispersing glass', material: { color: GOLD, transmission: 1, roughness: 0, dispersion: 2 } },
  { name: 'coated velvet', material: { coat: 1, coatRoughness: 0, sheenColor: GOLD, sheenRoughness: 0 } },
]
const SUBJECTS = [...LOBE_SUBJECTS, ...HARD]
/** Questions about each. */
const ASKED = 256

const lobes = preparedLobes(SUBJECTS.map(({ material }) => material))
const functions = await deviceFunctions()
afterAll(() => functions?.close())

/** For each material as many questions, in their order. */
const questions = (ask: (random: RandomStream) => Omit<LobeQuestion, 'material'>): LobeQuestion[] =>
  SUBJECTS.flatMap((_, material) => {
    const random = new RandomStream(material + 1)
    return Array.from({ length: ASKED }, () => ({ material, ...ask(random) }))
  })
const toViewer = (random: RandomStream) => ({
  inside: random.next() < 0.4,
  wo: direction(0.02 + 0.98 * random.next(), random.next()),
})
/** As a device has it. */
function direction(cosine: number, turns: number): Vec3 {
  const sine = Math.sqrt(1 - cosine * cosine)
  const angle = 2 * Math.PI * turns
  return [sine * Math.cos(angle), sine * Math.sin(angle), cosine].map(Math.fround) as unknown as Vec3
}
/** As samplers make them: of 24 bits. */
const number = (random: RandomStream) => Math.floor(random.next() * 2 ** 24) / 2 ** 24

const evaluations = questions(random => ({
  ...toViewer(random),
  wi: direction(2 * random.next() - 1, random.next()),
}))
const samples = questions(random => ({ ...toViewer(random), u: [number(random), number(random), number(random)] }))

/** Relative to the largest number of an answer. */
const ROUNDED = 2e-5
/** What facets scatter several times is made of differences of 1 and an albedo near it, over the mean of such: of few digits, where it is little. */
const LITTLE = 3e-6
/** By how much a component of a direction is changed: some units in the last place. */
const STEP = 5e-7

const numbersOf = ({ value, density }: Pick<Scattered, 'value' | 'density'>) => [...value, density]
const apart = (a: readonly number[], b: readonly number[]) => Math.max(...a.map((x, i) => Math.abs(x - b[i]!)))

/** By how much more an evaluation differs from the kernel's than its digits explain; at most 0 if they do. */
function excess(question: LobeQuestion, { value, density }: LobeReply): number {
  const { material, inside, wo, wi } = question
  const kernel = (o: Vec3, i: Vec3) => numbersOf(lobes.kernel.evaluate(material, inside, o, i))
  const expected = kernel(wo, wi!)
  const got = [...value, density]
  const rounded = ROUNDED * Math.max(...expected) + LITTLE
  if (apart(got, expected) <= rounded) return 0
  let spread = 0
  for (let axis = 0; axis < 3; axis++)
    for (const step of [-STEP, STEP]) {
      const moved = (v: Vec3) => v.map((x, k) => (k === axis ? x + step : x)) as unknown as Vec3
      spread = Math.max(spread, apart(kernel(moved(wo), wi!), expected), apart(kernel(wo, moved(wi!)), expected))
    }
  return apart(got, expected) - 2 * spread - rounded
}

const weightOf = ({ value, density }: Pick<LobeReply, 'value' | 'density'>): readonly number[] =>
  density > 0 ? value.map(channel => channel / density) : value

/** Each material's share of answers to its questions. */
const byMaterial = <T>(all: readonly T[]) =>
  SUBJECTS.map(({ name }, i) => ({ name, from: i * ASKED, some: all.slice(i * ASKED, (i + 1) * ASKED) }))

describe.skipIf(!functions)('the lobes of WGSL', async () => {
  if (!functions) return
  const ask = lobes.asked(functions)
  const evaluated = await ask(evaluations)
  const sampled = await ask(samples)
  const again = await ask(samples.map(({ u: _, ...asked }, i) => ({ ...asked, wi: sampled[i]!.direction })))

  it('evaluate directions as the kernel does', () => {
    const worst = byMaterial(evaluated).map(({ name, from, some }) => {
      const excesses = some.map((reply, i) => excess(evaluations[from + i]!, reply))
      return { name, excess: Math.max(0, ...excesses) }
    })
    expect(worst.filter(({ excess }) => excess > 0)).toEqual([])
    // They are asked about something.
    expect(evaluated.filter(({ density }) => density > 0).length).toBeGreaterThan(evaluated.length / 3)
  })

  it('sample the directions of the kernel', () => {
    const differ = samples.filter(({ material, inside, wo, u }, i) => {
      const expected = lobes.kernel.sample(material, inside, wo, u!)
      return apart(sampled[i]!.direction, expected.direction) > 1e-4
    })
    // A number at the border of two lobes may choose either.
    expect(differ.length).toBeLessThanOrEqual(samples.length / 2000)
  })

  it('weigh samples as the kernel does, and lose no light by that', () => {
    for (const { name, from, some } of byMaterial(sampled)) {
      const expected = some.map((_, i) => {
        const { material, inside, wo, u } = samples[from + i]!
        return weightOf(lobes.kernel.sample(material, inside, wo, u!))
      })
      const weights = some.map(weightOf)
      const mean = (all: readonly (readonly number[])[]) =>
        [0, 1, 2].map(k => all.reduce((sum, weight) => sum + weight[k]!, 0) / ASKED)
      expect([name, apart(mean(weights), mean(expected)) < 1e-3]).toEqual([name, true])
      const differ = weights.filter((weight, i) => apart(weight, expected[i]!) > 5e-3 * Math.max(1, ...expected[i]!))
      expect([name, differ.length]).toEqual([name, 0])
    }
  })

  it('say of a sample what the kernel says of its direction, and what they evaluate themselves', () => {
    const differ = sampled.filter(
      (sample, i) => sample.density > 0 && excess({ ...samples[i]!, wi: sample.direction }, sample) > 0,
    )
    expect(differ).toEqual([])
    const unequal = sampled.filter((sample, i) => {
      const numbers = numbersOf(sample)
      return sample.density > 0 && apart(numbers, numbersOf(again[i]!)) > 1e-3 * Math.max(...numbers)
    })
    expect(unequal).toEqual([])
  })
})
