/** What is in a scene, in numbers: a file's own content, and apart from it what was added to show it. */
import { AmbientLight, DirectionalLight, HemisphereLight, type Scene } from 'three'
import type { SceneDescription } from '../../shared/scene/description.ts'
import type { Environment } from '../../shared/scene/environment.ts'
import { isNothing } from '../../shared/scene/nothing.ts'
import { isAdded } from '../look/added.ts'
import type { DeclaredContents, LoadedScene } from '../scene-source.ts'
import type { ImportedScene } from './import-three.ts'

export interface SceneContents extends DeclaredContents {
  /** Those of each mesh once, and those of all instances; with those without area, which are not traced. */
  readonly triangles: { readonly unique: number; readonly drawn: number }
  /** Those that are drawn at least once. A geometry that several objects share is one. */
  readonly meshes: number
  readonly instances: number
  /** Those that are used; equal ones count as one, whatever their names. */
  readonly materials: number
  /** Suns, points, spots and rectangles; neither the surroundings nor glowing meshes. */
  readonly lights: number
  readonly cameras: number
  /** Not in the counts above. */
  readonly added: AddedContents
  /** What surrounds it all. */
  readonly environment: Environment['kind']
}

/** The floor, sun and sky that a file gets. */
export interface AddedContents {
  readonly triangles: number
  readonly lights: number
  readonly sky: boolean
}

const NOTHING_DECLARED: DeclaredContents = {
  textures: { count: 0, bytes: 0 },
  animations: [],
  variants: [],
  extensions: [],
}

export function contentsOf(
  { scene, cameras = [], declared = NOTHING_DECLARED }: Pick<LoadedScene, 'scene' | 'cameras' | 'declared'>,
  { description, added }: Pick<ImportedScene, 'description' | 'added'>,
): SceneContents {
  const { instances, lights, environment } = description
  const addedInstances = new Set(added)
  const own = instances.filter((_, number) => !addedInstances.has(number))
  const drawn = own.map(({ mesh }) => mesh)
  const meshes = [...new Set(drawn)]
  const used = new Set<number>()
  for (const { materials } of own) for (const material of materials) used.add(material)
  const looks = new Set([...used].map(number => JSON.stringify({ ...description.materials[number], label: 0 })))
  const addedDrawn = added
    .map(number => instances[number]!)
    .filter(instance => !isNothing(description.meshes[instance.mesh]!, instance))
    .map(({ mesh }) => mesh)
  const { suns, sky } = addedLightsIn(scene)
  return {
    triangles: { unique: trianglesOf(description, meshes), drawn: trianglesOf(description, drawn) },
    meshes: meshes.length,
    instances: own.length,
    materials: looks.size,
    textures: declared.textures,
    lights: lights.length - suns,
    cameras: cameras.length,
    animations: declared.animations,
    variants: declared.variants,
    extensions: declared.extensions,
    added: { triangles: trianglesOf(description, addedDrawn), lights: suns, sky },
    environment: environment.kind,
  }
}

const trianglesOf = ({ meshes }: SceneDescription, numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + meshes[number]!.indices.length / 3, 0)

function addedLightsIn(scene: Scene): { readonly suns: number; readonly sky: boolean } {
  let suns = 0
  let sky = false
  scene.traverseVisible(object => {
    if (object instanceof DirectionalLight && isAdded(object)) suns++
    else if ((object instanceof HemisphereLight || object instanceof AmbientLight) && isAdded(object)) sky = true
  })
  return { suns, sky }
}
