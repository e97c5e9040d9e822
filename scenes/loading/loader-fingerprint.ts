/** Identifies everything in this program and its packages that determines how a file is loaded. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { LOADER_MODULE, moduleFingerprint } from '../../shared/node/module-fingerprint.ts'

/** Packages that parse files and decode pictures and meshes. */
const PACKAGES = ['three', 'sharp', 'draco3dgltf'] as const

let known: string | undefined

/** Takes milliseconds, once. */
export function loaderFingerprint(): string {
  known ??= [moduleFingerprint(LOADER_MODULE), ...PACKAGES.map(versionOf)].join(' ')
  return known
}

/** Found without loading the package. */
function versionOf(name: string): string {
  const main = createRequire(import.meta.url).resolve(name)
  for (let folder = dirname(main); folder !== dirname(folder); folder = dirname(folder)) {
    const facts = read(join(folder, 'package.json'))
    if (facts?.name === name) return `${name} ${facts.version}`
  }
  return name
}

function read(path: string): { readonly name?: string; readonly version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
