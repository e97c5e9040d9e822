/** The description of a small scene with something of everything that a scene can have. */

import { IDENTITY, type SceneDescription } from '../../shared/scene/description.ts'
import type { Light } from '../../shared/scene/light.ts'
import { DEFAULT_MATERIAL } from '../../shared/scene/material.ts'

const LIGHTS: readonly Light[] = [
  { kind: 'distant', direction: [0, 0.6, 0.8], irradiance: [3, 2, 1], angle: 0.0015 },
  { kind: 'point', position: [1, 2, 3], intensity: [1, 1, 1], radius: 0.1 },
  {
    kind: 'spot',
    position: [0, 5, 0],
    direction: [0, -1, 0],
    intensity: [9, 9, 9],
    radius: 0,
    innerCosine: 0.9,
    outerCosine: 0.8,
    falloff: 'squared',
  },
  { kind: 'rectangle', position: [0, 3, 0], across: [1, 0, 0], up: [0, 0, 2], radiance: [5, 5, 5] },
]

export const fullScene = (): SceneDescription => ({
  meshes: [
    {
      attributes: ['position', 'normal', 'tangent', 'uv', 'uv2', 'color'],
      vertices: Float32Array.of(
        ...[0, 0, 0, /**/ 0, 0, 1, /**/ 1, 0, 0, 1, /**/ 0, 0, /**/ 5, 5, /**/ 1, 0, 0, 1],
        ...[1, 0, 0, /**/ 0, 0, 1, /**/ 1, 0, 0, -1, /**/ 1, 0, /**/ 5, 5, /**/ 0, 1, 0, 1],
        ...[0, 1, 0, /**/ 0, 0, 0, /**/ 0, 0, 0, 1, /**/ 0, 1, /**/ 5, 5, /**/ 0, 0, 1, 0.5],
      ),
      indices: Uint32Array.of(0, 1, 2, 2, 1, 0),
      slots: Uint16Array.of(0, 1),
      slotCount: 2,
    },
    {
      attributes: ['position'],
      vertices: Float32Array.of(-9, -1, -9, 9, -1, -9, 0, -1, 9),
      indices: Uint32Array.of(0, 2, 1),
      slots: Uint16Array.of(0),
      slotCount: 1,
    },
  ],
  instances: [
    { mesh: 0, transform: [2, 0, 0, 1, 0, 2, 0, 0.5, 0, 0, 2, -1], materials: [0, 1] },
    { mesh: 0, transform: [-1, 0, 0, 4, 0, 1, 0, 0, 0, 0, 1, 0], materials: [1, 1], object: 2 },
    { mesh: 1, transform: IDENTITY, materials: [2], object: 65534 },
  ],
  materials: [
    { ...DEFAULT_MATERIAL, transmission: 1, absorption: [0.1, 0.2, 0.3] },
    { ...DEFAULT_MATERIAL, metallic: 1, roughness: 0.2, coat: 0.5, coatRoughness: 0.1, label: 65534 },
    {
      ...DEFAULT_MATERIAL,
      emission: [1, 2, 3],
      maps: { color: { texture: 1, set: 0, transform: [1, 0, 0, 0, -1, 1] } },
    },
  ],
  textures: [
    {
      width: 1,
      height: 1,
      wrapU: 'clamp',
      wrapV: 'clamp',
      srgb: false,
      nearest: false,
      texels: Uint8Array.of(1, 2, 3, 4),
    },
    {
      width: 1,
      height: 2,
      wrapU: 'repeat',
      wrapV: 'mirror',
      srgb: true,
      nearest: true,
      texels: Uint8Array.of(5, 6, 7, 8, 9, 10, 11, 12),
    },
  ],
  lights: LIGHTS,
  environment: {
    kind: 'map',
    width: 2,
    height: 1,
    intensity: 1.5,
    rotation: 0.25,
    texels: Float32Array.of(1, 2, 3, 4, 5, 6),
  },
  centre: [1000, 0, -2000],
})
