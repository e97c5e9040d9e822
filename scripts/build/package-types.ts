/**
 * Build step: copies the declarations that those of the library need to a folder of the package.
 *
 * three.js has no types of its own, and `@types/three` depends on a physics engine and more of what three's examples use: a user who has
 * it gets its types, and to all others the scenes and cameras of three.js are `any`. Their compiler must not stop at a package
 * that is missing, whatever its options say about declarations.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { moduleUrl } from '../../shared/node/program-files.ts'

const LIBRARY = 'scripts/library/index.d.ts'
const TYPES = moduleUrl('types/')

rmSync(TYPES, { recursive: true, force: true })
const texts = new Map<string, string>()
copy(moduleUrl(LIBRARY))

function copy(from: URL): void {
  if (texts.has(from.href)) return
  const text = readFileSync(from, 'utf8')
  texts.set(from.href, text)
  for (const [, name] of text.matchAll(/(?:\bfrom |\bimport\()['"](\.[^'"]+)['"]/g))
    copy(new URL(name!.replace(/\.[jt]s$/, '.d.ts'), from))
  const to = new URL(from.href.slice(moduleUrl('').href.length), TYPES)
  mkdirSync(new URL('./', to), { recursive: true })
  writeFileSync(to, text.replaceAll(/^import .* from 'three';$/gm, '// @ts-ignore: optional\n$&'))
}
