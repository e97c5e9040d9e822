import { describe, expect, it } from 'vitest'
import { ambientGaps } from '../../../shared/scene/ambient-look.ts'
import type { EnvironmentMap, Sky } from '../../../shared/scene/environment.ts'
import type { Light } from '../../../shared/scene/light.ts'
import { DEFAULT_MATERIAL } from '../../../shared/scene/material.ts'

const SKY: Sky = { kind: 'sky', zenith: [1, 1, 1], horizon: [1, 1, 1], ground: [1, 1, 1] }
const MAP: EnvironmentMap = {
  kind: 'map',
  width: 1,
  height: 1,
  intensity: 1,
  rotation: 0,
  texels: Float32Array.of(1, 1, 1),
}
const SUN: Light = { kind: 'distant', direction: [0, 1, 0], irradiance: [1, 1, 1], angle: 0 }
const LAMP: Light = { kind: 'point', position: [0, 1, 0], intensity: [1, 1, 1], radius: 0 }
const GLOW = { ...DEFAULT_MATERIAL, emission: [0, 0, 2] } as const

describe('what the ambient integrator does not show', () => {
  it('is nothing of a sun and a sky', () => {
    expect(ambientGaps({ materials: [DEFAULT_MATERIAL], lights: [SUN], environment: SKY })).toEqual([])
  })

  it('is said in one sentence', () => {
    expect(ambientGaps({ materials: [GLOW], lights: [SUN, LAMP, SUN, LAMP], environment: MAP })).toEqual([
      'the ambient integrator does not show 2 lamps, 1 more sun, 1 glowing material and the environment map (only its mean colour); path does',
    ])
    expect(ambientGaps({ materials: [DEFAULT_MATERIAL], lights: [LAMP], environment: SKY })).toEqual([
      'the ambient integrator does not show 1 lamp; path does',
    ])
  })
})
