/** Doubles in WGSL: sums of three products and a number, rounded to floats, as JavaScript computes them; and what raises a doubt. */
import { afterAll, describe, expect, it } from 'vitest'
import { hash32, unitOf } from '../../../../shared/math/random.ts'
import { ARITHMETIC } from '../../../../worker/engine/webgpu/kernel/arithmetic.ts'
import { DOUBLES } from '../../../../worker/engine/webgpu/kernel/arithmetic-doubles.ts'
import { deviceFunctions } from '../../../support/device-function.ts'

const functions = await deviceFunctions()
afterAll(() => functions?.close())

const CODE = /* wgsl */ `struct Order { zero: u32, has_tiny: u32, extent: f32 }
${ARITHMETIC}${DOUBLES}
fn call(at: u32, to: u32) {
  outputs[to] = placed(u32(inputs[at + 3u]), vec4<f32>(inputs[at]), vec4<f32>(inputs[at + 1u]), vec4<f32>(inputs[at + 2u])).x;
  outputs[to + 1u] = f32(doubt.x);
}
`

/** Three factors, and what is added. */
type Row = readonly [number, number, number, number]
type Point = readonly [number, number, number]
type Case = readonly [Row, Point]

async function placed(cases: readonly Case[]): Promise<{ sum: number; isDoubtful: boolean }[]> {
  const tables = new Uint32Array(Float64Array.from(cases.flatMap(([row]) => row)).buffer)
  const inputs = Float32Array.from(cases.flatMap(([, point], i) => [...point, i * 8]))
  const buffers = [
    { declaration: 'var<uniform> order: Order', words: new Uint32Array(4) },
    { declaration: 'var<storage, read> tables: array<u32>', words: tables },
  ]
  const outputs = await functions!.call({ code: CODE, buffers, inputs, counts: [4, 2] })
  return cases.map((_, i) => ({ sum: outputs[2 * i]!, isDoubtful: outputs[2 * i + 1] !== 0 }))
}

const expected = ([[a, b, c, shift], point]: Case): number => {
  const [x, y, z] = point.map(Math.fround) as [number, number, number]
  return Math.fround(a * x + b * y + c * z + shift)
}

describe.skipIf(!functions)('doubles of WGSL', () => {
  const EXACT: Readonly<Record<string, readonly Case[]>> = {
    'at zeros, and where nothing is left': [
      [
        [0, 0, 0, 0],
        [1, 2, 3],
      ],
      [
        [1, 1, 1, 1],
        [0, 0, 0],
      ],
      [
        [1, -1, 0, 0],
        [0.1, 0.1, 5],
      ],
      [
        [-0, 0, 0, -0],
        [1, -1, 1],
      ],
      [
        [1, 0, 0, -Math.fround(0.1)],
        [0.1, 0, 0],
      ],
    ],
    'at ties of floats, and beside them': [0, 1, -1].flatMap(side =>
      [1, 3, 5].map(
        (k): Case => [
          [1, 2 ** -52 * side, 0, 2 ** 24 + k],
          [0, 1, 0],
        ],
      ),
    ),
    'at ties of doubles': [1, 3, 2 ** 20 + 1].flatMap(k => [
      [
        [2 ** 53 + 2, k, 0, 0],
        [1, 1, 0],
      ] as Case,
      [
        [-(2 ** 53) - 2, -k, 0, 0],
        [1, 1, 0],
      ] as Case,
      [
        [2 ** 53, -k / 2, 0, 0],
        [1, 1, 0],
      ] as Case,
    ]),
    'where a rounding carries through all digits': [
      [
        [1 + 2 ** -52, 0, 0, 0],
        [2 - 2 ** -23, 0, 0],
      ],
      [
        [2 - 2 ** -52, 0, 0, 0],
        [2 - 2 ** -23, 0, 0],
      ],
      [
        [1, 1, 0, 0],
        [2 - 2 ** -23, 2 ** -24, 0],
      ],
    ],
    'far apart': [31, 32, 33, 52, 53, 54, 63, 64, 65, 90].flatMap(by => [
      [
        [1, 2 ** -by, 0, 0],
        [1, 1.5, 0],
      ] as Case,
      [
        [1, -(2 ** -by), 0, 0],
        [1, 1.5, 0],
      ] as Case,
      [
        [2 ** -by, 1, 0, -1],
        [1.25, 1, 0],
      ] as Case,
    ]),
  }
  it.each(Object.entries(EXACT))('are JavaScript’s %s', async (_, cases) => {
    const answers = await placed(cases)
    expect(answers.map(({ sum }) => sum + 0)).toEqual(cases.map(each => expected(each) + 0))
    expect(answers.some(({ isDoubtful }) => isDoubtful)).toBe(false)
  })

  it('are JavaScript’s at thousands of places, of every size', async () => {
    const draw = (i: number, k: number) => 2 * unitOf(hash32(i, k, 23)) - 1
    const sized = (i: number, k: number) => draw(i, k) * 2 ** Math.round(12 * draw(i, k + 32))
    const cases = Array.from({ length: 20_000 }, (_, i): Case => {
      const row: Row = [sized(i, 0), sized(i, 1), sized(i, 2), sized(i, 3)]
      const point: Point = [sized(i, 4), sized(i, 5), sized(i, 6)]
      // Some sums nearly vanish.
      return i % 4 === 0 ? [[row[0], 0, 0, -Math.fround(row[0] * Math.fround(point[0]))], point] : [row, point]
    })
    const answers = await placed(cases)
    const wrong = cases.filter((each, i) => answers[i]!.sum !== expected(each))
    expect(wrong).toEqual([])
    expect(answers.some(({ isDoubtful }) => isDoubtful)).toBe(false)
  })

  it('are in doubt of what floats might lose', async () => {
    const answers = await placed([
      [
        [2 ** -60, 0, 0, 0],
        [2 ** -50, 0, 0],
      ],
      [
        [2 ** 60, 0, 0, 0],
        [2 ** 50, 0, 0],
      ],
      [
        [1, 0, 0, 1],
        [2 ** -140, 0, 0],
      ],
      [
        [1, 0, 0, 1],
        [2 ** -90, 0, 0],
      ],
    ])
    expect(answers.map(({ isDoubtful }) => isDoubtful)).toEqual([true, true, true, false])
  })
})
