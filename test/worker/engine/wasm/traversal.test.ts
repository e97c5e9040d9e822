/**
 * Every path through the kernel's tree finds what testing every triangle finds: the same triangle at the same distance, bit for
 * bit. All rays are seeded; what disagrees is told with all its numbers.
 */
import { describe, expect, it } from 'vitest'
import type { Vec3 } from '../../../../shared/frame/view.ts'
import { BadRayError } from '../../../../worker/engine/wasm/ray-caster.ts'
import { SHADOW } from '../../../../worker/engine/wasm/records/rays.ts'
import { GREY, mixedScene, mountains, quad, sceneOf, soup, sphere, unit } from '../../support/meshes.ts'
import { Aim, between, Dice, GLASS, halfGlass, mapVec, randomRays, randomSoup, rays, torus } from './aimed-rays.ts'
import { type Answer, ask, castIn, compare, disagreements, PATHS, prepare, type Ray } from './brute-force.ts'

const NONE: string[] = []
const sphereScene = (levels: number) => sceneOf([{ mesh: sphere([0.3, -0.2, 0.1], 1, levels), material: GREY }])
/** The next float, or the one before. */
const nextTo = (x: number, steps: 1 | -1) => {
  const word = Uint32Array.from(new Uint32Array(Float32Array.of(x).buffer), bits => bits + steps)
  return new Float32Array(word.buffer)[0]!
}

describe('random rays among random triangles', () => {
  it.each([
    [1, 1, 2],
    [2, 1, 2],
    [5, 1, 2],
    [9, 0.7, 2],
    [60, 0.4, 2],
    [400, 0.2, 2],
    [400, 3, 2],
    [3000, 0.06, 2],
  ])('%i triangles of size %d (seed %i)', (triangles, size, seed) => {
    const dice = new Dice(seed)
    const scene = prepare(halfGlass(triangles, n => randomSoup(dice, n, size)))
    expect(compare(scene, randomRays(dice, 1000)).wrong).toEqual(NONE)
    // From one place through a window, as a camera's.
    const row = rays(1000, i => ({ origin: [0.1, 0.2, -3], direction: [(i % 40) / 40 - 0.5, i / 1000 - 0.5, 1] }))
    const { hits, wrong } = compare(scene, row)
    expect(wrong).toEqual(NONE)
    expect(hits).toBeGreaterThan(10)
  })

  it.each([1e7, 1e-7])('at a scale of %d, with directions of any length (seed 3)', scale => {
    const dice = new Dice(3)
    const scene = prepare(halfGlass(200, n => randomSoup(dice, n, 0.5, scale)))
    // Very short ones far away and very long ones in small scenes leave the range of floats.
    for (const length of [scale < 1 ? 1e-20 : 1e20, 1e-10, 1, 1e10]) {
      const scaled = rays(500, () => ({ origin: dice.point(2 * scale), direction: dice.point(length) }))
      const { hits, wrong } = compare(scene, scaled)
      expect(wrong).toEqual(NONE)
      expect(hits).toBeGreaterThan(50)
    }
  })

  it.each([1e-20, 1e-10, 1e10, 1e20])('with directions of length %d (seed 4)', length => {
    const dice = new Dice(4)
    const scene = prepare(halfGlass(200, n => randomSoup(dice, n, 0.5)))
    const alike = (i: number): Vec3 => [0.3 * length, dice.next() * 0.1 * length, (1 + i / 1000) * length]
    const far = rays(500, i => ({ origin: dice.point(2), direction: i % 2 ? dice.point(length) : alike(i) }))
    expect(compare(scene, far).wrong).toEqual(NONE)
  })

  it('of a small thing far away from the origin (seed 5)', () => {
    const [dice, centre] = [new Dice(5), [1e7, -1e7, 1e7] as const]
    const scene = prepare(sceneOf([{ mesh: sphere(centre, 50, 3), material: GREY }]))
    const from = rays(1000, () => {
      const near = dice.point(100)
      return { origin: mapVec(k => centre[k] + near[k]), direction: dice.point() }
    })
    const { hits, wrong } = compare(scene, from)
    expect(wrong).toEqual(NONE)
    expect(hits).toBeGreaterThan(100)
  })
})

describe.each([
  ['a sphere', sphereScene(3)],
  ['a ring', sceneOf([{ mesh: torus(24, 12), material: GREY }])],
  ['mountains', sceneOf([{ mesh: mountains(16), material: GREY }])],
  ['every material', mixedScene()],
  [
    'squares that meet at an edge',
    sceneOf([
      { mesh: quad([0, 0, 0], [1, 0, 0], [0, 0, -1]), material: GREY },
      { mesh: quad([1, 0, 0], [1, 0, 0], [0, 0, -1]), material: GLASS },
      { mesh: quad([0, 0, 0], [0, 1, 0], [0, 0, -1]), material: GREY },
    ]),
  ],
])('nasty rays at %s (seed 11)', (_, scene) => {
  const prepared = prepare(scene)
  const dice = new Dice(11)
  const aim = new Aim(scene, dice)
  const awkward = () => dice.oneOf([dice.point(), dice.axis(), dice.plane()])

  it.each<[string, () => Ray]>([
    ['through vertices and edges', () => between(dice.point(3), aim.edge())],
    [
      'along axes through vertices and edges',
      () => {
        const [target, direction] = [aim.edge(), dice.axis()]
        return { origin: mapVec(k => target[k] - direction[k] * 7.3), direction }
      },
    ],
    ['along axes', () => ({ origin: dice.point(1.5), direction: dice.axis() })],
    ['across axes', () => ({ origin: dice.point(1.5), direction: dice.plane() })],
    [
      'across axes, in planes of vertices',
      () => {
        const [vertex, start, across] = [aim.edge(), dice.point(1.5), dice.below(3)]
        return {
          origin: mapVec(k => (k === across ? vertex[k] : start[k])),
          direction: mapVec(k => (k === across ? dice.oneOf([0, -0]) : dice.next() - 0.5)),
        }
      },
    ],
    ['from a surface', () => ({ origin: aim.inside(), direction: awkward() })],
    ['from vertices and edges', () => ({ origin: aim.edge(), direction: awkward() })],
    ['from edge to edge', () => between(aim.edge(), aim.edge())],
    [
      'from just before a surface, or behind',
      () => {
        const [start, off] = [aim.inside(), dice.point(1e-6)]
        return { origin: mapVec(k => start[k] + off[k]), direction: awkward() }
      },
    ],
    ['from vertices and edges, off the surface', () => ({ origin: aim.edge(), direction: awkward(), tMin: 1e-4 })],
    ['from edge to edge, off the surface', () => ({ ...between(aim.edge(), aim.edge()), tMin: 1e-4 })],
    ['in the plane of a triangle', () => aim.grazing()],
    [
      'almost in the plane of a triangle',
      () => {
        const [{ origin, direction }, off] = [aim.grazing(), dice.point(10 ** (-2 - 5 * dice.next()))]
        return { origin, direction: mapVec(k => direction[k] + off[k]) }
      },
    ],
    ['along edges, off the surface', () => ({ ...aim.alongEdge(), tMin: 1e-4 })],
  ])('%s', (__, make) => {
    const { hits, wrong } = compare(prepared, rays(1000, make))
    expect(wrong).toEqual(NONE)
    expect(hits).toBeGreaterThan(30)
  })

  it.each([
    ['from one place', 0],
    ['from next to each other', 1e-3],
  ])('%s, along nearly the same line, with zeros of either sign', (__, apart) => {
    // Sixteen at a time, of which bundles are made.
    let [place, target, without] = [dice.point(3), aim.edge(), 0]
    const { hits, wrong } = compare(
      prepared,
      rays(992, i => {
        if (i % 16 === 0) {
          ;[target, without] = [aim.edge(), dice.below(3)]
          place = mapVec(k => (k === without ? target[k] : dice.next() * 6 - 3))
        }
        const off = dice.point(apart)
        const direction = mapVec(k =>
          k === without ? dice.oneOf([0, -0]) : (target[k] - place[k]) * (1 + 0.05 * dice.next()),
        )
        return { origin: mapVec(k => place[k] + off[k]), direction }
      }),
    )
    expect(wrong).toEqual(NONE)
    expect(hits).toBeGreaterThan(30)
  })

  it('shadows of what starts on vertices and edges', () => {
    const shadows = PATHS.filter(({ shadow }) => shadow)
    expect(
      compare(
        prepared,
        rays(1000, () => ({ origin: aim.edge(), direction: awkward() })),
        shadows,
      ).wrong,
    ).toEqual(NONE)
  })
})

describe('the interval of a ray (seed 21)', () => {
  const dice = new Dice(21)
  const scene = prepare(halfGlass(120, n => randomSoup(dice, n, 0.6)))
  const met = randomRays(dice, 1000)
    .map(ray => ({ ray, distance: scene.answer(ray).distance }))
    .filter(({ distance }) => distance > 0)

  it.each<[string, (distance: number) => Partial<Ray>, boolean]>([
    ['ends at the hit', t => ({ tMax: t }), true],
    ['ends a step before the hit', t => ({ tMax: nextTo(t, -1) }), false],
    ['begins at the hit', t => ({ tMin: t }), true],
    ['begins a step behind the hit', t => ({ tMin: nextTo(t, 1) }), true],
    ['is nothing but the hit', t => ({ tMin: t, tMax: t }), true],
    ['ends before it begins', t => ({ tMin: t, tMax: nextTo(t, -1) }), false],
    ['has no length', () => ({ tMax: 0 }), false],
    ['lies behind', () => ({ tMin: -2, tMax: -1 }), false],
    ['begins at infinity', () => ({ tMin: Number.POSITIVE_INFINITY }), false],
    [
      'is any',
      () => ({ tMin: dice.next() * dice.oneOf([0, 1, 3]), tMax: dice.next() * dice.oneOf([0.1, 1, 5]) }),
      true,
    ],
  ])('%s', (_, change, some) => {
    const cut = met.map(({ ray, distance }) => ({ ...ray, ...change(distance) }))
    const { hits, wrong } = compare(scene, cut)
    expect(wrong).toEqual(NONE)
    expect(hits > 0).toBe(some)
  })
})

describe('rays that are none (seed 31)', () => {
  const scene = prepare(sceneOf([{ mesh: sphere([0, 0, 0], 1, 3), material: GREY }]))
  const dice = new Dice(31)
  // One and all the same way, so that a bundle takes them in with what is no ray.
  const proper = rays(100, () => ({ origin: [-0.1, -0.2, -3], direction: [dice.next() / 9, dice.next() / 9, 1] }))
  const [inf, nan] = [Number.POSITIVE_INFINITY, Number.NaN]

  it.each<[string, Ray]>([
    ['a direction of no length', { origin: [-0.1, -0.2, -3], direction: [0, 0, 0] }],
    ['a direction of no length on the surface', { origin: [0, 0, -1], direction: [0, 0, 0] }],
    ['a direction of nothing but -0', { origin: [-0.1, -0.2, 0], direction: [-0, -0, -0] }],
    ['a direction of next to no length', { origin: [-0.1, -0.2, -3], direction: [0, 0, 1e-44] }],
    ['an infinite direction', { origin: [-0.1, -0.2, -3], direction: [inf, 0.05, 1] }],
    ['a direction infinite both ways', { origin: [-0.1, -0.2, -3], direction: [inf, -inf, 1] }],
    ['an origin that is no number', { origin: [nan, -0.2, -3], direction: [0.05, 0.05, 1] }],
    ['an infinite origin', { origin: [-0.1, -0.2, -inf], direction: [0.05, 0.05, 1] }],
    ['an origin without a z', { origin: [-0.1, -0.2, nan], direction: [0.05, 0.05, 1] }],
    ['an origin without a number', { origin: [nan, nan, nan], direction: [0.05, 0.05, 1] }],
    ['an origin infinite to all sides', { origin: [inf, inf, inf], direction: [-1, -1, -1] }],
    ['an infinite direction along an axis', { origin: [-0.1, -0.2, -3], direction: [0, 0, inf] }],
    ['a direction infinite to all sides', { origin: [-0.1, -0.2, -3], direction: [inf, inf, inf] }],
    ['a direction without an x', { origin: [-0.1, -0.2, -3], direction: [nan, 0.05, 1] }],
    ['a direction without a z', { origin: [-0.1, -0.2, -3], direction: [0.05, 0.05, nan] }],
    ['an end that is no number', { origin: [-0.1, -0.2, -3], direction: [0.05, 0.05, 1], tMax: nan }],
    ['an origin at the end of floats', { origin: [-3e38, -3e38, -3e38], direction: [3e38, 3e38, 3e38] }],
  ])('%s: meets nothing, and does not disturb others', (_, none) => {
    const nothing: Answer = { triangle: -1, distance: -1, shadow: 0 }
    const answers = proper.map(scene.answer)
    expect(answers.every(({ triangle }) => triangle >= 0)).toBe(true)
    for (const at of [0, 5, 17, 64, 100]) {
      const [mixed, expected] = [proper.toSpliced(at, 0, none), answers.toSpliced(at, 0, nothing)]
      for (const path of PATHS)
        expect(disagreements(mixed, expected, ask(scene.caster, mixed, path), path)).toEqual(NONE)
    }
  })

  it.each<[string, Vec3, Vec3]>([
    ['no length', [0, 0, 3], [0, -0, 0]],
    ['a number missing in the direction', [0, 0, 3], [0, 0, nan]],
    ['an infinite direction', [0, 0, 3], [-inf, inf, 0]],
    ['a number missing in the origin', [0, nan, 3], [0, 0, 1]],
    ['an infinite origin', [inf, 0, 3], [0, 0, 1]],
    ['an origin that no float can hold', [1e39, 1e39, 1e39], [-1, -1, -1]],
  ])('picking refuses %s in words', (_, origin, direction) => {
    const pick = () => scene.caster.pick(origin, direction)
    expect(pick).toThrow(BadRayError)
    expect(pick).toThrow(/^pick: expected .+, got .+/)
  })
})

describe('picking', () => {
  it.each([1, 1e-20, 1e20])('finds what brute force finds, with directions of length %d (seed 41)', length => {
    const dice = new Dice(41)
    const scene = prepare(
      halfGlass(300, n => randomSoup(dice, n, 0.5)),
      1,
    )
    const asked = rays(500, () => ({ origin: dice.point(2), direction: dice.point(length) }))
    const normal = asked.map(ray => ({ ...ray, direction: unit(ray.direction) }))
    const got = asked.map(({ origin, direction }): Answer => {
      const { triangle, distance } = scene.caster.pick(origin, direction) ?? { triangle: -1, distance: -1 }
      return { triangle, distance, shadow: 0 }
    })
    expect(disagreements(normal, normal.map(scene.answer), got, PATHS[1])).toEqual(NONE)
    expect(got.filter(({ triangle }) => triangle >= 0).length).toBeGreaterThan(50)
  })
})

describe('a closed mesh lets no ray out (seed 61)', () => {
  const [centre, count] = [[0.3, -0.2, 0.1] as const, 20_000]
  const dice = new Dice(61)
  const inSphere = (): Vec3 => mapVec(k => centre[k] + dice.next() - 0.5)
  const inRing = (): Vec3 => {
    const angle = dice.next() * 2 * Math.PI
    return [Math.cos(angle), dice.next() * 0.4 - 0.2, Math.sin(angle)]
  }

  it.each([
    ['a sphere', sphereScene(4), inSphere],
    ['a ring', sceneOf([{ mesh: torus(48, 24), material: GREY }]), inRing],
  ])('%s', (_, scene, start) => {
    const [caster, aim] = [castIn(scene, count), new Aim(scene, dice)]
    // A third through vertices and edges from anywhere, a third so from one place, a third along axes.
    const place = start()
    const through = rays(count, i => {
      if (i % 3 === 2) return { origin: start(), direction: dice.oneOf([dice.axis(), dice.plane(), dice.point()]) }
      return between(i % 3 === 0 ? start() : place, aim.edge())
    })
    for (const path of PATHS) {
      const escaped = ask(caster, through, path).findIndex(answer =>
        path.shadow ? answer.shadow !== SHADOW.blocked : answer.triangle < 0,
      )
      expect([path.name, through[escaped]]).toEqual([path.name, undefined])
    }
  })
})

describe('triangles that are hardly any', () => {
  it.each([1, 4, 5, 40, 300])('%i in one place: the lowest number counts (seed 71)', count => {
    const dice = new Dice(71)
    const one = [-0.5, -0.5, 0, 0.5, -0.5, 0.1, 0, 0.5, 0.2]
    const scene = prepare(sceneOf([{ mesh: soup(Array.from({ length: count }, () => one).flat()), material: GREY }]))
    const { hits, wrong } = compare(
      scene,
      rays(1000, () => between(dice.point(), [0.1 * dice.next(), 0, 0.1])),
    )
    expect(wrong).toEqual(NONE)
    expect(hits).toBeGreaterThan(100)
    const [first] = ask(scene.caster, [between([0, 0, 3], [0, 0, 0])], PATHS[1])
    expect(first?.triangle).toBe(0)
  })

  it.each([0, 1, 2])('all in a plane across axis %i (seed 72)', axis => {
    const dice = new Dice(72)
    const flat = (triangles: number) => {
      const mesh = randomSoup(dice, triangles, 0.4)
      return { ...mesh, positions: mesh.positions.map((x, i) => (i % 3 === axis ? 0.25 : x)) }
    }
    const scene = prepare(halfGlass(120, flat))
    const across = compare(scene, randomRays(dice, 1000))
    expect(across.wrong).toEqual(NONE)
    expect(across.hits).toBeGreaterThan(50)
    const within = rays(1000, () => {
      const [origin, direction, slope] = [dice.point(1.5), dice.point(), dice.oneOf([0, -0, 1e-9, -1e-20])]
      return {
        tMin: 1e-6,
        origin: mapVec(k => (k === axis ? 0.25 : origin[k])),
        direction: mapVec(k => (k === axis ? slope : direction[k])),
      }
    })
    expect(compare(scene, within).wrong).toEqual(NONE)
  })

  it('of no area: rays come back, and find what lies behind (seed 73)', () => {
    const dice = new Dice(73)
    const proper = { mesh: sphere([0, 0, 0], 1, 3), material: GREY }
    const collapsed = soup(
      Array.from({ length: 500 }, () => {
        const [start, way, places] = [
          dice.point(),
          dice.point(),
          dice.oneOf([
            [0, 0, 0],
            [0, 1, 1],
            [0, 1, 2],
            [0, 0, 1],
          ]),
        ]
        return places.flatMap(along => mapVec(k => Math.fround(start[k]) + along * Math.fround(way[k])))
      }).flat(),
    )
    const scene = sceneOf([proper, { mesh: collapsed, material: GREY }])
    const [caster, { answer }] = [castIn(scene, 1000), prepare(sceneOf([proper]), 1)]
    const aim = new Aim(scene, dice)
    const through = rays(1000, () => between(dice.point(3), aim.edge()))
    for (const path of PATHS.filter(({ shadow }) => !shadow)) {
      const got = ask(caster, through, path)
      // A sliver may be met or not; what is met beyond it is not.
      const spheres = proper.mesh.indices.length / 3
      const wrong = through.filter((ray, i) => {
        const [{ triangle, distance }, behind] = [got[i]!, answer(ray)]
        if (triangle >= spheres) return behind.triangle >= 0 && distance > behind.distance
        return triangle !== behind.triangle || distance !== behind.distance
      })
      expect(wrong).toEqual([])
    }
    expect(ask(caster, through, PATHS[2])).toEqual(ask(caster, through, PATHS[3]))
  })
})

describe('a million triangles', () => {
  const scene = sceneOf([
    { mesh: mountains(708), material: GREY },
    { mesh: sphere([1, 1, 1], 0.8, 4), material: GLASS },
  ])

  it('are met as brute force meets them (seed 81)', () => {
    const dice = new Dice(81)
    const aim = new Aim(scene, dice)
    const view = (i: number): Ray => between([0.2, 1.4, 6], [(i % 10) / 2 - 2.5, 0, 4 - i / 15])
    const through = rays(120, i => {
      if (i < 60) return view(i)
      return i % 2 ? between(dice.point(5), aim.edge()) : { origin: dice.point(), direction: dice.point() }
    })
    const { hits, wrong } = compare(prepare(scene, 120), through)
    expect(wrong).toEqual(NONE)
    expect(hits).toBeGreaterThan(60)
  })
})
