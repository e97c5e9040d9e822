/** What lies on the table: teapot, cups, a bowl of oranges, books and a candle. Metres. */
import type { Group } from 'three'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { sinTurns } from '../../../shared/math/trig.ts'
import { glowing, lacquer, metal, satin } from '../../look/surfaces.ts'
import { ball, column, lathe, smooth } from '../../shapes/lathe.ts'
import { roundedBox } from '../../shapes/rounded-box.ts'
import { curve, tube } from '../../shapes/tube.ts'
import { group, part } from '../builder.ts'
import { BRASS, TABLE_TOP } from './furniture.ts'

const STEEL = metal([0.62, 0.62, 0.64], 0.45)

export function tableware(): Group {
  const clay = lacquer([0.075, 0.17, 0.2], 0.28)
  const porcelain = lacquer([0.7, 0.68, 0.62], 0.28)
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
        lacquer([0.09, 0.03, 0.008], 0.28),
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
