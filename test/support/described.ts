/** Descriptions of scenes that tests write as plain triangles with the surfaces of the ambient integrator. */
import type { AmbientMaterial, Sun } from '../../shared/scene/ambient-look.ts'
import { IDENTITY, type SceneDescription } from '../../shared/scene/description.ts'
import type { Sky } from '../../shared/scene/environment.ts'
import { DEFAULT_MATERIAL, type Material } from '../../shared/scene/material.ts'

export interface PlainScene {
  /** xyz per vertex. */
  readonly positions: ArrayLike<number>
  /** Absent: the mean of the triangles' normals. */
  readonly normals?: ArrayLike<number>
  readonly indices: ArrayLike<number>
  readonly materialIds: ArrayLike<number>
  readonly materials: readonly (AmbientMaterial | Material)[]
  readonly sky: Omit<Sky, 'kind'>
  readonly sun: Sun
}

/** One mesh in one place. */
export function described({
  positions,
  normals,
  indices,
  materialIds,
  materials,
  sky,
  sun,
}: PlainScene): SceneDescription {
  const stride = normals ? 6 : 3
  const vertices = new Float32Array((positions.length / 3) * stride)
  for (let i = 0; i < positions.length; i++) {
    const at = Math.floor(i / 3) * stride + (i % 3)
    vertices[at] = positions[i]!
    if (normals) vertices[at + 3] = normals[i]!
  }
  return {
    meshes: [
      {
        attributes: normals ? ['position', 'normal'] : ['position'],
        vertices,
        indices: Uint32Array.from(indices),
        slots: Uint16Array.from(materialIds),
        slotCount: materials.length,
      },
    ],
    instances: [{ mesh: 0, transform: IDENTITY, materials: materials.map((_, i) => i) }],
    materials: materials.map(material => ('kind' in material ? materialOf(material) : material)),
    lights: [{ kind: 'distant', ...sun, angle: 0 }],
    environment: { kind: 'sky', ...sky },
    textures: [],
    centre: [0, 0, 0],
  }
}

/** A material that the ambient integrator takes for the given one. */
export function materialOf(material: AmbientMaterial): Material {
  const base = { ...DEFAULT_MATERIAL, color: material.color }
  switch (material.kind) {
    case 'matte':
      return base
    case 'unlit':
      return { ...base, unlit: true }
    case 'coated':
      return { ...base, coat: 1, ior: material.ior }
    case 'mirror':
      return { ...base, metallic: 1, roughness: 0 }
    case 'glass':
      return { ...base, transmission: 1, roughness: 0, ior: material.ior }
  }
}

/** The scene in another light. */
export const withSun = <Scene extends SceneDescription>(
  scene: Scene,
  irradiance: Sun['irradiance'],
): SceneDescription => ({
  ...scene,
  lights: [{ kind: 'distant', direction: [0, 1, 0], irradiance, angle: 0 }],
})
