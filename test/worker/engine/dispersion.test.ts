/** Glass whose index depends on the colour: how much light it lets through, and how little its paths differ from each other. */
import { describe, expect, it } from 'vitest'
import { kernelTracer } from '../../../scripts/bench/pictures/kernel/as-tracer.ts'
import type { Estimate } from '../../../scripts/bench/pictures/model/estimate.ts'
import { estimated, type Tracer } from '../../../scripts/bench/pictures/model/tracer.ts'
import { naiveTracer } from '../../../scripts/bench/pictures/naive/as-tracer.ts'
import { SceneBuilder } from '../../../scripts/bench/pictures/scenes/meshes.ts'
import { parallelTo, viewOf } from '../../../scripts/bench/pictures/scenes/views.ts'
import type { Environment } from '../../../shared/scene/environment.ts'
import type { Material } from '../../../shared/scene/material.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'

const IOR = 1.5
const DISPERSION = 4
const WHITE: Environment = { kind: 'sky', zenith: [1, 1, 1], horizon: [1, 1, 1], ground: [1, 1, 1] }
const STRIPED: Environment = { kind: 'sky', zenith: [1, 1, 1], horizon: [0.1, 0.1, 0.1], ground: [0.6, 0.6, 0.6] }

const tracers = (['wasm', 'reference'] as const).map(name => [name, kernelTracer(name, loadWasmEngine(name))] as const)
const signal = new AbortController().signal

/** Balls in a row along the line of sight: many crossings. */
function balls(environment: Environment, material: Partial<Material>, count = 1) {
  const builder = new SceneBuilder()
  const glass = builder.material({ transmission: 1, ior: IOR, roughness: 0, ...material })
  for (let i = 0; i < count; i++) builder.ball(glass, [0, 0, -2.2 * i], 1, { slices: 24, stacks: 12, rounded: true })
  return builder.build(environment)
}

const picture = (tracer: Tracer, scene: ReturnType<typeof balls>, samples: number, renderings: number) =>
  estimated(
    tracer,
    scene,
    viewOf(parallelTo([0, 0, 4], [0, 0, 0], 0.7), [8, 8], { samples, bounces: 64 }),
    renderings,
    signal,
  )

const average = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0) / values.length

const channel = (values: Float64Array, of: number) => values.filter((_, i) => i % 3 === of)

it.each(tracers)(
  '%s: a path keeps the colour that is left to it, however many surfaces it passes',
  async (_, tracer) => {
    const { mean } = await picture(tracer, balls(WHITE, { dispersion: DISPERSION }, 4), 256, 2)
    expect(average(mean)).toBeGreaterThan(0.99)
    expect(average(mean)).toBeLessThan(1.01)
    // No path brings more than three in one colour, and a third of them bring it: the standard deviation of 512 is 0.063.
    expect(Math.max(...mean)).toBeLessThan(1.3)
  },
)

it('the waves see what single rays see', async () => {
  const scene = balls(STRIPED, { dispersion: DISPERSION, roughness: 0.2, color: [1, 0.6, 0] }, 2)
  const [wave, single] = await Promise.all(tracers.map(([, tracer]) => picture(tracer, scene, 16, 2)))
  expect(wave!.mean).toEqual(single!.mean)
})

describe('each colour is refracted as by glass of its own index', () => {
  const apart = (IOR - 1) * 0.025 * DISPERSION
  const naive = naiveTracer('naive', 3)
  const own = tracers[0]![1]
  it.each([0, 0.3])('with roughness %s', async roughness => {
    const mixed = await picture(own, balls(STRIPED, { roughness, dispersion: DISPERSION }), 64, 4)
    for (const [colour, ior] of [IOR - apart, IOR, IOR + apart].entries()) {
      const alone = await picture(naive, balls(STRIPED, { roughness, ior }), 64, 4)
      const noise = Math.sqrt(sum(mixed, colour) + sum(alone, colour)) / 64
      const [mean, right] = [mixed, alone].map(({ mean }) => average(channel(mean, colour)))
      // Facets reflect as Schlick says, and most steeply as the middle index has it.
      expect(Math.abs(mean! - right!)).toBeLessThan(4 * noise + 0.01 * right!)
    }
  })
  const sum = ({ variance }: Estimate, colour: number) => 64 * average(channel(variance, colour))
})
