/** The table, and what is out of focus behind it. */
import type { Group, Object3D } from 'three'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { hash32, unitOf } from '../../../shared/math/random.ts'
import { cosTurns, sinTurns } from '../../../shared/math/trig.ts'
import { metal, satin } from '../../look/surfaces.ts'
import { ball, column } from '../../shapes/lathe.ts'
import { roundedBox } from '../../shapes/rounded-box.ts'
import { group, part } from '../builder.ts'

const BOARDS = 9
const BOARD = 0.92

/** Oiled boards on a frame; the top is y = 0. */
export function table(): Group {
  const boards = Array.from({ length: BOARDS }, (_, i) => {
    const tone = unitOf(hash32(31, i))
    const wood = satin([0.33 + 0.11 * tone, 0.165 + 0.06 * tone, 0.07 + 0.03 * tone], 0.46)
    const z = (i - (BOARDS - 1) / 2) * (BOARD + 0.025)
    return part('board', roundedBox(15, 0.36, BOARD, 0.035, 3), wood, { at: [0.3 * (tone - 0.5), -0.18, z] })
  })
  const wood = satin([0.26, 0.15, 0.08], 0.5)
  const legs = [-6.6, 6.6].flatMap(x =>
    [-3.4, 3.4].map(z => part('leg', roundedBox(0.7, 7.2, 0.7, 0.06, 2), wood, { at: [x, -3.97, z] })),
  )
  return group('table', {}, ...boards, ...legs)
}

/** Clipped trees in pots in two wide rings, whose leaves become discs of colour, and gilt balls that catch the sun. */
export function garden(): Object3D[] {
  const gilt = metal([0.95, 0.74, 0.36], 0.2)
  const clay = satin([0.5, 0.2, 0.1], 0.6)
  const bark = satin([0.2, 0.12, 0.07], 0.8)
  return Array.from({ length: 42 }, (_, i) => {
    const draw = (purpose: number) => unitOf(hash32(77, i, purpose))
    const turns = (i + 0.6 * draw(0)) / 42
    const distance = 38 + 13 * (i % 3) + 6 * draw(1)
    const size = 1.5 + 1.9 * draw(2)
    const color = LEAVES[Math.floor(draw(3) * LEAVES.length)]!
    const middle = 3.4 + size * (0.8 + 0.5 * draw(4))
    return group(
      'tree',
      { at: [distance * sinTurns(turns), -7.6, distance * cosTurns(turns)] },
      part('pot', column(1.3, 1.8, 2.6, 32), clay),
      part('trunk', column(0.25, 0.2, middle - 2.4, 16), bark, { at: [0, 2.4, 0] }),
      part('leaves', ball(size, 32, 16), satin(color, 0.6), { at: [0, middle, 0] }),
      part('ball', ball(0.4, 32, 16), gilt, { at: [0, middle + size + 0.3, 0] }),
    )
  })
}

const LEAVES: readonly Vec3[] = [
  [0.07, 0.17, 0.04],
  [0.13, 0.22, 0.05],
  [0.05, 0.12, 0.06],
  [0.45, 0.22, 0.04],
  [0.36, 0.09, 0.04],
]
