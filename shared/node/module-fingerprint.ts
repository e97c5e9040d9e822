/**
 * Names what compiled modules do: the first 64 bits of the SHA-256 of one with all that it imports of ours, and of whatever else
 * decides. Two releases that write another scene header, cut other blocks or number samples otherwise differ here as much as two
 * that have other kernels. Milliseconds, and only where somebody asks.
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
    for (const [, name] of text.matchAll(IMPORT)) visit(new URL(name!, url))
  }
  visit(entry)
  const hashes = [...modules.values()].map(text => sha256(new TextEncoder().encode(text)))
  // Where the modules lie is no matter, nor in which order they were found.
  const all = [...(beside ? [sha256(beside)] : []), ...hashes.sort()].join('\n')
  return sha256(new TextEncoder().encode(all)).slice(0, 16)
}

/** Import or export from a relative path, as the compiler writes it: at the beginning of a line. */
const IMPORT = /^(?:import|export)\b(?:[^'"]*?\bfrom)?\s*['"](\.{1,2}\/[^'"]+)['"]/gm
