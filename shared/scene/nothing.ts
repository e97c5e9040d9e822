/**
 * What is traced of a scene that has nothing to show, such as one frame of a film: a single triangle that no ray meets. Engines build
 * their structures over at least one triangle with area, and this one has it in doubles, where areas are judged.
 *
 * That no ray meets it is exact, wherever a ray begins. Of a hit test in single precision (Woop et al. 2013), take the corners relative
 * to the ray, sheared. Rounding makes each of their two coordinates the same for all corners unless it is below 2^-100. If one is the
 * same, the three edge functions differ in sign or are 0; if none is, all their products are below 2^-200 and round to 0. Of three zeros,
 * the distance is 0 / 0. So the triangle changes no pixel, and `coverage` leaves it out.
 */
import { IDENTITY, type Instance, type SceneMesh } from './description.ts'

/** The smallest normal float: no device takes it for 0, and its square is 0 in single precision only. */
const SIDE = 2 ** -126
const VERTICES = [0, 0, 0, SIDE, 0, 0, 0, SIDE, 0]

export const NOTHING: SceneMesh = {
  attributes: ['position'],
  vertices: Float32Array.from(VERTICES),
  indices: Uint32Array.of(0, 1, 2),
  slots: Uint16Array.of(0),
  slotCount: 1,
}

/** The only instance of a scene with nothing in it, at its centre. @param material any of the scene's */
export const instanceOfNothing = (mesh: number, material: number): Instance => ({
  mesh,
  transform: IDENTITY,
  materials: [material],
})

/** Whether an instance is one of nothing, also after its transport. */
export const isNothing = (mesh: SceneMesh, { transform }: Instance): boolean =>
  mesh.vertices.length === VERTICES.length &&
  mesh.vertices.every((value, i) => value === VERTICES[i]) &&
  IDENTITY.every((value, i) => value === transform[i])
