/**
 * Identifies the behaviour of compiled modules: the first 64 bits of the SHA-256 of a module, all of our modules that it imports,
 * and other bytes that matter. Releases that differ in the scene header, in how they cut blocks or in how they number samples
 * differ here, just as those with different kernels do. Takes milliseconds, and only if called. The package has no modules but
 * their bundle: what the build found out about them lies beside it, so a worker from the package and one from a clone agree.
 */
import { readFileSync } from 'node:fs'
import { bundledData, moduleUrl } from './program-files.ts'
import { sha256 } from './sha256.ts'

/** In the bundle: the hashes of modules, by their paths. */
export const MODULE_HASHES = 'module-hashes.json'

/** Modules whose fingerprints are asked for, as paths below the root of the modules. */
export const ENGINE_MODULE = 'worker/engine/wasm/wasm-engine.js'
export const LOADER_MODULE = 'scenes/loading/scene-thread.js'

/** @param beside bytes that the module does not import, such as a kernel */
export function moduleFingerprint(path: FingerprintedModule, beside?: Uint8Array): string {
  const bundled = bundledData(MODULE_HASHES)
  const hash = bundled ? JSON.parse(readFileSync(bundled, 'utf8'))[path] : moduleHash(moduleUrl(path))
  return hashOf(beside ? [sha256(beside), hash] : [hash]).slice(0, 16)
}
type FingerprintedModule = typeof ENGINE_MODULE | typeof LOADER_MODULE

/** The SHA-256 of a compiled module and all of ours that it imports, wherever they lie. */
export function moduleHash(entry: URL): string {
  const modules = new Map<string, string>()
  const visit = (url: URL): void => {
    if (modules.has(url.href)) return
    const text = readFileSync(url, 'utf8')
    modules.set(url.href, text)
    for (const [, always, onDemand] of text.matchAll(IMPORT)) visit(new URL(always ?? onDemand!, url))
  }
  visit(entry)
  // In no order of their places or of when they were found.
  return hashOf([...modules.values()].map(text => hashOf([text])).sort())
}

const hashOf = (lines: readonly string[]): string => sha256(new TextEncoder().encode(lines.join('\n')))

/** Import or export from a relative path, as the compiler emits it: at the beginning of a line, or anywhere when it is on demand. */
const IMPORT =
  /^(?:import|export)\b(?:[^'"]*?\bfrom)?\s*['"](\.{1,2}\/[^'"]+)['"]|\bimport\(['"](\.{1,2}\/[^'"]+)['"]\)/gm
