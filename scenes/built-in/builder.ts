/** Puts meshes into a scene, with positions in metres and turns around the vertical axis. */
import { type BufferGeometry, Group, type Material, Mesh, type Object3D } from 'three'
import type { Vec3 } from '../../shared/frame/view.ts'
import { hash32, unitOf } from '../../shared/math/random.ts'
import { cosTurns, sinTurns } from '../../shared/math/trig.ts'
import { roundedBox } from '../shapes/rounded-box.ts'

export interface Placement {
  readonly at?: Vec3
  /** Around the vertical axis, turns. */
  readonly turns?: number
}

export function placed<T extends Object3D>(object: T, { at = [0, 0, 0], turns = 0 }: Placement): T {
  object.position.set(...at)
  object.quaternion.set(0, sinTurns(turns / 2), 0, cosTurns(turns / 2))
  return object
}

export function part(name: string, geometry: BufferGeometry, material: Material, placement: Placement = {}): Mesh {
  const mesh = placed(new Mesh(geometry, material), placement)
  mesh.name = name
  return mesh
}

/** A board or block with slightly rounded edges, `at` its centre. */
export const block = (name: string, [x, y, z]: Vec3, material: Material, at: Vec3, turns = 0, radius = 0.004): Mesh =>
  part(name, roundedBox(x, y, z, Math.min(radius, x / 3, y / 3, z / 3), 1), material, { at, turns })

export function group(name: string, placement: Placement, ...parts: readonly Object3D[]): Group {
  const group = placed(new Group(), placement).add(...parts)
  group.name = name
  return group
}

/** Numbers from 0 to 1, each a hash of its purpose: nothing depends on what was built before. */
export const drawing =
  (seed: number) =>
  (a: number, b = 0, c = 0): number =>
    unitOf(hash32(seed, a, b, c))
