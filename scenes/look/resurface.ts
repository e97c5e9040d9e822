/** Replaces the surface of everything in a mesh file: its material, its colour, or both. What it emits stays. */
import { type Material, Mesh, type MeshPhysicalMaterial, type Object3D, type Texture } from 'three'
import type { Vec3 } from '../../shared/frame/view.ts'
import { ambientMaterial } from '../../shared/scene/ambient-look.ts'
import { mapMaterial } from '../import/materials/map-material.ts'
import type { SurfaceName } from './look-words.ts'
import type { CheckedLook } from './scene-look.ts'
import { coated, glass, matte, mirror } from './surfaces.ts'

const MAKE: Readonly<Record<SurfaceName, (color: Vec3, ior?: number) => MeshPhysicalMaterial>> = {
  matte,
  coated,
  metal: mirror,
  glass,
}

/** Colours for surfaces that become metal or glass: silver and clear. Typical body colours are too dark for them. */
const SILVER: Vec3 = [0.94, 0.92, 0.88]
const CLEAR: Vec3 = [0.97, 0.99, 0.985]

/** Surfaces keep what the look omits. */
export function resurface(content: Object3D, { material, color }: CheckedLook): void {
  if (material === undefined && color === undefined) return
  content.traverse(object => {
    if (!(object instanceof Mesh)) return
    const changed = (from: Material) => surfaceLike(from, material, color)
    object.material = Array.isArray(object.material) ? object.material.map(changed) : changed(object.material)
  })
}

function surfaceLike(from: Material, asked: SurfaceName | undefined, color: Vec3 | undefined): MeshPhysicalMaterial {
  const mapped = mapMaterial(from)
  const before = ambientMaterial(mapped)
  const own = before.kind === 'mirror' ? 'metal' : before.kind === 'unlit' ? 'matte' : before.kind
  const surface = asked ?? own
  const usual = surface === own ? undefined : surface === 'metal' ? SILVER : surface === 'glass' ? CLEAR : undefined
  const ior = surface === own && 'ior' in before ? before.ior : undefined
  const made = MAKE[surface](color ?? usual ?? before.color, ior)
  made.emissive.setRGB(...mapped.emission)
  if ('emissiveMap' in from) made.emissiveMap = from.emissiveMap as Texture | null
  made.name = from.name
  made.side = from.side
  made.visible = from.visible
  made.vertexColors = color === undefined && from.vertexColors
  if ('flatShading' in from) made.flatShading = from.flatShading === true
  return made
}
