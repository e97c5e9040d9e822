/**
 * Rotates meshes that were modelled with another axis up: y is up in a scene, as in every glTF file. It has to be asked for, because no
 * file says which axis it means: PLY, OBJ and STL have no statement for it. `comment Vertical axis: z` stands in PLY files of
 * splats only, which have no faces, and some programs write it whatever their axes are.
 */
import { Group, type Object3D } from 'three'
import type { UpAxis } from './look-words.ts'

/**
 * Rotations that bring the axis to +y, row by row: quarter and half turns, so coordinates keep every bit. For z, x stays
 * to the right, as in most z-up programs; their front, -y, then faces +z.
 */
const ROTATIONS: Readonly<Record<UpAxis, readonly [x: Row, y: Row, z: Row]>> = {
  x: [
    [0, -1, 0],
    [1, 0, 0],
    [0, 0, 1],
  ],
  y: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  z: [
    [1, 0, 0],
    [0, 0, 1],
    [0, -1, 0],
  ],
  '-x': [
    [0, 1, 0],
    [-1, 0, 0],
    [0, 0, 1],
  ],
  '-y': [
    [1, 0, 0],
    [0, -1, 0],
    [0, 0, -1],
  ],
  '-z': [
    [1, 0, 0],
    [0, 0, -1],
    [0, 1, 0],
  ],
}
type Row = readonly [number, number, number]

/** `content` rotated so that its `axis` points up: wrapped in a group if needed. */
export function turnedUp<T extends Object3D>(content: T, axis: UpAxis): T | Group {
  if (axis === 'y') return content
  const [x, y, z] = ROTATIONS[axis]
  const turned = new Group().add(content)
  turned.matrixAutoUpdate = false
  turned.matrix.set(...x, 0, ...y, 0, ...z, 0, 0, 0, 0, 1)
  // Setting the matrix directly does not mark it as changed.
  turned.updateMatrixWorld(true)
  return turned
}
