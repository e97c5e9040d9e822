/**
 * Identifies the behaviour of compiled modules: the first 64 bits of the SHA-256 of a module, all of our modules that it imports,
 * and other bytes that matter. Releases that differ in the scene header, in how they cut blocks or in how they number samples
 * differ here, just as those with different kernels do. Takes milliseconds, and only if called.
 */
import { readFileSync } from 'node:fs'
import { sha256 } from './sha256.ts'

/** @param entry a compiled module @param beside bytes that it does not import, such as a kernel */
export function moduleFingerprint(entry: URL, beside?: Uint8Array): string {
  const modules = new Map<string, string>()
  const visit = (url: URL): void => {
    if (modules.has(url.href)) return
    const text = readFileSync(url, 'utf8')
    modules.set(url.href, text)
    for (const [, always, onDemand] of text.matchAll(IMPORT)) visit(new URL(always ?? onDemand!, url))
  }
  visit(entry)
  const hashes = [...modules.values()].map(text => sha256(new TextEncoder().encode(text)))
  // Independent of where the modules lie and of the order in which they were found.
  const all = [...(beside ? [sha256(beside)] : []), ...hashes.sort()].join('\n')
  return sha256(new TextEncoder().encode(all)).slice(0, 16)
}

/** Import or export from a relative path, as the compiler emits it: at the beginning of a line, or anywhere when it is on demand. */
const IMPORT =
  /^(?:import|export)\b(?:[^'"]*?\bfrom)?\s*['"](\.{1,2}\/[^'"]+)['"]|\bimport\(['"](\.{1,2}\/[^'"]+)['"]\)/gm
