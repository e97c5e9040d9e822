/**
 * What is one thing only has a model of its own, and mixtures and what varies share the principled one: a surface must look the same with either. A
 * trace of fibres, too little to be seen, asks for the principled one, as a texture of constant 1 does.
 */
import { expect, it } from 'vitest'
import { probeOf } from '../../../scripts/bench/pictures/kernel/build.ts'
import { RandomStream } from '../../../scripts/bench/pictures/naive/random-stream.ts'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { DEFAULT_MATERIAL, type Material } from '../../../shared/scene/material.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'

const engine = loadWasmEngine('wasm')
const GOLD: Vec3 = [1, 0.78, 0.34]
const TRACE = 1e-9

it.each<readonly [string, Partial<Material>]>([
  ['diffuse', { color: GOLD }],
  ['a coat, roughness 0.4', { color: GOLD, coat: 1, coatRoughness: 0.4 }],
  ['a coat, roughness 1', { color: GOLD, coat: 1, coatRoughness: 1 }],
  ['a coat of index 1.8', { color: GOLD, coat: 1, coatRoughness: 0.6, ior: 1.8 }],
  ['a coat over white', { coat: 1, coatRoughness: 0.25, ior: 1.3 }],
  ['metal, roughness 0.5', { color: GOLD, metallic: 1, roughness: 0.5 }],
  ['metal, roughness 1', { color: GOLD, metallic: 1, roughness: 1 }],
])('of %s there is one look', (_, properties) => {
  const material = { ...DEFAULT_MATERIAL, ...properties }
  const probe = probeOf(engine, [material, { ...material, sheenColor: [TRACE, TRACE, TRACE] }])
  const random = new RandomStream(3)
  const direction = (): Vec3 => {
    const [z, azimuth] = [0.1 + 0.9 * random.next(), 2 * Math.PI * random.next()]
    const radius = Math.sqrt(1 - z * z)
    return [radius * Math.cos(azimuth), radius * Math.sin(azimuth), z]
  }
  for (let i = 0; i < 200; i++) {
    const [wo, wi] = [direction(), direction()]
    const [one, other] = [0, 1].map(number => probe.evaluate(number, false, wo, wi).value)
    // Tables of one roughness, and between those of some.
    one!.forEach((value, channel) => {
      expect(Math.abs(value - other![channel]!)).toBeLessThan(0.004 * (value + 0.01))
    })
  }
})
