/** The room itself: 8 × 8 × 3 m, closed on all sides, with a plank floor, a rug, a window and a picture. */
import type { Group, Object3D } from 'three'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { matte, metal, satin } from '../../look/surfaces.ts'
import { lathe } from '../../shapes/lathe.ts'
import { block, drawing, group, part } from '../builder.ts'

export const CEILING = 3
/** Half the sides. */
const HALF = 4

const PLASTER = matte([0.6, 0.55, 0.48])
const TEAL = matte([0.09, 0.2, 0.215])
const WHITE = satin([0.72, 0.7, 0.66], 0.5)

export function room(): Group {
  const thick = 0.2
  const wall = (name: string, size: Vec3, material: typeof TEAL, at: Vec3) => block(name, size, material, at)
  const side = 2 * HALF + 2 * thick
  const out = HALF + thick / 2
  return group(
    'room',
    {},
    wall('back wall', [side, CEILING + thick, thick], TEAL, [0, CEILING / 2, -out]),
    wall('front wall', [side, CEILING + thick, thick], TEAL, [0, CEILING / 2, out]),
    wall('left wall', [thick, CEILING + thick, side], PLASTER, [-out, CEILING / 2, 0]),
    wall('right wall', [thick, CEILING + thick, side], PLASTER, [out, CEILING / 2, 0]),
    wall('ceiling', [side, thick, side], matte([0.75, 0.73, 0.7]), [0, CEILING + thick / 2, 0]),
    wall('screed', [side, thick, side], matte([0.05, 0.035, 0.025]), [0, -thick / 2 - 0.012, 0]),
    planks(),
    ...trim(),
    rug(),
    picture(),
    windowFrame(),
    door(),
  )
}

const PLANK = 0.16

/** Oak boards of different lengths and tones; what cameras must stay above is named 'tiles'. */
function planks(): Group {
  const draw = drawing(3)
  const tones = [0, 1, 2, 3, 4].map(tone =>
    satin([0.3 + 0.035 * tone, 0.19 + 0.026 * tone, 0.105 + 0.016 * tone], 0.34),
  )
  const boards: Object3D[] = []
  for (let row = 0; row < (2 * HALF) / PLANK; row++) {
    const z = -HALF + (row + 0.5) * PLANK
    for (let x = -HALF, i = 0; x < HALF; i++) {
      const length = Math.min(0.7 + 1.5 * draw(row, i, 0), HALF - x)
      const tone = tones[Math.floor(draw(row, i, 1) * tones.length)]!
      const at: Vec3 = [x + length / 2, -0.011, z]
      boards.push(block('board', [length - 0.003, 0.022, PLANK - 0.003], tone, at, 0, 0.0015))
      x += length
    }
  }
  return group('tiles', {}, ...boards)
}

/** Skirting boards, and beams under the ceiling. */
function trim(): Object3D[] {
  const [long, inside] = [2 * HALF, HALF - 0.01]
  return [
    block('skirting', [long, 0.12, 0.02], WHITE, [0, 0.06, -inside]),
    block('skirting', [long, 0.12, 0.02], WHITE, [0, 0.06, inside]),
    block('skirting', [0.02, 0.12, long], WHITE, [-inside, 0.06, 0]),
    block('skirting', [0.02, 0.12, long], WHITE, [inside, 0.06, 0]),
    ...[-2.6, -0.9, 0.9, 2.6].map(x =>
      block('beam', [0.16, 0.18, long], satin([0.2, 0.11, 0.06], 0.6), [x, CEILING - 0.09, 0], 0, 0.01),
    ),
  ]
}

/** Rings of wool. */
function rug(): Group {
  const rings = [
    [1.75, [0.3, 0.045, 0.04]],
    [1.6, [0.5, 0.42, 0.3]],
    [1.5, [0.3, 0.045, 0.04]],
    [1.05, [0.05, 0.09, 0.15]],
    [0.95, [0.5, 0.42, 0.3]],
    [0.88, [0.3, 0.045, 0.04]],
  ] as const
  return group(
    'rug',
    {},
    ...rings.map(([radius, color], i) => {
      const top = 0.008 + 0.0012 * i
      const outline = [
        [0, 0.0005],
        [radius, 0.0005],
        [radius, top - 0.001],
        [radius - 0.004, top],
        [0, top],
      ] as const
      return part('ring', lathe(outline, 128), matte(color))
    }),
  )
}

/** Squares within squares, after Josef Albers. */
function picture(): Group {
  const gilt = metal([0.82, 0.6, 0.27], 0.45)
  const squares = [
    [1.1, [0.56, 0.2, 0.03], 0],
    [0.84, [0.62, 0.32, 0.03], -0.05],
    [0.58, [0.68, 0.45, 0.06], -0.1],
    [0.3, [0.72, 0.58, 0.22], -0.15],
  ] as const
  return group(
    'picture',
    { at: [0.2, 1.62, -HALF] },
    ...squares.map(([size, color, y], i) =>
      block('canvas', [size, size, 0.02], matte(color), [0, y, 0.012 + 0.001 * i], 0, 0.0003),
    ),
    ...[-1, 1].flatMap(end => [
      block('frame', [1.2, 0.05, 0.045], gilt, [0, end * 0.575, 0.0225], 0, 0.012),
      block('frame', [0.05, 1.2, 0.045], gilt, [end * 0.575, 0, 0.0225], 0, 0.012),
    ]),
  )
}

/** Around the panel that stands for the night sky; see the lights. */
function windowFrame(): Group {
  const bars = [-1, 0, 1].flatMap(i => {
    const thick = i === 0 ? 0.035 : 0.08
    return [
      block('bar', [0.06, 1.66, thick], WHITE, [0, 0, i * 0.79]),
      block('bar', [0.06, thick, 1.66], WHITE, [0, i * 0.79, 0]),
    ]
  })
  const night = block('pane', [0.002, 1.58, 1.58], matte([0.01, 0.012, 0.02]), [0.027, 0, 0], 0, 0.0005)
  const sill = block('sill', [0.2, 0.03, 1.8], WHITE, [-0.08, -0.85, 0])
  return group('window', { at: [HALF - 0.03, 1.6, -0.4] }, night, ...bars, sill)
}

function door(): Group {
  const panel = (y: number, height: number) => block('panel', [0.62, height, 0.02], WHITE, [0, y, -0.045], 0, 0.008)
  return group(
    'door',
    { at: [-1, 0, HALF - 0.02] },
    block('leaf', [0.86, 2.04, 0.05], WHITE, [0, 1.02, -0.01]),
    panel(0.5, 0.7),
    panel(1.42, 0.86),
    block('knob', [0.05, 0.05, 0.05], metal([0.8, 0.6, 0.3], 0.45), [0.36, 1, -0.06], 0, 0.016),
  )
}
