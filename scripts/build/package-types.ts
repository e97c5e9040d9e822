/**
 * Build step: joins the declarations that those of the library need into one file of the package.
 *
 * three.js has no types of its own, and `@types/three` depends on a physics engine and more of what three's examples use: a user who has
 * it gets its types, and to all others the scenes and cameras of three.js are `any`. Their compiler must not stop at a package
 * that is missing, whatever its options say about declarations.
 */
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { moduleUrl } from '../../shared/node/program-files.ts'

const LIBRARY = 'scripts/library/index.d.ts'
const TYPES = fileURLToPath(moduleUrl('types/'))

const optionalThree: Plugin = {
  name: 'optional-three',
  renderChunk: code => code.replaceAll(/^import .* from "three";$/gm, '// @ts-ignore: optional\n$&'),
}

rmSync(TYPES, { recursive: true, force: true })
await build({
  input: { index: fileURLToPath(moduleUrl(LIBRARY)) },
  // Packages.
  external: name => !/^[./]/.test(name),
  plugins: [dts({ dtsInput: true }), optionalThree],
  output: { dir: TYPES },
  logLevel: 'warn',
})
