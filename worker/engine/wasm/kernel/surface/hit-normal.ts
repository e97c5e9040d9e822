/** Single hits, and their normals as shading has them. The host asks for them between blocks, so they are made where waves have theirs: none is being shaded. */
import { hasInstances, hitParts } from '../placed-triangle'
import { Hit, Ray, Scene, Surface } from '../records'
import { firstParts } from '../triangle-parts'
import { meet } from './hit-point'
import { three } from './math/floats'
import { placeHits } from './placed-hits'
import { vary } from './vary'
import { passHits, passPlaced, passSurfaces, variants } from './workspace'

/** Writes the unit shading normal at a traced ray's hit, turned by textures and towards the ray's side, three floats, to `to`, where there is room for four. */
export function hitNormal(ray: u32, to: u32): void {
  meetAlone(ray)
  vary(passSurfaces, passHits, passHits, variants, false)
  v128.store(to, three(Surface.nx(passSurfaces), Surface.ny(passSurfaces), Surface.nz(passSurfaces)))
}

/** Computes the surface at a traced ray's hit, the first of `passSurfaces`; returns the address of its MATERIAL. */
export function meetAlone(ray: u32): u32 {
  const instances = hasInstances()
  Hit.setRay(passHits, ray)
  Hit.setParts(passHits, hitParts(ray, Ray.hit(ray), Scene.triangles(), firstParts(), instances))
  if (instances) Hit.setInstance(passHits, Ray.instance(ray))
  placeHits(passHits, passHits, passPlaced)
  meet(passSurfaces, passHits, passHits)
  return Hit.material(passHits)
}
