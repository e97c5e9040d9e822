/**
 * Gives every module of this thread the one copy of three.js that sortfirst uses, so that classes of a scene's module are those that
 * the import looks for, and a module works in a folder without packages. Node may load this file into a thread of its own: it
 * imports nothing.
 */

/** What Node.js asks for and gets, see "Customization Hooks" in its documentation. */
interface Resolved {
  readonly url: string
  readonly format?: string
  readonly shortCircuit?: boolean
}
type Next = (specifier: string, context: object) => Resolved | Promise<Resolved>

/** Before the URL of a file that is an ES module whatever the nearest package.json says. */
export const SCENE_MODULE = 'sortfirst-scene:'

export function resolve(specifier: string, context: object, next: Next): Resolved | Promise<Resolved> {
  if (specifier.startsWith(SCENE_MODULE))
    return { url: specifier.slice(SCENE_MODULE.length), format: 'module', shortCircuit: true }
  const isThree = specifier === 'three' || specifier.startsWith('three/')
  return next(specifier, isThree ? { ...context, parentURL: import.meta.url } : context)
}
