/**
 * Meshes made of geometries, and what poses them. Kept from one import of a scene to the next, so that what does not change is made
 * once: the same geometry gives the identical mesh until one of its attributes says that it needs an update, as in three.js.
 */
import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute, Mesh } from 'three'
import type { SceneMesh } from '../../../shared/scene/description.ts'
import { type Posed, type Rig, rigOf } from '../motion/pose.ts'
import { type Drawn, meshOfGeometry, numbered } from './import-geometry.ts'
import { type TangentWish, withTangents } from './tangents.ts'

export interface Prepared {
  readonly mesh: SceneMesh
  /** Its indices with the corners of all triangles in the other order. */
  reversed(): Uint32Array
  /** @throws SceneMeshError */
  rig(name: string): Rig
}

/** Several uses of one geometry, such as by other groups of its triangles; more are dropped unless they are in use. */
const MOST_USES = 16

interface Uses {
  readonly stamp: readonly unknown[]
  readonly changed: boolean
  readonly made: Map<string, { readonly prepared: Prepared; usedIn: number }>
}

export class PreparedMeshes {
  readonly #geometries = new WeakMap<BufferGeometry, Uses>()
  readonly #poses = new WeakMap<Mesh, KeptPose>()
  #imports = 0

  /** Call it before each import. */
  begin(): void {
    this.#imports++
  }

  /** @throws SceneMeshError */
  of(geometry: BufferGeometry, drawn: Drawn, wish: TangentWish | undefined, name: string): Prepared {
    const uses = this.#usesOf(geometry)
    const key = JSON.stringify([drawn, wish])
    const known = uses.made.get(key)
    if (known) {
      known.usedIn = this.#imports
      return known.prepared
    }
    if (uses.made.size >= MOST_USES)
      for (const [key, { usedIn }] of uses.made) if (usedIn < this.#imports) uses.made.delete(key)
    const prepared = prepare(geometry, drawn, wish, uses.changed, name)
    uses.made.set(key, { prepared, usedIn: this.#imports })
    return prepared
  }

  /**
   * A mesh in the pose that it has now: identical as long as nothing moves it. `joints` is, too.
   * @param turned whether its triangles have their outside where their inside was
   */
  posed(owner: Mesh, prepared: Prepared, joints: Float64Array | undefined, turned: boolean, name: string): PosedMesh {
    const { mesh: rest } = prepared
    const influences = owner.morphTargetInfluences ?? []
    const before = this.#poses.get(owner)
    const isSame =
      before?.rest === rest &&
      before.turned === turned &&
      isSameList(before.influences, influences) &&
      isSameJoints(before, joints)
    if (isSame) return before
    const { vertices, offset } = prepared.rig(name).pose(rest, influences, joints)
    const indices = turned ? prepared.reversed() : rest.indices
    const pose = { rest, joints, turned, influences: [...influences], mesh: { ...rest, vertices, indices }, offset }
    this.#poses.set(owner, pose)
    return pose
  }

  #usesOf(geometry: BufferGeometry): Uses {
    const stamp = stampOf(geometry)
    const known = this.#geometries.get(geometry)
    if (known && isSameList(known.stamp, stamp)) return known
    const uses = { stamp, changed: known !== undefined, made: new Map() }
    this.#geometries.set(geometry, uses)
    return uses
  }
}

interface PosedMesh extends Pick<Posed, 'offset'> {
  readonly mesh: SceneMesh
}

/** What it was made of, to tell whether that is still so. */
interface KeptPose extends PosedMesh {
  readonly rest: SceneMesh
  readonly joints: Float64Array | undefined
  readonly turned: boolean
  readonly influences: readonly number[]
}

const isSameJoints = ({ joints }: KeptPose, now: Float64Array | undefined): boolean =>
  joints === now || (joints !== undefined && now !== undefined && isSameList(joints, now))

const isSameList = (a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean => {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false
  return true
}

function prepare(
  geometry: BufferGeometry,
  drawn: Drawn,
  wish: TangentWish | undefined,
  changed: boolean,
  name: string,
): Prepared {
  const own = hasMovers(geometry) ? numbered(geometry) : geometry
  const { mesh, sources } = meshOfGeometry(wish ? withTangents(own, wish) : own, drawn, name)
  let rig: Rig | undefined
  let reversed: Uint32Array | undefined
  return {
    // What has changed once may change again: an array of the geometry itself would not be as it was.
    mesh:
      changed && mesh.vertices === geometry.getAttribute('position').array
        ? { ...mesh, vertices: mesh.vertices.slice() }
        : mesh,
    reversed() {
      reversed ??= mesh.indices.map((_, i, all) => all[i - (i % 3) + [0, 2, 1][i % 3]!]!)
      return reversed
    },
    rig(name) {
      rig ??= rigOf(geometry, mesh, sources, name)
      return rig
    },
  }
}

const hasMovers = (geometry: BufferGeometry): boolean =>
  geometry.hasAttribute('skinIndex') || Object.keys(geometry.morphAttributes).length > 0

/** Everything of a geometry that a mesh may be made of, and how often each was changed. */
function stampOf({ index, attributes, morphAttributes }: BufferGeometry): unknown[] {
  const all = [...Object.values(attributes), ...Object.values(morphAttributes).flatMap(targets => targets ?? [])]
  return [index, index?.version, ...all.flatMap(attribute => [attribute, versionOf(attribute)])]
}

const versionOf = (attribute: BufferAttribute | InterleavedBufferAttribute): number =>
  'data' in attribute ? attribute.data.version : attribute.version
