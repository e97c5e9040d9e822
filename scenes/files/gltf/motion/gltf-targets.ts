/** What channels of animations move, as far as that has to be known before there are objects. */
import type { Gltf } from '../gltf-schema.ts'

export type Target = Gltf['animations'][number]['channels'][number]['target']

/** JSON pointer of KHR_animation_pointer, if it moves by one. */
export const pointerOf = ({ path, extensions }: Target): string | undefined =>
  path === 'pointer' ? extensions?.KHR_animation_pointer?.pointer : undefined

/** Number in a pointer that has this form. */
export function numberIn(pointer: string | undefined, form: RegExp): number | undefined {
  const found = pointer === undefined ? undefined : form.exec(pointer)?.[1]
  return found === undefined ? undefined : Number(found)
}

export const NODE_WEIGHTS = /^\/nodes\/(\d+)\/weights(?:\/(\d+))?$/
export const MESH_WEIGHTS = /^\/meshes\/(\d+)\/weights(?:\/(\d+))?$/
export const NODE_VISIBLE = /^\/nodes\/(\d+)\/extensions\/KHR_node_visibility\/visible$/

/** What is moved of a document by animations with these numbers. */
export function movedIn({ animations, nodes }: Gltf, playing: readonly number[]) {
  const targets = playing.flatMap(number => animations[number]!.channels.map(({ target }) => target))
  const weighed = targets.flatMap(target => {
    const pointer = pointerOf(target)
    const node = target.path === 'weights' ? target.node : numberIn(pointer, NODE_WEIGHTS)
    const mesh = node === undefined ? numberIn(pointer, MESH_WEIGHTS) : nodes[node]?.mesh
    return mesh === undefined ? [] : [mesh]
  })
  const switched = targets.flatMap(target => numberIn(pointerOf(target), NODE_VISIBLE) ?? [])
  return {
    /** Numbers of meshes whose morph targets are at work at some time. */
    weighed: new Set(weighed),
    /** Numbers of nodes that are hidden or shown. */
    switched: new Set(switched),
  }
}
