/** Numbers of samples in WGSL: the kernel's bits, but for the lowest ones, which floats have no room for. */
import { afterAll, describe, expect, it } from 'vitest'
import { probeOf } from '../../../../scripts/bench/pictures/kernel/build.ts'
import { stretchBits } from '../../../../shared/frame/sample-layout.ts'
import { hash32 } from '../../../../shared/math/random.ts'
import { SAMPLER } from '../../../../worker/engine/webgpu/kernel/path/sampler.ts'
import { loadWasmEngine } from '../../../../worker/node/load-kernel.ts'
import { deviceFunctions } from '../../../support/device-function.ts'

const functions = await deviceFunctions()
afterAll(() => functions?.close())

const CODE = /* wgsl */ `${SAMPLER}
fn call(at: u32, to: u32) {
  let x = u32(inputs[at]);
  let y = u32(inputs[at + 1u]);
  let number = first_number(x, y, u32(inputs[at + 2u])) + u32(inputs[at + 3u]);
  let drawn = draw(patch_seed(x, y, 0u), u32(inputs[at + 4u]), number);
  outputs[to] = drawn.lobe;
  outputs[to + 1u] = drawn.survival;
  outputs[to + 2u] = drawn.light.x;
  outputs[to + 3u] = drawn.light.y;
  outputs[to + 4u] = drawn.lobe_u;
  outputs[to + 5u] = drawn.lobe_v;
}
`
const DIGITS = 2 ** 24

describe.skipIf(!functions)('the sampler of a device', () => {
  it('draws the kernel’s numbers, for any pixel, sample and decision', async () => {
    const probe = probeOf(loadWasmEngine('wasm'), [])
    const samples = 32
    const bits = stretchBits({ samples, bounces: 0 })
    const asked = Array.from({ length: 4096 }, (_, i) => {
      const number = (k: number, below: number) => hash32(i, k, 7) % below
      // The corners of frames and patches among them.
      const place = (k: number) => [0, 63, 64, 65535, number(k, 4096)][number(k + 10, 5)]!
      return [place(0), place(1), bits, number(2, samples), number(3, 40)]
    })
    const got = await functions!.call({ code: CODE, inputs: Float32Array.from(asked.flat()), counts: [5, 6] })
    const expected = asked.flatMap(([x, y, , sample, set]) =>
      [...probe.draw(x!, y!, samples, sample!, set!).subarray(0, 6)].map(u => Math.floor(u * DIGITS) / DIGITS),
    )
    expect([...got]).toEqual(expected)
    expect(Math.max(...got)).toBeLessThan(1)
    expect(new Set(got).size).toBeGreaterThan(20_000)
  })
})
