/** A bookcase full of books and a few vases. Metres; it stands on y = 0. */
import { BoxGeometry, type Group, type Object3D } from 'three'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { lacquer, matte, metal, satin } from '../../look/surfaces.ts'
import { ball, lathe, smooth } from '../../shapes/lathe.ts'
import { roundedBox } from '../../shapes/rounded-box.ts'
import { block, drawing, group, type Placement, part } from '../builder.ts'
import { BRASS, WALNUT } from './furniture.ts'

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
  const gilding = metal([0.85, 0.65, 0.3], 0.45)
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
      return part('globe', ball(0.08, 48, 24), lacquer([0.06, 0.22, 0.32], 0.28), { at: [at[0], at[1] + 0.08, at[2]] })
    case 1:
      return part('vase', lathe(vaseOutline(0.07, 0.24), 48), lacquer([0.5, 0.2, 0.08], 0.28), { at })
    case 2:
      return part('cup', lathe(vaseOutline(0.05, 0.16), 48), BRASS, { at })
    default:
      return part('vase', lathe(vaseOutline(0.085, 0.2), 48), lacquer([0.55, 0.53, 0.46], 0.28), { at })
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
