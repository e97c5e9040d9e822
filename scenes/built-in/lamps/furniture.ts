/** Table, chairs, armchair and sideboard. Metres; each stands on y = 0. */
import type { Group } from 'three'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { lacquer, metal, satin } from '../../look/surfaces.ts'
import { ball, column, lathe, smooth } from '../../shapes/lathe.ts'
import { roundedBox } from '../../shapes/rounded-box.ts'
import { curve, tube } from '../../shapes/tube.ts'
import { block, group, type Placement, part } from '../builder.ts'

export const WALNUT = lacquer([0.17, 0.085, 0.045], 0.3)
const OAK = satin([0.45, 0.3, 0.17], 0.4)
export const BRASS = metal([0.87, 0.64, 0.28], 0.45)

export const TABLE_TOP = 0.74

/** A round table on a turned foot. */
export const table = (): Group =>
  group(
    'table',
    {},
    part(
      'top',
      lathe(
        [
          [0, 0],
          [0.82, 0],
          ...smooth(
            [
              [0.84, 0.005],
              [0.85, 0.017],
              [0.84, 0.03],
            ],
            3,
          ),
          [0, 0.032],
        ],
        128,
      ),
      WALNUT,
      { at: [0, TABLE_TOP - 0.032, 0] },
    ),
    part(
      'foot',
      lathe(
        [
          [0, 0],
          ...smooth(
            [
              [0.34, 0],
              [0.345, 0.02],
              [0.1, 0.06],
              [0.06, 0.16],
              [0.075, 0.36],
              [0.05, 0.52],
              [0.07, 0.64],
              [0.2, 0.7],
            ],
            6,
          ),
          [0, 0.7],
        ],
        64,
      ),
      WALNUT,
    ),
  )

/** A chair with a bent back; its sitter looks along +z. */
export function chair(placement: Placement): Group {
  const legs = ([-0.19, 0.19] as const).flatMap(x =>
    ([-0.18, 0.18] as const).map(z =>
      part(
        'leg',
        tube(
          [
            [x, 0.45, z],
            [x * 1.2, 0, z * 1.2],
          ],
          0.017,
        ),
        WALNUT,
      ),
    ),
  )
  const posts = ([-0.19, 0.19] as const).map(x =>
    part(
      'post',
      tube(
        curve(
          [
            [x, 0.44, -0.19],
            [x * 1.02, 0.66, -0.21],
            [x * 1.05, 0.84, -0.27],
          ],
          6,
        ),
        0.015,
      ),
      WALNUT,
    ),
  )
  const slats = [0.58, 0.69, 0.8].map(y => {
    const back = -0.2 - (y - 0.55) * 0.2
    return part(
      'slat',
      tube(
        curve(
          [
            [-0.2, y, back],
            [0, y + 0.01, back - 0.05],
            [0.2, y, back],
          ],
          8,
        ),
        0.016,
      ),
      WALNUT,
    )
  })
  const seat = part('seat', roundedBox(0.45, 0.06, 0.43, 0.028, 4), satin([0.5, 0.09, 0.06], 0.7), { at: [0, 0.47, 0] })
  return group('chair', placement, seat, ...legs, ...posts, ...slats)
}

/** Its sitter looks along +z. */
export function armchair(placement: Placement): Group {
  const cloth = satin([0.32, 0.13, 0.035], 0.75)
  const cushion = (name: string, size: Vec3, at: Vec3) =>
    part(name, roundedBox(...size, Math.min(...size) * 0.36, 6), cloth, { at })
  const feet = ([-0.3, 0.3] as const).flatMap(x =>
    ([-0.28, 0.28] as const).map(z => part('foot', column(0.014, 0.022, 0.17), WALNUT, { at: [x, 0, z] })),
  )
  return group(
    'armchair',
    placement,
    cushion('seat', [0.62, 0.24, 0.74], [0, 0.31, 0.03]),
    cushion('back', [0.78, 0.62, 0.2], [0, 0.62, -0.34]),
    cushion('left arm', [0.16, 0.42, 0.76], [-0.36, 0.38, 0]),
    cushion('right arm', [0.16, 0.42, 0.76], [0.36, 0.38, 0]),
    part('pillow', roundedBox(0.42, 0.4, 0.14, 0.06, 6), satin([0.62, 0.52, 0.36], 0.9), {
      at: [0.05, 0.6, -0.17],
      turns: 0.02,
    }),
    ...feet,
  )
}

/** A low cabinet, its doors towards +z. */
export function sideboard(placement: Placement): Group {
  const doors = [-0.6, -0.2, 0.2, 0.6].flatMap(x => [
    block('door', [0.38, 0.46, 0.02], OAK, [x, 0.44, 0.215]),
    part('knob', ball(0.014, 24, 12), BRASS, { at: [x + (x % 0.4 < 0 === x < 0 ? 0.14 : -0.14), 0.5, 0.238] }),
  ])
  const feet = ([-0.7, 0.7] as const).flatMap(x =>
    ([-0.15, 0.15] as const).map(z => part('foot', column(0.014, 0.02, 0.19), BRASS, { at: [x, 0, z] })),
  )
  return group('sideboard', placement, block('body', [1.64, 0.52, 0.42], OAK, [0, 0.44, 0]), ...doors, ...feet)
}
