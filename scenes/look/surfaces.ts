/**
 * three materials for the surfaces that are traced here; `map-material.ts` reads them back. Colours are linear RGB,
 * because three's hexadecimal colours depend on the platform's `pow`.
 */
import { Color, MeshPhysicalMaterial } from 'three'
import type { Vec3 } from '../../shared/frame/view.ts'

export const matte = (color: Vec3): MeshPhysicalMaterial =>
  new MeshPhysicalMaterial({ color: new Color(...color), roughness: 1, metalness: 0 })

/** With a clear coat, like varnish, glaze or polished stone. Almost smooth: the sun's highlight is wider than its disc. */
export const coated = (color: Vec3, ior = 1.5): MeshPhysicalMaterial =>
  new MeshPhysicalMaterial({
    color: new Color(...color),
    roughness: 1,
    metalness: 0,
    clearcoat: 1,
    clearcoatRoughness: 0.2,
    ior,
  })

export const mirror = (color: Vec3): MeshPhysicalMaterial =>
  new MeshPhysicalMaterial({ color: new Color(...color), roughness: 0, metalness: 1 })

/** Clear and solid, hence the thickness; `color` tints light at each surface it passes. */
export const glass = (color: Vec3, ior = 1.5): MeshPhysicalMaterial =>
  new MeshPhysicalMaterial({
    color: new Color(...color),
    roughness: 0,
    metalness: 0,
    transmission: 1,
    thickness: 1,
    ior,
  })

/** Unvarnished wood, leather, plastic: a reflection as blurred as the surface is rough. */
export const satin = (color: Vec3, roughness: number): MeshPhysicalMaterial =>
  new MeshPhysicalMaterial({ color: new Color(...color), roughness, metalness: 0 })

/** Smooth varnish over a colour. */
export const lacquer = (color: Vec3, clearcoatRoughness = 0.06): MeshPhysicalMaterial =>
  new MeshPhysicalMaterial({ color: new Color(...color), roughness: 1, metalness: 0, clearcoat: 1, clearcoatRoughness })

export const metal = (color: Vec3, roughness: number): MeshPhysicalMaterial =>
  new MeshPhysicalMaterial({ color: new Color(...color), roughness, metalness: 1 })

/** What shines, and is white or `color` when it does not. `radiance` is linear RGB. */
export const glowing = (radiance: Vec3, color: Vec3 = [0.8, 0.8, 0.8]): MeshPhysicalMaterial =>
  new MeshPhysicalMaterial({ color: new Color(...color), roughness: 1, metalness: 0, emissive: new Color(...radiance) })

/** For meshes without a material: glazed, with a different colour from its neighbours. */
export const paletteSurface = (index: number): MeshPhysicalMaterial => coated(PALETTE[index % PALETTE.length]!)

/** For meshes whose vertices have colours: glazed, and white, since the colours are multiplied by that of the material. */
export function tintedSurface(): MeshPhysicalMaterial {
  const surface = coated([1, 1, 1])
  surface.vertexColors = true
  return surface
}

const PALETTE: readonly Vec3[] = [
  [0.56, 0.22, 0.1], // terracotta
  [0.1, 0.3, 0.34], // petrol
  [0.7, 0.48, 0.16], // ochre
  [0.26, 0.36, 0.14], // moss
  [0.36, 0.12, 0.16], // wine
  [0.62, 0.58, 0.5], // ivory
]
