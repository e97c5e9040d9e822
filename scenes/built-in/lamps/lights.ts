/** The lamps: those that are meshes, and the fittings of those that are lights. Metres. */
import type { Group, Object3D } from 'three'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { cosTurns, sinTurns } from '../../../shared/math/trig.ts'
import { glowing, lacquer, matte, metal } from '../../look/surfaces.ts'
import { column, lathe, smooth } from '../../shapes/lathe.ts'
import { curve, tube } from '../../shapes/tube.ts'
import { group, part } from '../builder.ts'
import { vaseOutline } from './bookcase.ts'
import { BRASS } from './furniture.ts'
import { CEILING } from './room.ts'

const BLACK = metal([0.09, 0.09, 0.1], 0.4)
const LINEN: Vec3 = [6, 3.4, 1.5]

/** An enamelled dome that hangs on a cord. Dark inside, too: a bright lining would be a strong light that only chance finds. `rim` is the middle of its opening. */
export function pendantShade([x, y, z]: Vec3): Group {
  const outer = smooth(
    [
      [0.27, 0],
      [0.262, 0.05],
      [0.22, 0.12],
      [0.14, 0.18],
      [0.05, 0.215],
      [0.03, 0.25],
    ],
    8,
  )
  const inner = outer.map(([radius, height]) => [Math.max(radius - 0.006, 1e-3), height - 0.002] as const)
  return group(
    'pendant',
    { at: [x, y, z] },
    part('dome', lathe([...outer, [0, 0.25]], 96), lacquer([0.03, 0.13, 0.1], 0.28)),
    part('lining', lathe([[0, 0.249], ...inner.toReversed()], 96), matte([0.02, 0.015, 0.01])),
    part('rim', tube(ringOf(0.268, 96), 0.005, { closed: true }), BRASS),
    part(
      'cord',
      tube(
        [
          [0, 0.25, 0],
          [0, CEILING - y, 0],
        ],
        0.004,
      ),
      matte([0.03, 0.03, 0.03]),
    ),
    part('rose', column(0.06, 0.05, 0.025), BRASS, { at: [0, CEILING - y - 0.026, 0] }),
  )
}

/** The housing of the spot, a short tube under the ceiling around the light's place. */
export function spotLamp([x, y, z]: Vec3): Group {
  const shell = lathe(
    [
      [0.045, -0.02],
      [0.05, -0.02],
      [0.05, 0.11],
      [0, 0.115],
    ],
    48,
  )
  const housing = part('housing', shell, BLACK)
  // Tilted towards the picture: three tenths of a right angle.
  housing.quaternion.set(sinTurns(0.055), 0, 0, cosTurns(0.055))
  const arm = part(
    'arm',
    tube(
      [
        [0, 0.1, 0.02],
        [0, CEILING - y, 0.02],
      ],
      0.008,
    ),
    BLACK,
  )
  return group('spot', { at: [x, y, z] }, housing, arm)
}

/** A linen drum on a stand. */
export function floorLamp(at: Vec3): Group {
  return group(
    'floor lamp',
    { at },
    part(
      'foot',
      lathe(
        [
          [0, 0],
          ...smooth(
            [
              [0.15, 0],
              [0.152, 0.015],
              [0.03, 0.03],
              [0.011, 0.05],
            ],
            4,
          ),
          [0.011, 1.5],
          [0, 1.5],
        ],
        48,
      ),
      BRASS,
    ),
    shade(0.2, 0.17, 0.3, 1.36, LINEN),
  )
}

/** A smaller one on a ceramic foot. */
export function tableLamp(at: Vec3): Group {
  return group(
    'table lamp',
    { at },
    part('foot', lathe(vaseOutline(0.085, 0.26), 64), lacquer([0.05, 0.16, 0.2], 0.28)),
    part('stem', column(0.008, 0.008, 0.1), BRASS, { at: [0, 0.24, 0] }),
    shade(0.15, 0.1, 0.19, 0.31, [9, 5, 2.1]),
  )
}

/** Cloth with light behind it, open above and below. It reflects little: light that gathered inside would be found only by chance. */
const shade = (bottom: number, top: number, height: number, y: number, radiance: Vec3): Object3D =>
  part(
    'shade',
    lathe(
      [
        [bottom, 0],
        [top, height],
      ],
      48,
    ),
    glowing(radiance, [0.3, 0.3, 0.3]),
    { at: [0, y, 0] },
  )

/** Bulbs on a sagging cable from one point to another. */
export function lightBulbs([ax, ay, az]: Vec3, [bx, by, bz]: Vec3): Group {
  const bulbs = 7
  const at = (t: number): Vec3 => [ax + (bx - ax) * t, ay + (by - ay) * t - 1.5 * t * (1 - t) * 0.9, az + (bz - az) * t]
  const cable = part(
    'cable',
    tube(
      Array.from({ length: 65 }, (_, i) => at(i / 64)),
      0.004,
      { sides: 8 },
    ),
    matte([0.02, 0.02, 0.02]),
  )
  const light = glowing([20, 10.5, 4])
  const strung = Array.from({ length: bulbs }, (_, i) => {
    const [x, y, z] = at(0.14 + (0.74 * i) / (bulbs - 1))
    return [
      part('socket', column(0.012, 0.014, 0.035, 16), BLACK, { at: [x, y - 0.035, z] }),
      part('bulb', lathe(BULB, 16), light, { at: [x, y - 0.112, z] }),
    ]
  })
  return group('string of bulbs', {}, cable, ...strung.flat())
}

const BULB = [
  [0, 0],
  ...smooth(
    [
      [0.012, 0.002],
      [0.03, 0.022],
      [0.032, 0.042],
      [0.013, 0.076],
    ],
    3,
  ),
  [0, 0.077],
] as const

/** A neon sign on the left wall: a crescent and a wave. `at` is its middle. */
export function neonSign(at: Vec3): Group {
  const tubeOf = (path: readonly Vec3[], radiance: Vec3, closed = false) =>
    part('neon', tube(curve(path, 10, closed), 0.011, { sides: 8, closed }), glowing(radiance))
  const wave = (y: number, phase: number) =>
    Array.from({ length: 17 }, (_, i): Vec3 => [0, y + 0.06 * sinTurns(i / 8 + phase), 0.62 - (1.24 * i) / 16])
  const outer = Array.from(
    { length: 11 },
    (_, i): Vec3 => [0, 0.42 * cosTurns(0.12 + (i / 10) * 0.76), 0.42 * sinTurns(0.12 + (i / 10) * 0.76)],
  )
  const inner = Array.from(
    { length: 7 },
    (_, i): Vec3 => [0, 0.16 + 0.34 * cosTurns(0.84 - (i / 6) * 0.68), 0.36 * sinTurns(0.84 - (i / 6) * 0.68)],
  )
  return group(
    'neon sign',
    { at },
    tubeOf([...outer, ...inner], [20, 2, 7.2], true),
    tubeOf(wave(-0.52, 0), [1.6, 8, 18]),
    tubeOf(wave(-0.64, 0.3), [1.6, 8, 18]),
  )
}

const ringOf = (radius: number, points: number): Vec3[] =>
  Array.from({ length: points }, (_, i) => [radius * sinTurns(i / points), 0, radius * cosTurns(i / points)])
