/** Functions of WGSL beside the kernel's, or the platform's: within what floats have of digits. */
import { afterAll, describe, expect, it } from 'vitest'
import { FRAME } from '../../../../worker/engine/webgpu/kernel/path/frame.ts'
import { FRESNEL } from '../../../../worker/engine/webgpu/kernel/surface/fresnel.ts'
import { ARCTANGENT } from '../../../../worker/engine/webgpu/kernel/surface/math/arctangent.ts'
import { EXPONENTIAL } from '../../../../worker/engine/webgpu/kernel/surface/math/exponential.ts'
import { deviceFunctions } from '../../../support/device-function.ts'

const functions = await deviceFunctions()
afterAll(() => functions?.close())

const CODE = /* wgsl */ `${EXPONENTIAL}${ARCTANGENT}${FRESNEL}${FRAME}
fn call(at: u32, to: u32) {
  let v = vec3<f32>(inputs[at], inputs[at + 1u], inputs[at + 2u]);
  outputs[to] = exponential(v.x);
  outputs[to + 1u] = logarithm(max(1e-37, v.y));
  outputs[to + 2u] = turns_of(v.y, v.x);
  outputs[to + 3u] = refracted(v.x, v.y);
  outputs[to + 4u] = reflectance(v.x, v.y);
  set_frame(v);
  for (var k = 0u; k < 3u; k++) {
    outputs[to + 5u + k] = frame[0][k];
    outputs[to + 8u + k] = frame[1][k];
    outputs[to + 11u + k] = local(world(vec3<f32>(0.1, -0.2, 0.7)))[k];
  }
}
`
const OUTPUTS = 14

describe.skipIf(!functions)('functions of WGSL', () => {
  const answers = async (asked: readonly (readonly [number, number, number])[]) => {
    const inputs = Float32Array.from(asked.flat())
    const outputs = await functions!.call({ code: CODE, inputs, counts: [3, OUTPUTS] })
    return asked.map((_, i) => ({
      asked: [...inputs.subarray(i * 3, i * 3 + 3)] as [number, number, number],
      got: [...outputs.subarray(i * OUTPUTS, (i + 1) * OUTPUTS)],
    }))
  }

  it('have the exponential function and the logarithm, and 0 where floats end', async () => {
    const numbers = [0, -1e-7, -0.5, -1, -3.7, -20, -80, -84]
    for (const { asked, got } of await answers(numbers.map(x => [x, Math.exp(x), 1]))) {
      expect(Math.abs(got[0]! / Math.exp(asked[0]) - 1)).toBeLessThan(2e-5)
      expect(Math.abs(got[1]! - Math.log(asked[1]))).toBeLessThan(2e-6 * Math.max(1, -asked[0]))
    }
    const ends = await answers([-88, -1e30, Number.NEGATIVE_INFINITY].map(x => [x, 1, 1]))
    expect(ends.map(({ got }) => got[0])).toEqual([0, 0, 0])
  })

  it('have the angle of a point, in every quarter and on the axes', async () => {
    const points: [number, number, number][] = Array.from({ length: 64 }, (_, i) => {
      const angle = (2 * Math.PI * i) / 64
      return [Math.cos(angle) * (i + 1), Math.sin(angle) * (i + 1), 1]
    })
    for (const { asked, got } of await answers(points)) {
      const off = Math.abs(got[2]! - Math.atan2(asked[1], asked[0]) / (2 * Math.PI))
      expect(Math.min(off, 1 - off)).toBeLessThan(2e-7)
    }
    const axes = await answers([[0, 0, 1], [2, 0, 1], [0, 3, 1], [-4, 0, 1], [0, -5, 1]]) // biome-ignore format: one line
    expect(axes.map(({ got }) => got[2])).toEqual([0, 0, 0.25, 0.5, -0.25])
  })

  it('refract by Snell’s law, also where rays graze a surface and where indices are almost equal', async () => {
    const asked = [1, 0.9, 0.5, 0.1, 1e-3, 1e-5].flatMap(cosine =>
      [1, 1.0001, 1.001, 1.5, 2.4, 1 / 1.5, 0.999].map(eta => [cosine, eta, 1] as const),
    )
    for (const {
      asked: [cosine, eta],
      got,
    } of await answers(asked)) {
      const square = 1 - (1 - cosine * cosine) / (eta * eta)
      const far = Math.sqrt(Math.max(0, square))
      expect(Math.abs(got[3]! - far)).toBeLessThan(1e-6 * Math.max(far, eta < 1 ? 1 : 0) + 1e-12)
      const [one, other] = [(cosine - eta * far) / (cosine + eta * far), (eta * cosine - far) / (eta * cosine + far)]
      const reflected = far === 0 ? 1 : (one * one + other * other) / 2
      expect(Math.abs(got[4]! - reflected)).toBeLessThan(2e-5)
    }
    // Nothing is reflected where nothing changes.
    expect((await answers([[0.3, 1, 1]]))[0]!.got[4]).toBe(0)
  })

  it('have a frame around every normal, in which directions are told and turned back', async () => {
    const normals: [number, number, number][] = [[0, 0, 1], [0, 0, -1], [1, 0, 0], [0, -1, 0], [0.6, 0, -0.8], [1e-7, 0, -1], [0.48, 0.6, 0.64]] // biome-ignore format: one line
    for (const { asked: n, got } of await answers(normals)) {
      const [t, b, same] = [got.slice(5, 8), got.slice(8, 11), got.slice(11)]
      const dot = (u: readonly number[], v: readonly number[]) => u[0]! * v[0]! + u[1]! * v[1]! + u[2]! * v[2]!
      const off = [dot(t, n), dot(b, n), dot(t, b), dot(t, t) - 1, dot(b, b) - 1].map(Math.abs)
      // Right-handed.
      const cross = [t[1]! * b[2]! - t[2]! * b[1]!, t[2]! * b[0]! - t[0]! * b[2]!, t[0]! * b[1]! - t[1]! * b[0]!]
      const wrong = Math.max(
        ...off,
        Math.abs(dot(cross, n) - 1),
        ...same.map((x, k) => Math.abs(x - [0.1, -0.2, 0.7][k]!)),
      )
      expect([n, wrong < 1e-6]).toEqual([n, true])
    }
  })
})
