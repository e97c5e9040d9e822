/** Joints outside the scene that a glTF file shows. The file should not have them, but some exporters write such files. */
import type { Gltf } from '../gltf-schema.ts'

/**
 * Numbers of the roots of trees that are not in a scene, but have joints of skins that are in use there. three's loader would leave
 * out the nodes between these joints.
 * @param roots of the scene
 */
export function strayRoots({ nodes, skins }: Pick<Gltf, 'nodes' | 'skins'>, roots: readonly number[]): number[] {
  const used = new Set<number>()
  const waiting = [...roots]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { skin, children = [] } = nodes[node]!
    if (skin !== undefined) used.add(skin)
    for (const child of children) waiting.push(child)
  }
  if (used.size === 0) return []
  const parents = new Map(nodes.flatMap(({ children = [] }, parent) => children.map(child => [child, parent] as const)))
  // Each way up is gone once: there may be a great many joints, far down.
  const passed = new Set<number>()
  const shown = new Set(roots)
  const found = new Set<number>()
  for (const skin of used)
    for (const joint of skins[skin]!.joints) {
      let at: number | undefined = joint
      let root = joint
      for (; at !== undefined && !passed.has(at); at = parents.get(at)) {
        passed.add(at)
        root = at
      }
      if (at === undefined && !shown.has(root)) found.add(root)
    }
  return [...found]
}
