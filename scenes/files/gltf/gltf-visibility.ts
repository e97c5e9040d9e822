/** Nodes that a file hides (KHR_node_visibility): they and all below them stay, but show nothing. */
import type { Gltf } from './gltf-schema.ts'

type Node = Gltf['nodes'][number]

/**
 * The nodes with those that are hidden emptied. They are checked: there are no cycles.
 * @param switched numbers of nodes that an animation hides and shows
 * @param others numbers of nodes that are hidden, too
 */
export function withoutHidden(
  nodes: readonly Node[],
  switched: ReadonlySet<number>,
  others: readonly number[],
): Node[] {
  const hidden = new Set<number>()
  const waiting = nodes.flatMap(({ extensions }, i) =>
    extensions?.KHR_node_visibility?.visible === false && !switched.has(i) ? [i] : [],
  )
  waiting.push(...others)
  for (let i = waiting.pop(); i !== undefined; i = waiting.pop()) {
    if (hidden.has(i)) continue
    hidden.add(i)
    waiting.push(...(nodes[i]!.children ?? []))
  }
  return nodes.map((node, i) => (hidden.has(i) ? emptied(node) : node))
}

/** Its place remains, for skins. */
const emptied = ({ mesh: _, camera: __, extensions: ___, skin: ____, weights: _____, ...node }: Node): Node => node
