/** What a THREE.Scene has besides meshes, lights and cameras that is not traced. */
import { Color, Line, type Object3D, Points, type Scene, Sprite, Texture } from 'three'

/** Objects that are not made of triangles: told once for all of a kind, by their names. */
export class IgnoredObjects {
  readonly #names = new Map<Kind, string[]>()

  /** Whether an object is one. */
  add(object: Object3D): boolean {
    const kind = kindOf(object)
    if (!kind) return false
    this.#names.set(kind, [...(this.#names.get(kind) ?? []), object.name])
    return true
  }

  problems(): string[] {
    return [...this.#names].map(([kind, names]) => {
      const [first] = names
      if (names.length === 1) return `${kind} ${first ? `'${first}'` : '(unnamed)'} was ignored: ${WHY}`
      const named = [...new Set(names.filter(name => name !== ''))].slice(0, MOST_NAMED).map(name => `'${name}'`)
      const which = named.length > 0 ? ` (${named.join(', ')}${named.length < names.length ? ', …' : ''})` : ''
      return `${names.length} ${PLURALS[kind]}${which} were ignored: ${WHY}`
    })
  }
}

const WHY = 'only triangles are supported'
const MOST_NAMED = 3

const PLURALS = { line: 'lines', points: 'sets of points', sprite: 'sprites' } as const
type Kind = keyof typeof PLURALS

function kindOf(object: Object3D): Kind | undefined {
  // Wide lines are meshes that only their shader makes lines of.
  if (object instanceof Line || 'isLineSegments2' in object) return 'line'
  if (object instanceof Points) return 'points'
  return object instanceof Sprite ? 'sprite' : undefined
}

/** What the scene itself asks for but does not get, one sentence each; its surroundings apart from how they are blurred. */
export function unmetInScene({ fog, overrideMaterial, background, backgroundBlurriness }: Scene): string[] {
  const isPicture = background !== null && !(background instanceof Color) && background instanceof Texture
  return [
    ...(fog ? [`the scene's fog '${fog.name || ('density' in fog ? 'FogExp2' : 'Fog')}' is not shown`] : []),
    ...(overrideMaterial ? ["the scene's overrideMaterial is not used: each mesh is shown in its own"] : []),
    ...(isPicture && backgroundBlurriness > 0 ? ["the scene's background is shown sharp"] : []),
  ]
}
