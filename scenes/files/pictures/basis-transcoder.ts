/**
 * The transcoder of Basis Universal textures that comes with three, in Node.js. three's KTX2Loader is not used: it needs a
 * browser's workers and asks the graphics card what to decode to.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { compileFunction } from 'node:vm'

/** Decodes the largest level of a KTX2 file with ETC1S or UASTC data to RGBA8. What has thrown must not be called again. */
export type Transcode = (file: Uint8Array) => Uint8Array

/** What is called of the module, with its names. */
interface BasisModule {
  initializeBasis(): void
  readonly KTX2File: new (bytes: Uint8Array) => KtxFile
}

interface KtxFile {
  isValid(): boolean
  isUASTC(): boolean
  isETC1S(): boolean
  /** Whether the texture's tables are whole: 1 or 0. */
  startTranscoding(): number
  getImageTranscodedSizeInBytes(level: number, layer: number, face: number, format: number): number
  transcodeImage(
    into: Uint8Array,
    ...which: readonly [level: number, layer: number, face: number, format: number, ...flags: [number, number, number]]
  ): number
  close(): void
  delete(): void
}

interface BasisOptions {
  readonly wasmBinary: Uint8Array
  print(text: string): void
  printErr(text: string): void
}

const SCRIPT = 'three/addons/libs/basis/basis_transcoder.js'
const RGBA32 = 13

/**
 * Loads it: half a megabyte of WebAssembly. Its script is written for CommonJS and lies in a package of ES modules, so neither
 * `import` nor `require` finds what it exports.
 */
export async function basisTranscoder(): Promise<Transcode> {
  const require = createRequire(import.meta.url)
  const path = require.resolve(SCRIPT)
  const [script, wasmBinary] = await Promise.all([
    readFile(path, 'utf8'),
    readFile(require.resolve(SCRIPT.replace('.js', '.wasm'))),
  ])
  const module: { exports: unknown } = { exports: {} }
  const parameters = ['module', 'exports', 'require', '__dirname', '__filename']
  compileFunction(script, parameters, { filename: path })(module, module.exports, require, dirname(path), path)
  const start = module.exports as (options: BasisOptions) => Promise<BasisModule>
  const basis = await start({ wasmBinary, print: () => {}, printErr: () => {} })
  basis.initializeBasis()
  return file => transcoded(basis, file)
}

function transcoded(basis: BasisModule, bytes: Uint8Array): Uint8Array {
  const file = new basis.KTX2File(bytes)
  const isBasis = file.isValid() && (file.isUASTC() || file.isETC1S())
  const into = new Uint8Array(isBasis ? file.getImageTranscodedSizeInBytes(0, 0, 0, RGBA32) : 0)
  const isDone = isBasis && file.startTranscoding() && file.transcodeImage(into, 0, 0, 0, RGBA32, 0, -1, -1)
  file.close()
  file.delete()
  if (!isDone) throw new Error('expected whole ETC1S or UASTC data')
  return into
}
