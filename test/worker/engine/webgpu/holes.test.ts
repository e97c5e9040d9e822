/** Which rays pass surfaces on a device, and what is left of light, at exact values: nothing there, everything there, and just as much as a mask asks for. */
import { afterAll, describe, expect, it } from 'vitest'
import { MATERIAL_KINDS, PASSING } from '../../../../worker/engine/wasm/records/material.ts'
import { RECORDS } from '../../../../worker/engine/webgpu/kernel/records.ts'
import { FRESNEL } from '../../../../worker/engine/webgpu/kernel/surface/fresnel.ts'
import { pass } from '../../../../worker/engine/webgpu/kernel/surface/pass.ts'
import { deviceFunctions } from '../../../support/device-function.ts'

const functions = await deviceFunctions()
afterAll(() => functions?.close())

const { mask, blend, backs, sheet, some } = PASSING

/** A material and a hit without textures: what passes, the opacity, the cutoff; which rays, from which side, with which number; the cosine. */
interface Asked {
  readonly passing: number
  readonly opacity?: number
  readonly cutoff?: number
  readonly which?: number
  readonly side?: number
  readonly chance?: number
  readonly cosine?: number
  readonly glass?: boolean
}

const CODE = /* wgsl */ `${RECORDS}${FRESNEL}
struct Surface { d: vec3<f32>, n: vec3<f32>, side: f32 }
fn vertex_color(surface: Surface) -> vec4<f32> { return vec4<f32>(surface.side); }
${pass({ textured: false, sheets: true })}
fn call(at: u32, to: u32) {
  var material: Material;
  material.passing = u32(inputs[at]);
  material.color = vec4<f32>(0.5, 0.25, 1.0, 0.0);
  material.opacity = inputs[at + 1u];
  material.alpha_cutoff = inputs[at + 2u];
  material.kind = u32(inputs[at + 7u]);
  material.ior = 1.5;
  let which = u32(inputs[at + 3u]);
  let cosine = inputs[at + 6u];
  let surface = Surface(vec3<f32>(sqrt(1.0 - cosine * cosine), 0.0, -cosine), vec3<f32>(0.0, 0.0, 1.0), inputs[at + 4u]);
  let color = color_at(surface, material);
  outputs[to] = f32(passes(surface, material, color, which, inputs[at + 5u]));
  outputs[to + 1u] = coverage_at(surface, material);
  let left = light_passes(surface, material, color, which, true);
  for (var k = 0u; k < 3u; k++) { outputs[to + 2u + k] = left.share[k]; }
  outputs[to + 5u] = f32(left.by_glass);
  outputs[to + 6u] = f32(left.nothing);
}
`
const OUTPUTS = 7
/** Declared for what reads records, which is not called. */
const TABLES = { declaration: 'var<storage, read> tables: array<u32>', words: new Uint32Array(4) }
const [STOPS, HOLE, THROUGH_SHEET] = [0, 1, 2]
const ALL = some | backs | sheet
/** The largest number below 1. */
const ALMOST = 1 - 2 ** -24

describe.skipIf(!functions)('surfaces that let rays pass', () => {
  const answers = async (asked: readonly Asked[]) => {
    const inputs = asked.flatMap(
      ({ passing, opacity = 1, cutoff = 0.5, which = ALL, side = 1, chance = 0, ...more }) => [
        ...[passing, opacity, cutoff, which, side, chance, more.cosine ?? 1],
        more.glass ? MATERIAL_KINDS.glass : MATERIAL_KINDS.matte,
      ],
    )
    const made = await functions!.call({
      ...{ code: CODE, buffers: [TABLES], inputs: Float32Array.from(inputs), counts: [8, OUTPUTS] },
    })
    return asked.map((_, i) => {
      const [why, there, red, green, blue, byGlass, nothing] = made.subarray(i * OUTPUTS, (i + 1) * OUTPUTS)
      return { why, there, share: [red!, green!, blue!], byGlass: byGlass === 1, nothing: nothing === 1 }
    })
  }

  it('are there at the cutoff of a mask, and above it', async () => {
    const [below, at, above, never, always] = await answers([
      { passing: mask, opacity: 0.5 - 2 ** -24 },
      { passing: mask, opacity: 0.5 },
      { passing: mask, opacity: 1 },
      { passing: mask, opacity: 1, cutoff: 1.1 },
      { passing: mask, opacity: 0, cutoff: 0 },
    ])
    for (const hole of [below!, never!])
      expect(hole).toMatchObject({ why: HOLE, there: 0, share: [1, 1, 1], nothing: false })
    for (const solid of [at!, above!, always!]) expect(solid).toMatchObject({ why: STOPS, there: 1, nothing: true })
  })

  it('let the share of a blend pass by chance, and of light', async () => {
    const [none, half, halfPassed, whole, almost] = await answers([
      { passing: blend, opacity: 0 },
      { passing: blend, opacity: 0.5, chance: 0.5 - 2 ** -24 },
      { passing: blend, opacity: 0.5, chance: 0.5 },
      { passing: blend, opacity: 1, chance: ALMOST },
      { passing: blend, opacity: ALMOST, chance: ALMOST },
    ])
    expect(none).toMatchObject({ why: HOLE, there: 0, share: [1, 1, 1], nothing: false })
    expect(half).toMatchObject({ why: STOPS, there: 0.5, share: [0.5, 0.5, 0.5], nothing: false })
    expect(halfPassed!.why).toBe(HOLE)
    expect(whole).toMatchObject({ why: STOPS, there: 1, nothing: true })
    expect(almost).toMatchObject({ why: HOLE, nothing: false })
  })

  it('are passed from behind by rays that look through back sides, and by no others', async () => {
    const asked = [
      { passing: backs, side: -1 },
      { passing: backs, side: 1 },
      { passing: backs, side: -1, which: some | sheet },
      { passing: backs | mask, side: -1, opacity: 1 },
    ]
    expect((await answers(asked)).map(({ why }) => why)).toEqual([HOLE, STOPS, STOPS, HOLE])
  })

  it('mirror a part of what meets a sheet, tint the rest, and dim light as a whole if they are solid glass', async () => {
    // Both faces of glass with the index 1.5, head-on.
    const mirrored = (2 * 0.04) / 1.04
    const [reflected, passed, edgeOn, glass, opaque] = await answers([
      { passing: sheet, chance: mirrored - 1e-4 },
      { passing: sheet, chance: mirrored + 1e-4 },
      { passing: sheet, cosine: 0, chance: ALMOST },
      { passing: 0, glass: true },
      { passing: 0 },
    ])
    expect(reflected!.why).toBe(STOPS)
    expect(passed!.why).toBe(THROUGH_SHEET)
    for (const [k, tint] of [0.5, 0.25, 1].entries()) expect(passed!.share[k]).toBeCloseTo((1 - mirrored) * tint, 6)
    expect(edgeOn).toMatchObject({ why: STOPS, share: [0, 0, 0] })
    expect(glass).toMatchObject({ byGlass: true, nothing: false, share: [1, 1, 1] })
    expect(opaque).toMatchObject({ nothing: true })
  })
})
