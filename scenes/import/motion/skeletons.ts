/** Where the joints of skins are, as matrices that move vertices. */
import { Matrix4, type Object3D, type Skeleton, type SkinnedMesh } from 'three'
import { JOINT_FLOATS } from './pose.ts'

/** Matrices of skeletons as they were last: the same array as long as no joint moves. */
export type JointMemo = WeakMap<Skeleton, Float64Array>

export class Skeletons {
  readonly #memo: JointMemo
  /** Of this scene as it is now. */
  readonly #now = new Map<Skeleton, Float64Array>()

  constructor(memo: JointMemo) {
    this.#memo = memo
  }

  /**
   * Matrices from the space of a mesh to that of `placeOf`, three rows of four for each of its joints. World matrices must be up to
   * date.
   */
  matricesOf(mesh: SkinnedMesh): Float64Array {
    const { skeleton, bindMatrix } = mesh
    const known = this.#now.get(skeleton) ?? this.#read(skeleton)
    this.#now.set(skeleton, known)
    return isIdentity(bindMatrix) ? known : bound(known, bindMatrix)
  }

  #read(skeleton: Skeleton): Float64Array {
    const { bones, boneInverses } = skeleton
    const matrices = new Float64Array(bones.length * JOINT_FLOATS)
    const matrix = new Matrix4()
    bones.forEach((bone, i) => {
      matrix.multiplyMatrices(bone?.matrixWorld ?? IDENTITY, boneInverses[i] ?? IDENTITY)
      putRows(matrix, matrices, i * JOINT_FLOATS)
    })
    const before = this.#memo.get(skeleton)
    if (before && before.length === matrices.length && before.every((value, i) => Object.is(value, matrices[i])))
      return before
    this.#memo.set(skeleton, matrices)
    return matrices
  }
}

/** What places a skinned mesh in the world once its joints have moved it: nothing, unless it is detached from its skeleton. */
export const placeOf = ({ bindMode, matrixWorld, bindMatrixInverse }: SkinnedMesh): Matrix4 =>
  bindMode === 'detached' ? new Matrix4().multiplyMatrices(matrixWorld, bindMatrixInverse) : new Matrix4()

/** Updates the world matrices of joints that are not below `scene`. */
export function placeStrayBones(scene: Object3D, meshes: readonly SkinnedMesh[]): void {
  // Each way up is gone once: there may be a great many bones, far down.
  const roots = new Map<Object3D, Object3D>()
  for (const { bones } of new Set(meshes.map(({ skeleton }) => skeleton)))
    for (const bone of bones) {
      if (!bone) continue
      const way: Object3D[] = []
      let at: Object3D = bone
      for (; at.parent && !roots.has(at); at = at.parent) way.push(at)
      const root = roots.get(at) ?? at
      for (const each of way) roots.set(each, root)
      roots.set(root, root)
    }
  for (const root of new Set(roots.values())) if (root !== scene) root.updateMatrixWorld(true)
}

const IDENTITY = new Matrix4()

const isIdentity = ({ elements }: Matrix4): boolean => elements.every((value, i) => value === IDENTITY.elements[i])

function bound(matrices: Float64Array, bindMatrix: Matrix4): Float64Array {
  const made = new Float64Array(matrices.length)
  const matrix = new Matrix4()
  for (let at = 0; at < matrices.length; at += JOINT_FLOATS) {
    const [a, b, c, d, e, f, g, h, i, j, k, l] = matrices.subarray(at, at + JOINT_FLOATS) as unknown as Twelve
    putRows(matrix.set(a, b, c, d, e, f, g, h, i, j, k, l, 0, 0, 0, 1).multiply(bindMatrix), made, at)
  }
  return made
}

type Twelve = [number, number, number, number, number, number, number, number, number, number, number, number]

function putRows({ elements: m }: Matrix4, to: Float64Array, at: number): void {
  for (let row = 0; row < 3; row++)
    for (let column = 0; column < 4; column++) to[at + row * 4 + column] = m[column * 4 + row]!
}
