/** What stands on the table. Each stands at `at`, on y = 0; one unit is 10 cm. */
import { Color, type Group, type MeshPhysicalMaterial, type Object3D } from 'three'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { cosTurns, sinTurns } from '../../../shared/math/trig.ts'
import { glass, lacquer, metal, satin } from '../../look/surfaces.ts'
import { ball, lathe, type OutlinePoint, smooth } from '../../shapes/lathe.ts'
import { roundedBox } from '../../shapes/rounded-box.ts'
import { curve, tube } from '../../shapes/tube.ts'
import { group, part } from '../builder.ts'

const CLEAR: Vec3 = [0.99, 1, 0.995]
const GOLD = metal([1, 0.77, 0.34], 0.16)
const COPPER = metal([0.95, 0.62, 0.48], 0.22)
const STEEL = metal([0.66, 0.67, 0.69], 0.24)
/** Sides of what is seen from near. */
const SIDES = 160

/** Clear and solid, with a colour that light takes on over a distance, and a little at the surface: all that `ambient` shows. */
function tinted(surface: Vec3, color: Vec3, distance: number, ior: number, roughness = 0): MeshPhysicalMaterial {
  const material = glass(surface, ior)
  material.attenuationColor = new Color(...color)
  material.attenuationDistance = distance
  material.roughness = roughness
  return material
}

/** A sheet without inside. */
function pane(color: Vec3, ior = 1.5): MeshPhysicalMaterial {
  const material = glass(color, ior)
  material.thickness = 0
  return material
}

/** Foot and stem are solid glass, the bowl is a sheet, and the wine stands in it without touching: media never overlap. */
export function goblet(at: Vec3): Group {
  const stem = lathe(
    [
      [0, 0],
      ...smooth(
        [
          [0.62, 0],
          [0.63, 0.03],
          [0.3, 0.08],
          [0.07, 0.2],
          [0.055, 0.6],
          [0.05, 1.02],
          [0.09, 1.18],
          [0.2, 1.25],
        ],
        8,
      ),
      [0, 1.26],
    ],
    SIDES,
  )
  const wine = WINE.map(([radius, y]): OutlinePoint => [radius * 0.985, y])
  const level = wine.at(-1)![1]
  return group(
    'goblet',
    { at },
    part('stem', stem, glass(CLEAR, 1.5)),
    part('bowl', lathe([[0, 1.27], ...smooth(BOWL, 8)], SIDES), pane([0.98, 0.99, 0.985])),
    part(
      'wine',
      lathe([[0, 1.29], ...wine, [0, level]], SIDES),
      tinted([0.7, 0.2, 0.22], [0.5, 0.02, 0.035], 0.7, 1.34),
    ),
  )
}

const BOWL: readonly OutlinePoint[] = [
  [0.02, 1.272],
  [0.3, 1.36],
  [0.56, 1.62],
  [0.66, 1.98],
  [0.62, 2.35],
  [0.5, 2.76],
]
/** Up to where the glass is filled. */
const WINE = smooth(BOWL, 8).filter(([, y]) => y > 1.295 && y < 2.02)

/** A bottle full of whisky, which is one with its glass, and a ball for a stopper. */
export function carafe(at: Vec3): Group {
  const body = lathe(
    [
      [0, 0.02],
      ...smooth(
        [
          [0.62, 0],
          [0.78, 0.08],
          [0.8, 0.4],
          [0.78, 1],
          [0.72, 1.3],
          [0.38, 1.62],
          [0.24, 1.85],
          [0.25, 2.15],
          [0.3, 2.22],
        ],
        8,
      ),
      [0, 2.24],
    ],
    SIDES,
    // Cut into flutes, most in the middle.
    (turns, y) => (y > 0.1 && y < 1.25 ? 0.06 * flute(turns * 12) * (y - 0.1) * (1.25 - y) : 0),
  )
  return group(
    'carafe',
    { at },
    part('body', body, tinted([0.96, 0.78, 0.5], [0.86, 0.42, 0.08], 1.4, 1.45)),
    part('stopper', ball(0.33, 96, 48), glass(CLEAR, 1.55), { at: [0, 2.58, 0] }),
  )
}

const flute = (turns: number): number => -Math.abs(sinTurns(turns / 2))

/** Hammered copper with a brass handle. */
export function copperMug(at: Vec3): Group {
  const outer = smooth(
    [
      [0.62, 0],
      [0.7, 0.04],
      [0.74, 0.4],
      [0.72, 0.9],
      [0.7, 1.3],
      [0.73, 1.42],
    ],
    12,
  )
  const inner = smooth(
    [
      [0.69, 1.42],
      [0.66, 1.3],
      [0.68, 0.9],
      [0.68, 0.4],
      [0.6, 0.1],
    ],
    8,
  )
  const dents = (turns: number, y: number) =>
    y > 0.05 && y < 1.35 ? 0.006 * sinTurns(turns * 22 + y * 0.9) * cosTurns(y * 4.2) : 0
  return group(
    'mug',
    { at, turns: 0.1 },
    part('body', lathe([[0, 0], ...outer, ...inner, [0, 0.09]], SIDES, dents), COPPER),
    part(
      'handle',
      tube(
        curve(
          [
            [0.7, 1.2, 0],
            [1.05, 1.22, 0],
            [1.2, 0.85, 0],
            [1.05, 0.42, 0],
            [0.72, 0.36, 0],
          ],
          12,
        ),
        0.06,
        { sides: 24 },
      ),
      GOLD,
    ),
  )
}

/** A cocktail shaker of brushed steel. */
export function shaker(at: Vec3): Group {
  const body = lathe(
    [
      [0, 0],
      ...smooth(
        [
          [0.5, 0],
          [0.55, 0.05],
          [0.68, 1.75],
        ],
        6,
      ),
      [0.7, 1.76],
      [0.7, 1.84],
      ...smooth(
        [
          [0.67, 1.86],
          [0.58, 2.15],
          [0.36, 2.4],
        ],
        8,
      ),
      [0.36, 2.42],
      ...smooth(
        [
          [0.38, 2.44],
          [0.38, 2.72],
          [0.3, 2.8],
        ],
        6,
      ),
      [0, 2.82],
    ],
    SIDES,
  )
  return group('shaker', { at }, part('body', body, STEEL))
}

/** A trefoil, lying. */
export function goldKnot(at: Vec3): Group {
  const path = Array.from({ length: 240 }, (_, i): Vec3 => {
    const t = i / 240
    const reach = 0.24 * (2 + cosTurns(3 * t))
    return [reach * cosTurns(2 * t), 0.2 * sinTurns(3 * t), reach * sinTurns(2 * t)]
  })
  return group(
    'gold knot',
    { at: [at[0], at[1] + 0.335, at[2]] },
    part('wire', tube(path, 0.13, { sides: 32, closed: true }), GOLD),
  )
}

/** Black lacquer with a red lid, and a polished knob. */
export function lacquerBox(at: Vec3): Group {
  return group(
    'lacquer box',
    { at, turns: 0.07 },
    part('box', roundedBox(1.3, 0.46, 0.85, 0.05, 6), lacquer([0.012, 0.012, 0.014], 0.04), { at: [0, 0.231, 0] }),
    part('lid', roundedBox(1.34, 0.14, 0.89, 0.05, 6), lacquer([0.5, 0.018, 0.012], 0.04), { at: [0, 0.535, 0] }),
    part('knob', ball(0.09, 48, 24), GOLD, { at: [0, 0.69, 0] }),
  )
}

/** A block of frosted glass. */
export const frostedBlock = (at: Vec3): Object3D =>
  part(
    'frosted block',
    roundedBox(0.72, 0.72, 0.72, 0.09, 6),
    tinted([0.88, 0.96, 0.98], [0.62, 0.86, 0.9], 0.9, 1.5, 0.38),
    {
      at: [at[0], at[1] + 0.362, at[2]],
      turns: -0.06,
    },
  )

/** A pear, two plums and cherries. */
export function fruit(): Object3D[] {
  const pear = lathe(
    [
      [0, 0.04],
      ...smooth(
        [
          [0.2, 0.0],
          [0.42, 0.14],
          [0.52, 0.42],
          [0.42, 0.8],
          [0.25, 1.12],
          [0.16, 1.3],
          [0.05, 1.35],
        ],
        10,
      ),
      [0, 1.33],
    ],
    128,
    (turns, y) => 0.03 * sinTurns(turns + y * 0.2),
  )
  const stalk = tube(
    curve(
      [
        [0, 1.32, 0],
        [0.03, 1.48, 0.01],
        [0.12, 1.62, 0],
      ],
      6,
    ),
    0.025,
  )
  const bark = satin([0.16, 0.09, 0.04], 0.7)
  const plum = satin([0.14, 0.025, 0.09], 0.28)
  const cherry = lacquer([0.35, 0.012, 0.02], 0.1)
  return [
    group(
      'pear',
      { at: [-1.15, 0, -1.15], turns: 0.3 },
      part('body', pear, satin([0.52, 0.46, 0.08], 0.36)),
      part('stalk', stalk, bark),
    ),
    part('plum', ball(0.34, 96, 48), plum, { at: [0.35, 0.34, -0.05] }),
    part('plum', ball(0.3, 96, 48), plum, { at: [1.75, 0.3, 0.45] }),
    ...CHERRIES.flatMap(([x, z], i) => [
      part('cherry', ball(0.165, 64, 32), cherry, { at: [x, 0.165, z] }),
      part(
        'stalk',
        tube(
          curve(
            [
              [x, 0.31, z],
              [x + 0.03, 0.5, z - 0.04],
              [x + 0.2 - 0.12 * i, 0.62, z - 0.1],
            ],
            6,
          ),
          0.012,
        ),
        bark,
      ),
    ]),
  ]
}

const CHERRIES = [
  [0.28, 1.35],
  [0.02, 1.62],
  [0.5, 1.7],
] as const

/** Soap bubbles. */
export function bubbles(): Object3D[] {
  return BUBBLES.map(([at, radius]) => part('bubble', ball(radius, 96, 48), pane([1, 1, 1], 1.4), { at }))
}

const BUBBLES: readonly (readonly [at: Vec3, radius: number])[] = [
  [[1.9, 2.5, 0.6], 0.3],
  [[2.55, 1.9, 0.2], 0.17],
  [[-0.9, 3.05, -0.5], 0.2],
]
