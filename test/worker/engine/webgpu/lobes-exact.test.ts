/** Laws that the lobes of WGSL keep by themselves, at exact values, and where the kernel cannot be asked: at two media, in frames of any direction. */
import { afterAll, describe, expect, it } from 'vitest'
import { LOBE_SUBJECTS } from '../../../../scripts/bench/pictures/kernel/lobes.ts'
import { RandomStream } from '../../../../scripts/bench/pictures/naive/random-stream.ts'
import type { Vec3 } from '../../../../shared/frame/view.ts'
import type { Material } from '../../../../shared/scene/material.ts'
import type { LobeNeeds } from '../../../../worker/engine/webgpu/kernel/path/lobes/lobes.ts'
import { deviceFunctions } from '../../../support/device-function.ts'
import { type LobeQuestion, type LobeReply, preparedLobes } from '../../../support/lobes-on-device.ts'

const GOLD: Vec3 = [1, 0.78, 0.34]
/** Turns from the tangent to where highlights are long. */
const ASLANT = 0.06
const OWN = {
  mirror: { color: GOLD, metallic: 1, roughness: 0 },
  'smooth glass': { color: GOLD, transmission: 1, roughness: 0, ior: 1.5 },
  'glass of ior 1': { color: GOLD, transmission: 1, roughness: 0, ior: 1 },
  'rough glass': { transmission: 1, roughness: 0.5, ior: 1.5 },
  'less dense glass': { transmission: 1, roughness: 0.5, ior: 1.2 },
  mixture: { transmission: 1, roughness: 0.5, ior: 1.5, specular: 0.999 },
  'white metal': { metallic: 1, roughness: 1 },
  brushed: { color: GOLD, metallic: 1, roughness: 0.5, anisotropy: 0.8 },
  'brushed aslant': {
    ...{ color: GOLD, metallic: 1, roughness: 0.5, anisotropy: 0.8 },
    anisotropyRotation: ASLANT,
  },
  coated: { color: GOLD, metallic: 0.5, roughness: 0.6, coat: 1, coatRoughness: 0.4 },
  'smooth coat': { metallic: 1, roughness: 0.9, coat: 1, coatRoughness: 0 },
  dispersing: { transmission: 1, roughness: 0.5, ior: 1.5, dispersion: 3 },
  black: { color: [0, 0, 0], specular: 0, roughness: 0.5 },
} satisfies Readonly<Record<string, Partial<Material>>>
const MATERIALS: readonly Partial<Material>[] = [
  ...Object.values(OWN),
  ...LOBE_SUBJECTS.map(({ material }) => material),
]
const numberOf = (name: keyof typeof OWN) => Object.keys(OWN).indexOf(name)

/** The largest number that samplers draw. */
const MOST = 1 - 2 ** -24
const STRAIGHT: Vec3 = [0, 0, 1]

const lobes = preparedLobes(MATERIALS)
const functions = await deviceFunctions()
afterAll(() => functions?.close())

function direction(cosine: number, turns: number): Vec3 {
  const sine = Math.sqrt(1 - cosine * cosine)
  const angle = 2 * Math.PI * turns
  return [sine * Math.cos(angle), sine * Math.sin(angle), cosine]
}
const turnedBy = (turns: number, [x, y, z]: Vec3): Vec3 => {
  const [c, s] = [Math.cos(2 * Math.PI * turns), Math.sin(2 * Math.PI * turns)]
  return [c * x - s * y, s * x + c * y, z]
}
const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const weightOf = ({ value, density }: LobeReply): readonly number[] =>
  density > 0 ? value.map(channel => channel / density) : value
const meanOf = (numbers: readonly number[]) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length
const several = <T>(count: number, make: (random: RandomStream) => T): T[] => {
  const random = new RandomStream(7)
  return Array.from({ length: count }, () => make(random))
}
const ANY = (random: RandomStream): Vec3 => direction(0.1 + 0.9 * random.next(), random.next())
const DRAWN = (random: RandomStream): Vec3 => [random.next(), random.next(), random.next()]
const near = (a: LobeReply, b: LobeReply, share: number) =>
  [...a.value, a.density].every(
    (x, i) => Math.abs(x - [...b.value, b.density][i]!) <= share * (Math.max(...a.value, a.density) + 1e-4),
  )

describe.skipIf(!functions)('the lobes of WGSL', () => {
  if (!functions) return
  const ask = lobes.asked(functions)

  it('answer numbers at every exact value, in unit directions, with densities of no less than 0', async () => {
    const cosines = [0, 1e-7, 1e-4, 0.5, 0.75, 1]
    const drawn = [0, 2 ** -24, 0.25, 0.5, MOST]
    const asked = MATERIALS.flatMap((_, material) =>
      [false, true].flatMap(inside =>
        cosines.flatMap(cosine => {
          const wo = direction(cosine, 0.1)
          return [
            ...drawn.flatMap(w => drawn.flatMap(u => drawn.map(v => ({ material, inside, wo, u: [w, u, v] as Vec3 })))),
            ...cosines.flatMap(c =>
              [c, -c].flatMap(z => [0.1, 0.6, 0.3].map(turns => ({ material, inside, wo, wi: direction(z, turns) }))),
            ),
          ]
        }),
      ),
    )
    const wrong = (await ask(asked)).filter(
      ({ direction: to, value, density }) =>
        ![...to, ...value, density].every(Number.isFinite) ||
        [...value, density].some(x => x < 0) ||
        Math.abs(dot(to, to) - 1) > 1e-5,
    )
    expect(wrong).toEqual([])
  })

  it('mirror and bend in smooth surfaces as Snell and Fresnel say', async () => {
    const steep: Vec3 = [0.6, 0, 0.8]
    const flat: Vec3 = [0.8, 0, 0.6]
    const asked: LobeQuestion[] = [
      { material: numberOf('mirror'), inside: false, wo: STRAIGHT, u: [0, 0, 0] },
      { material: numberOf('mirror'), inside: false, wo: steep, u: [MOST, 0.5, MOST] },
      { material: numberOf('smooth glass'), inside: false, wo: STRAIGHT, u: [0.039, 0, 0] },
      { material: numberOf('smooth glass'), inside: false, wo: STRAIGHT, u: [0.041, 0, 0] },
      { material: numberOf('smooth glass'), inside: true, wo: flat, u: [MOST, 0, 0] },
      { material: numberOf('glass of ior 1'), inside: false, wo: flat, u: [0, 0, 0] },
      { material: numberOf('glass of ior 1'), inside: true, wo: direction(1e-3, 0), u: [0, 0, 0] },
      { material: numberOf('smooth glass'), inside: false, wo: flat, u: [0.99, 0, 0], ratio: 1 },
    ]
    const replies = await ask(asked)
    const expected: readonly (readonly [Vec3, Vec3])[] = [
      [STRAIGHT, GOLD],
      // Schlick's weight at 0.8 is 0.00032.
      [[-0.6, 0, 0.8], GOLD.map(channel => channel + (1 - channel) * 0.2 ** 5) as unknown as Vec3],
      [STRAIGHT, [1, 1, 1]],
      [[0, 0, -1], GOLD.map(channel => channel / 2.25) as unknown as Vec3],
      // Beyond the critical angle everything is mirrored.
      [
        [-0.8, 0, 0.6],
        [1, 1, 1],
      ],
      [[-0.8, 0, -0.6], GOLD],
      [direction(-1e-3, 0.5), GOLD],
      [[-0.8, 0, -0.6], GOLD],
    ]
    const off = replies.map(({ direction: to, value, density }, i) => {
      const [wi, weight] = expected[i]!
      return Math.max(
        density,
        ...to.map((x, k) => Math.abs(x - wi[k]!)),
        ...value.map((x, k) => Math.abs(x - weight[k]!)),
      )
    })
    expect(Math.max(...off)).toBeLessThan(1e-6)
  })

  it('reflect nothing of black, and never more than there is of white', async () => {
    const white = LOBE_SUBJECTS.flatMap(({ white, ior = 1 }, i) =>
      white ? [{ material: i + Object.keys(OWN).length, ior }] : [],
    )
    const count = 4096
    for (const { material, ior } of white)
      for (const cosine of [0.98, 0.3]) {
        const wo = direction(cosine, 0.2)
        const replies = await ask(several(count, random => ({ material, inside: false, wo, u: DRAWN(random) })))
        const weights = replies.map(reply => weightOf(reply)[0]! * (reply.direction[2] < 0 ? ior * ior : 1))
        const mean = meanOf(weights)
        const error = Math.sqrt(meanOf(weights.map(x => (x - mean) ** 2)) / count)
        // Tables are a little off between their entries.
        expect([material, mean < 1.005 + 4 * error, mean > 0.99 - 4 * error]).toEqual([material, true, true])
      }
    const black = await ask(
      several(256, random => ({ material: numberOf('black'), inside: false, wo: ANY(random), u: DRAWN(random) })),
    )
    expect(Math.max(...black.flatMap(weightOf))).toBe(0)
  })

  it('leave out what facets scatter several times, where that is asked for', async () => {
    for (const name of ['white metal', 'rough glass', 'mixture'] as const) {
      const asked = several(512, random => ({
        material: numberOf(name),
        inside: false,
        wo: ANY(random),
        wi: ANY(random),
      }))
      const all = await ask(asked)
      const once = await ask(asked.map(question => ({ ...question, single: true })))
      // The other densities are larger then: they add up to 1 without it.
      expect([name, all.filter(({ value }, i) => once[i]!.value[0] > value[0] * (1 + 1e-5))]).toEqual([name, []])
      const [mean, less] = [all, once].map(replies => meanOf(replies.map(({ value }) => value[0])))
      expect([name, less! < 0.99 * mean!]).toEqual([name, true])
      const drawn = await ask(asked.map(({ wi: _, ...question }) => ({ ...question, u: [0, 0.3, 0.4], single: true })))
      const evaluated = await ask(drawn.map(({ direction: wi }, i) => ({ ...asked[i]!, wi, single: true })))
      expect([name, drawn.filter((reply, i) => reply.density > 0 && !near(reply, evaluated[i]!, 1e-3))]).toEqual([
        name,
        [],
      ])
    }
  })

  it('have densities that add up to the share of samples that have one', async () => {
    const side = 96
    const [wo, coatNormal] = [direction(0.7, 0.1), direction(0.9, 0.3)]
    for (const name of ['rough glass', 'mixture', 'coated', 'brushed', 'dispersing'] as const) {
      const hit = { material: numberOf(name), inside: false, wo, coatNormal, carried: [1, 0.3, 0.1] as Vec3 }
      const grid = Array.from({ length: side * side }, (_, i) => [
        (Math.floor(i / side) + 0.5) / side,
        ((i % side) + 0.5) / side,
      ])
      const evaluated = await ask(grid.map(([z, turns]) => ({ ...hit, wi: direction(2 * z! - 1, turns!) })))
      const whole = 4 * Math.PI * meanOf(evaluated.map(({ density }) => density))
      const samples = await ask(several(4096, random => ({ ...hit, u: DRAWN(random) })))
      const share = meanOf(samples.map(({ density }) => (density > 0 ? 1 : 0)))
      expect([name, Math.abs(whole - share) < 0.02]).toEqual([name, true])
    }
  })

  it('bend light between two media both ways alike, and as in air where the ratio is the same', async () => {
    const ratio = 1.2
    const pairs = several(512, random => ({ above: ANY(random), below: ANY(random) }))
    const flipped = ([x, y, z]: Vec3): Vec3 => [x, y, -z]
    for (const name of ['rough glass', 'mixture'] as const) {
      const material = numberOf(name)
      const there = await ask(
        pairs.map(({ above, below }) => ({ material, inside: false, wo: above, wi: flipped(below), ratio })),
      )
      const back = await ask(
        pairs.map(({ above, below }) => ({ material, inside: true, wo: below, wi: flipped(above), ratio: 1 / ratio })),
      )
      const differ = pairs.filter(({ above, below }, i) => {
        const [one, other] = [there[i]!.value[0] / below[2], back[i]!.value[0] / above[2] / ratio ** 2]
        return Math.abs(one - other) > 1e-4 * (one + 1e-2)
      })
      expect([name, differ]).toEqual([name, []])
      expect(there.some(({ value }) => value[0] > 0.01)).toBe(true)
    }
    const asked = pairs.map(({ above, below }) => ({ inside: false, wo: above, wi: flipped(below), single: true }))
    const between = await ask(asked.map(question => ({ ...question, material: numberOf('rough glass'), ratio })))
    const inAir = await ask(asked.map(question => ({ ...question, material: numberOf('less dense glass') })))
    expect(between.filter((reply, i) => !near(reply, inAir[i]!, 1e-4))).toEqual([])
  })

  it('turn with the surface, its tangent and its coat', async () => {
    const pairs = several(256, random => ({
      ...{ wo: ANY(random), wi: ANY(random) },
      normal: direction(2 * random.next() - 1, random.next()),
    }))
    const plainOf = new Map<string, readonly LobeReply[]>()
    for (const name of ['brushed', 'coated'] as const)
      plainOf.set(name, await ask(pairs.map(({ wo, wi }) => ({ material: numberOf(name), inside: false, wo, wi }))))
    const turns = 0.15
    for (const [name, plain, side] of [
      ['brushed', 'brushed', 1],
      ['coated', 'coated', 1],
      ['brushed aslant', 'brushed', 1],
      ['brushed aslant', 'brushed', -1],
    ] as const) {
      const all = turns + (name === 'brushed aslant' ? side * ASLANT : 0)
      const turned = await ask(
        pairs.map(({ wo, wi, normal }) => {
          const { tangent, world } = frameOf(normal)
          return {
            ...{ material: numberOf(name), inside: false, normal, coatNormal: world(STRAIGHT) },
            ...{ wo: turnedBy(all, wo), wi: turnedBy(all, wi), tangent: [...tangent(turns), side] as const },
          }
        }),
      )
      const differ = plainOf.get(plain)!.filter((reply, i) => !near(reply, turned[i]!, 1e-3))
      expect([name, side, differ]).toEqual([name, side, []])
    }
    // A smooth coat mirrors around its own normal.
    const coatNormal = direction(0.9, 0.3)
    const wo = direction(0.8, 0.1)
    const [mirrored] = await ask([
      { material: numberOf('smooth coat'), inside: false, wo, coatNormal, u: [MOST, 0.3, 0.5] },
    ])
    const twice = 2 * dot(wo, coatNormal)
    const off = mirrored!.direction.map((x, k) => x - (twice * coatNormal[k]! - wo[k]!))
    expect(Math.max(...off.map(Math.abs))).toBeLessThan(5e-3)
  })

  it('keep of several colours those that the path carries', async () => {
    const material = numberOf('dispersing')
    const wo = direction(0.6, 0.1)
    const drawn = several(512, DRAWN)
    const asked = (carried: Vec3) => ask(drawn.map(u => ({ material, inside: false, wo, u, carried })))
    for (const k of [0, 1, 2]) {
      const carried = [0, 1, 2].map(i => (i === k ? 1 : 0)) as unknown as Vec3
      // Every sample is worth something to the colour that is left.
      const passed = (await asked(carried)).filter(({ direction: to, density }) => to[2] < 0 && density > 0)
      expect([k, passed.length > 100, passed.every(reply => weightOf(reply)[k]! > 0.05)]).toEqual([k, true, true])
    }
    const nothing = await asked([0, 0, 0])
    expect(nothing.every(({ value, density }) => [...value, density].every(Number.isFinite))).toBe(true)
  })

  it('answer the same without the code of what a scene does not have', async () => {
    const none = { coat: false, sheen: false, film: false, clear: false, dispersion: false, anisotropy: false }
    const plain: readonly [Partial<Material>, Partial<LobeNeeds['parts']>][] = [
      [{ color: GOLD, metallic: 0.5, roughness: 0.4 }, {}],
      [{ color: GOLD, metallic: 0.5, roughness: 0.4, coat: 0.5, coatRoughness: 0.3 }, { coat: true }],
      [{ color: GOLD, sheenColor: GOLD, sheenRoughness: 0.4 }, { sheen: true }],
      [{ color: GOLD, metallic: 1, roughness: 0.4, iridescence: 1, iridescenceThickness: [0, 400] }, { film: true }],
      [{ color: GOLD, transmission: 0.5, roughness: 0.4 }, { clear: true }],
      [
        { color: GOLD, transmission: 0.5, roughness: 0.4, dispersion: 1 },
        { clear: true, dispersion: true },
      ],
      [{ color: GOLD, metallic: 0.5, roughness: 0.4, anisotropy: 0.7 }, { anisotropy: true }],
    ]
    const asked = several(128, random => ({
      material: 0,
      inside: random.next() < 0.5,
      wo: ANY(random),
      u: DRAWN(random),
    }))
    for (const [material, parts] of plain) {
      const alone = preparedLobes([material])
      expect(alone.needs).toEqual({ models: new Set(['principled']), parts: { ...none, ...parts } })
      const own = await alone.asked(functions)(asked)
      const all = await alone.asked(functions, lobes.needs)(asked)
      expect([material, own.filter((reply, i) => !near(reply, all[i]!, 1e-3))]).toEqual([material, []])
    }
  })
})

/** Duff's frame, as the shader has it. */
function frameOf([x, y, z]: Vec3) {
  const side = z < 0 ? -1 : 1
  const a = -1 / (side + z)
  const axes: readonly Vec3[] = [
    [1 + side * x * x * a, side * x * y * a, -side * x],
    [x * y * a, side + y * y * a, -y],
    [x, y, z],
  ]
  const world = (v: Vec3): Vec3 =>
    [0, 1, 2].map(k => axes.reduce((sum, axis, i) => sum + axis[k]! * v[i]!, 0)) as unknown as Vec3
  return { world, tangent: (turns: number): Vec3 => world(direction(0, turns)) }
}
