/**
 * The program has its three.js in it; the library shares the package with the program that imports it, whose scenes are made of
 * that package's classes. So modules that reach three.js are in the bundle twice, and all others once. One for both would be the
 * package's: half a megabyte to load at each start, of which the program needs a tenth.
 */
import { readFileSync } from 'node:fs'
import { dirname, resolve as pathFrom } from 'node:path'
import type { OnResolveArgs, Plugin } from 'esbuild'

const SHARED = 'shared-three'

/** An entry point whose modules import three.js as a package. */
export const withPackage = (path: string): string => `${SHARED}:${path}`

const THREE = /^three(\/|$)/

export const twoThrees: Plugin = {
  name: 'two-threes',
  setup({ onResolve, onLoad, resolve }) {
    const resolved = async (path: string, { kind, importer, resolveDir }: OnResolveArgs) => {
      const found = await resolve(path, { kind, importer, resolveDir })
      return reachesThree(found.path) ? { ...found, namespace: SHARED } : found
    }
    // three's own bundle is one module of 1.4 MB, most of which stays; of its sources, the modules that are not used are left out.
    onResolve({ filter: /^three$/, namespace: 'file' }, ({ kind, importer, resolveDir }) =>
      resolve('three/src/Three.js', { kind, importer, resolveDir }),
    )
    onResolve({ filter: new RegExp(`^${SHARED}:`) }, asked => resolved(asked.path.slice(SHARED.length + 1), asked))
    onResolve({ filter: THREE, namespace: SHARED }, ({ path }) => ({ path, external: true }))
    onResolve({ filter: /^\./, namespace: SHARED }, asked => resolved(asked.path, asked))
    onLoad({ filter: /./, namespace: SHARED }, ({ path }) => ({
      contents: readFileSync(path),
      resolveDir: dirname(path),
    }))
  },
}

/** Modules of ours, and whether they reach three.js. */
const known = new Map<string, boolean>()

function reachesThree(path: string): boolean {
  const before = known.get(path)
  if (before !== undefined) return before
  const names = [...readFileSync(path, 'utf8').matchAll(IMPORT)].map(([, always, onDemand]) => always ?? onDemand!)
  const reaches = names.some(
    name => THREE.test(name) || (name.startsWith('.') && reachesThree(pathFrom(dirname(path), name))),
  )
  known.set(path, reaches)
  return reaches
}

/** As the compiler emits it. */
const IMPORT = /^(?:import|export)\b(?:[^'";]*?\bfrom)?\s*'([^']+)'|\bimport\('([^']+)'\)/gm
