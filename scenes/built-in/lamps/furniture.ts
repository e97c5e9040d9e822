/** Table, chairs, armchair, sideboard and a bookcase full of books. Metres; each stands on y = 0. */
import { BoxGeometry, type Group, type Object3D } from 'three'
import { sinTurns } from '../../../shared/math/trig.ts'
import type { Vec3 } from '../../../shared/view.ts'
import { ball, column, lathe, smooth } from '../../shapes/lathe.ts'
import { roundedBox } from '../../shapes/rounded-box.ts'
import { curve, tube } from '../../shapes/tube.ts'
import { glowing, lacquer, matte, metal, satin } from '../../surfaces.ts'
import { block, drawing, group, type Placement, part } from '../builder.ts'

const WALNUT = lacquer([0.17, 0.085, 0.045], 0.3)
const OAK = satin([0.45, 0.3, 0.17], 0.4)
const BRASS = metal([0.87, 0.64, 0.28], 0.28)
const STEEL = metal([0.62, 0.62, 0.64], 0.3)

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

const SHELVES = 6
const SHELF_PITCH = 0.36
const CASE: Vec3 = [2.0, SHELVES * SHELF_PITCH + 0.16, 0.3]
const BINDINGS: readonly Vec3[] = [
  [0.35, 0.05, 0.04],
  [0.05, 0.11, 0.2],
  [0.07, 0.16, 0.09],
  [0.5, 0.34, 0.1],
  [0.55, 0.5, 0.4],
  [0.16, 0.09, 0.06],
  [0.3, 0.14, 0.22],
  [0.03, 0.03, 0.035],
]

/** A bookcase 2 m wide, its front towards +z. */
export function bookcase(placement: Placement): Group {
  const draw = drawing(7)
  const [width, height, depth] = CASE
  const parts: Object3D[] = [
    block('back', [width, height, 0.02], WALNUT, [0, height / 2, -depth / 2 + 0.01]),
    ...[-1, 1].map(side => block('side', [0.03, height, depth], WALNUT, [(side * (width - 0.03)) / 2, height / 2, 0])),
  ]
  const bindings = BINDINGS.map(color => satin(color, 0.5))
  const gilding = metal([0.85, 0.65, 0.3], 0.35)
  const paper = matte([0.72, 0.66, 0.54])
  for (let shelf = 0; shelf <= SHELVES; shelf++) {
    const y = 0.08 + shelf * SHELF_PITCH
    parts.push(block('shelf', [width - 0.06, 0.025, depth - 0.02], WALNUT, [0, y, 0.01]))
    if (shelf === SHELVES) break
    let x = -width / 2 + 0.05
    for (let i = 0; x < width / 2 - 0.1; i++) {
      const thick = 0.022 + 0.04 * draw(shelf, i, 0) * draw(shelf, i, 1)
      // Here and there is room for something else.
      if (draw(shelf, Math.floor((x + 1) / 0.34), 9) < 0.24) {
        const edge = Math.min(width / 2 - 0.05, -1 + (Math.floor((x + 1) / 0.34) + 1) * 0.34)
        if (edge - x > 0.2) parts.push(ornament(shelf * 5 + i, [(x + edge) / 2, y + 0.0125, 0.03]))
        x = edge + 0.004
        continue
      }
      const tall = 0.19 + 0.11 * draw(shelf, Math.floor(i / 3), 2) + 0.012 * draw(shelf, i, 3)
      const deep = 0.15 + 0.05 * draw(shelf, i, 4)
      const middle: Vec3 = [x + thick / 2, y + 0.0125 + tall / 2, depth / 2 - 0.03 - deep / 2]
      const binding = bindings[Math.floor(draw(shelf, Math.floor(i / 2), 5) * bindings.length)]!
      parts.push(part('book', roundedBox(thick, tall, deep, thick * 0.24, 2), binding, { at: middle }))
      if (draw(shelf, i, 6) < 0.5)
        for (const share of [0.3, 0.36, -0.34])
          parts.push(
            part('band', new BoxGeometry(thick * 1.01, 0.004, 0.03), gilding, {
              at: [middle[0], middle[1] + share * tall, depth / 2 - 0.0445],
            }),
          )
      parts.push(
        part('pages', new BoxGeometry(thick * 0.7, 0.004, deep * 0.9), paper, {
          at: [middle[0], middle[1] + tall / 2, middle[2]],
        }),
      )
      x += thick + 0.002
    }
  }
  return group('bookcase', placement, ...parts)
}

/** Something to stand on a shelf. */
function ornament(kind: number, at: Vec3): Object3D {
  switch (kind % 4) {
    case 0:
      return part('globe', ball(0.08, 48, 24), lacquer([0.06, 0.22, 0.32]), { at: [at[0], at[1] + 0.08, at[2]] })
    case 1:
      return part('vase', lathe(vaseOutline(0.07, 0.24), 48), lacquer([0.5, 0.2, 0.08]), { at })
    case 2:
      return part('cup', lathe(vaseOutline(0.05, 0.16), 48), BRASS, { at })
    default:
      return part('vase', lathe(vaseOutline(0.085, 0.2), 48), lacquer([0.55, 0.53, 0.46]), { at })
  }
}

/** A vase whose belly is `radius` wide; open, with a wall. */
export const vaseOutline = (radius: number, height: number) => [
  [0, 0] as const,
  ...smooth(
    [
      [radius * 0.5, 0],
      [radius * 0.8, height * 0.12],
      [radius, height * 0.42],
      [radius * 0.62, height * 0.74],
      [radius * 0.36, height * 0.88],
      [radius * 0.52, height],
      [radius * 0.44, height * 0.99],
      [radius * 0.3, height * 0.86],
      [radius * 0.5, height * 0.5],
      [radius * 0.4, height * 0.1],
    ],
    6,
  ),
  [0, height * 0.08] as const,
]

/** What lies on the table: teapot, cups, a bowl of oranges, books and a candle. */
export function tableware(): Group {
  const clay = lacquer([0.075, 0.17, 0.2], 0.12)
  const porcelain = lacquer([0.7, 0.68, 0.62], 0.05)
  const cup = (x: number, z: number) =>
    group(
      'cup',
      { at: [x, 0, z] },
      part(
        'saucer',
        lathe(
          [
            [0, 0],
            [0.045, 0],
            ...smooth(
              [
                [0.05, 0.002],
                [0.078, 0.014],
                [0.077, 0.017],
                [0.05, 0.007],
              ],
              4,
            ),
            [0, 0.006],
          ],
          64,
        ),
        porcelain,
      ),
      part(
        'bowl',
        lathe(
          [
            [0, 0.008],
            ...smooth(
              [
                [0.022, 0.008],
                [0.026, 0.02],
                [0.041, 0.05],
                [0.045, 0.068],
                [0.0435, 0.068],
                [0.039, 0.05],
                [0.022, 0.016],
              ],
              5,
            ),
            [0, 0.014],
          ],
          64,
        ),
        porcelain,
      ),
      part(
        'tea',
        lathe(
          [
            [0, 0],
            [0.039, 0],
            [0, 0.001],
          ],
          48,
        ),
        lacquer([0.09, 0.03, 0.008], 0),
        { at: [0, 0.054, 0] },
      ),
      part(
        'handle',
        tube(
          curve(
            [
              [0.04, 0.056, 0],
              [0.062, 0.054, 0],
              [0.064, 0.034, 0],
              [0.034, 0.026, 0],
            ],
            6,
          ),
          0.0035,
        ),
        porcelain,
      ),
    )
  const oranges = ORANGES.map(([x, y, z], i) =>
    part('orange', ball(0.042, 48, 24), satin([0.75, 0.26 + 0.03 * sinTurns(i * 0.3), 0.025], 0.42), { at: [x, y, z] }),
  )
  const stack = BOOKS.map(([color, size, y, turns]) =>
    part('book', roundedBox(...size, size[1] * 0.2, 2), satin(color, 0.5), { at: [0, y, 0], turns }),
  )
  return group(
    'tableware',
    { at: [0, TABLE_TOP, 0] },
    group(
      'teapot',
      { at: [-0.1, 0, -0.06], turns: 0.42 },
      part(
        'body',
        lathe(
          [
            [0, 0],
            ...smooth(
              [
                [0.05, 0],
                [0.085, 0.03],
                [0.098, 0.07],
                [0.08, 0.115],
                [0.045, 0.132],
                [0.03, 0.14],
                [0.012, 0.146],
                [0.016, 0.158],
                [0.012, 0.17],
              ],
              6,
            ),
            [0, 0.174],
          ],
          96,
        ),
        clay,
      ),
      part(
        'spout',
        tube(
          curve(
            [
              [0.075, 0.05, 0],
              [0.12, 0.075, 0],
              [0.15, 0.125, 0],
            ],
            8,
          ),
          0.013,
          { sides: 24 },
        ),
        clay,
      ),
      part(
        'handle',
        tube(
          curve(
            [
              [-0.06, 0.12, 0],
              [-0.13, 0.13, 0],
              [-0.15, 0.08, 0],
              [-0.09, 0.04, 0],
            ],
            8,
          ),
          0.008,
        ),
        BRASS,
      ),
    ),
    cup(0.2, 0.26),
    cup(-0.36, 0.3),
    group(
      'bowl of oranges',
      { at: [0.34, 0, -0.16] },
      part(
        'bowl',
        lathe(
          [
            [0, 0],
            ...smooth(
              [
                [0.06, 0],
                [0.065, 0.01],
                [0.13, 0.05],
                [0.16, 0.085],
                [0.156, 0.086],
                [0.125, 0.056],
                [0.05, 0.016],
              ],
              6,
            ),
            [0, 0.014],
          ],
          96,
        ),
        STEEL,
      ),
      ...oranges,
    ),
    group('books', { at: [-0.42, 0, -0.22], turns: 0.06 }, ...stack),
    group(
      'candle',
      { at: [0.05, 0, 0.48] },
      part(
        'holder',
        lathe(
          [
            [0, 0],
            ...smooth(
              [
                [0.05, 0],
                [0.052, 0.006],
                [0.02, 0.014],
                [0.014, 0.03],
                [0.02, 0.05],
              ],
              4,
            ),
            [0, 0.05],
          ],
          48,
        ),
        BRASS,
      ),
      part('wax', column(0.013, 0.012, 0.13), satin([0.75, 0.68, 0.52], 0.5), { at: [0, 0.05, 0] }),
      part(
        'flame',
        lathe(
          [
            [0, 0],
            ...smooth(
              [
                [0.003, 0.001],
                [0.0062, 0.01],
                [0.004, 0.022],
                [0.0012, 0.034],
              ],
              3,
            ),
            [0, 0.037],
          ],
          12,
        ),
        glowing([60, 28, 8]),
        { at: [0, 0.184, 0] },
      ),
    ),
  )
}

const ORANGES: readonly Vec3[] = [
  [-0.05, 0.07, 0.04],
  [0.055, 0.07, 0.035],
  [0, 0.07, -0.055],
  [0.003, 0.132, 0.006],
]

const BOOKS: readonly (readonly [color: Vec3, size: Vec3, y: number, turns: number])[] = [
  [[0.06, 0.12, 0.22], [0.22, 0.034, 0.3], 0.017, 0.02],
  [[0.4, 0.06, 0.04], [0.2, 0.026, 0.27], 0.047, -0.03],
  [[0.55, 0.48, 0.35], [0.16, 0.02, 0.23], 0.07, 0.045],
]
