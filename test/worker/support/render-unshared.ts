/**
 * A program: renders in the one thread of a page that is not isolated from others, where `SharedArrayBuffer` is not to be
 * had. Takes the path of a kernel, prints the SHA-256 of the pixels.
 */
import { readFileSync } from 'node:fs'
import { frameRect } from '../../../shared/frame/rect.ts'
import { allSamples } from '../../../shared/frame/view.ts'
import { sha256 } from '../../../shared/node/sha256.ts'
import { WasmEngine } from '../../../worker/engine/wasm/wasm-engine.ts'
import { mixedScene, viewOf } from './meshes.ts'

Reflect.deleteProperty(globalThis, 'SharedArrayBuffer')
const engine = new WasmEngine('wasm', new WebAssembly.Module(readFileSync(process.argv[2]!)), () => 'any')
const tracer = engine.open(engine.finish(engine.begin(mixedScene().bytes, 1)), 0)
const rgb = new Uint8Array(64 * 40 * 3)
const view = viewOf([64, 40])
tracer.trace(view, { rect: frameRect([64, 40]) }, allSamples(view), { rgb })
process.stdout.write(typeof SharedArrayBuffer === 'undefined' ? sha256(rgb) : 'it was to be had')
