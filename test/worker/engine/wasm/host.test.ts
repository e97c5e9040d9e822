/** What surrounds the kernel: where it comes from, where it does not run, its memory. What it computes is tested elsewhere. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { frameRect } from '../../../../shared/frame/rect.ts'
import { sha256 } from '../../../../shared/node/sha256.ts'
import { NORMAL_AT, triangleCount, VERTEX_FLOATS } from '../../../../shared/scene/bake.ts'
import { SceneTooLargeError, TooManyThreadsError } from '../../../../worker/engine/errors.ts'
import { KernelMemory } from '../../../../worker/engine/wasm/memory.ts'
import { header, offsetOf } from '../../../../worker/engine/wasm/records/access.ts'
import { TRIANGLE4, VERTEX } from '../../../../worker/engine/wasm/records/mesh.ts'
import { bitsIn } from '../../../../worker/engine/wasm/scene-header.ts'
import { WasmEngine } from '../../../../worker/engine/wasm/wasm-engine.ts'
import { engineByName } from '../../../../worker/node/engines.ts'
import { loadWasmEngine } from '../../../../worker/node/load-kernel.ts'
import { materialsOf, vertexNumbers } from '../../../support/triangles.ts'
import { openHere, traceTile } from '../../support/engines.ts'
import { GREY, mixedScene, mountains, sceneOf, sharedBytes, viewOf } from '../../support/meshes.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const dist = fileURLToPath(new URL('../../../../', import.meta.url))
const kernels = ['kernel.wasm', 'kernel-fast.wasm'].map(file => join(dist, 'worker/engine/wasm', file))
const engine = loadWasmEngine('wasm')

/** Runs a piece of a module in another process; what it prints. */
const runElsewhere = (flags: readonly string[], root: string, source: string): string => {
  const index = pathToFileURL(join(root, 'worker/node/engines.js')).href
  const code = `import { engineByName, engineList } from '${index}'; ${source}`
  return execFileSync(process.execPath, [...flags, '--input-type=module', '-e', code], { encoding: 'utf8' })
}
const REASON = `console.log(engineList().find(({ name }) => name === 'wasm').unavailable ?? 'available')`

describe('the kernel', () => {
  it.each(kernels)('%s keeps nothing in memory of its own: instances share all of it', path => {
    // Sections of a WebAssembly file: a byte of kind, a length in LEB128, the content. 8 is a start function, 11 is data.
    const bytes = readFileSync(path)
    const kinds: number[] = []
    for (let at = 8; at < bytes.length; ) {
      kinds.push(bytes[at++]!)
      let length = 0
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++]!
        length |= (byte & 127) << shift
        if (byte < 128) break
      }
      at += length
    }
    expect(kinds).toContain(10)
    expect(kinds).not.toContain(8)
    expect(kinds).not.toContain(11)
  })

  // Without these instructions V8 has no SIMD.
  it.runIf(process.arch === 'x64')('is missed in words where the processor lacks SIMD', () => {
    const said = runElsewhere(['--no-enable-sse4-1'], dist, REASON)
    expect(said).toMatch(
      /^this machine's processor or Node.js v[\d.]+ lacks WebAssembly SIMD; use a 64-bit processor with SSE 4\.1 or Neon, and start Node\.js without --jitless\n$/,
    )
  })

  it('is missed in words where it was not built, or is damaged, and only when it is asked for', () => {
    const root = join(folder, 'dist')
    for (const part of ['worker', 'shared'])
      cpSync(join(dist, part), join(root, part), { recursive: true, filter: path => !path.endsWith('.wasm') })
    cpSync(join(dist, '../package.json'), join(folder, 'package.json'))
    symlinkSync(join(dist, '../node_modules'), join(folder, 'node_modules'))
    expect(runElsewhere([], root, REASON)).toMatch(
      /^expected its kernel at .+kernel\.wasm, got ENOENT.+; run 'npm run build'\n$/,
    )
    expect(runElsewhere([], root, `console.log('loaded')`)).toBe('loaded\n')
    expect(
      runElsewhere([], root, `try { engineByName('wasm') } catch (error) { console.log(error.code, error.message) }`),
    ).toMatch(/^ENGINE_UNAVAILABLE engine 'wasm' cannot be used here: expected its kernel/)
    writeFileSync(join(root, 'worker/engine/wasm/kernel.wasm'), 'not a kernel')
    expect(runElsewhere([], root, REASON)).toMatch(
      /^its kernel at .+kernel\.wasm is damaged \(.+\); run 'npm run build'\n$/,
    )
  })
})

describe('a scene in the memory of the kernel', () => {
  const scene = mixedScene()
  const building = engine.begin(sharedBytes(scene), 3)
  const held = engine.finish(building)
  const memory = new KernelMemory(held.memory)

  it('is there baked, and not as it came', () => {
    const { memory: wasm } = held
    const { vertices } = scene
    expect(header(memory, 'triangleCount')).toBe(triangleCount(scene))
    expect(header(memory, 'vertexCount')).toBe(vertices.length / VERTEX_FLOATS)
    expect(new Float32Array(wasm.buffer, header(memory, 'vertices'), vertices.length)).toEqual(vertices)
    const words = memory.words.subarray(header(memory, 'triangles') >>> 2)
    const baked = {
      vertices,
      corners: words.subarray(0, triangleCount(scene) * bitsIn(memory).words),
      bits: bitsIn(memory),
    }
    expect(vertexNumbers(baked)).toEqual(vertexNumbers(scene))
    expect(materialsOf(baked)).toEqual(materialsOf(scene))
    expect(Buffer.from(memory.bytes).indexOf('SFSC')).toBe(-1)
  })

  it('has vertices laid out as they were baked', () => {
    expect([VERTEX.bytes, offsetOf(VERTEX, 'normal')]).toEqual([VERTEX_FLOATS * 4, NORMAL_AT * 4])
  })

  it('has its structure behind it, and room for every thread, and nothing more', () => {
    const [structure, bytes] = [header(memory, 'structure'), header(memory, 'structureBytes')]
    expect(structure % 128).toBe(0)
    expect(header(memory, 'triangle4Count') * TRIANGLE4.bytes).toBeLessThan(bytes)
    expect(header(memory, 'depth')).toBeGreaterThan(0)
    expect(held.workspaces).toBe(Math.ceil((structure + bytes) / 65536) * 65536)
    const rooms = 3 * (held.traceBytes + held.shadeBytes)
    expect(memory.bytes.length).toBe(held.workspaces + Math.ceil(rooms / 65536) * 65536)
  })

  it('takes a fraction of the memory that building took', () => {
    const large = sceneOf([{ mesh: mountains(100), material: GREY }])
    const site = engine.begin(sharedBytes(large), 1)
    expect(engine.finish(site).memory.buffer.byteLength).toBeLessThan(new KernelMemory(site.memory).bytes.length)
  })

  it('is traced without SharedArrayBuffer in the global scope, byte for byte', () => {
    const program = fileURLToPath(new URL('../../support/render-unshared.js', import.meta.url))
    const pixels = traceTile(openHere(engineByName('wasm'), scene), viewOf([64, 40]), frameRect([64, 40]))
    expect(execFileSync(process.execPath, [program, kernels[0]!], { encoding: 'utf8' })).toBe(sha256(pixels))
  })

  it('is looked at anew when the memory has grown, here or in another thread', () => {
    const small = KernelMemory.of(1)
    const other = new KernelMemory(small.memory)
    expect(small.bytes).toHaveLength(65536)
    const end = other.extend(100)
    expect(end).toBe(65536)
    other.words[end >> 2] = 7
    expect(small.words[end >> 2]).toBe(7)
  })
})

describe('a scene that does not fit', () => {
  /** A module whose `buildBegin` says that there is no room: (func (param i32) (result i32) i32.const 0). */
  const full = Uint8Array.from([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 127, 1, 127, 3, 2, 1, 0, 7, 14, 1, 10, 98, 117, 105, 108, 100, 66, 101,
    103, 105, 110, 0, 0, 10, 6, 1, 4, 0, 65, 0, 11,
  ])

  it('is not blamed for threads that do not fit beside it', () => {
    const many = () => engine.begin(sharedBytes(mixedScene()), 2048)
    expect(many).toThrow(TooManyThreadsError)
    expect(many).toThrow(
      /^2,048 threads need \d\.\d GiB beside the scene's 0\.0 GiB, but the kernel has room for 4\.0 GiB; use --threads \d{4} or fewer, or more workers$/,
    )
    expect(new TooManyThreadsError(1024, 2.5 * 2 ** 20, 2 ** 20, 2 ** 31).message).toContain(
      'use --threads 818 or fewer',
    )
    expect(engine.begin(sharedBytes(mixedScene()), 500).threads).toBe(500)
  })

  it('is refused with what it needs and what there is', () => {
    const refusing = new WasmEngine('wasm', new WebAssembly.Module(full), () => 'full')
    expect(() => refusing.begin(sharedBytes(mixedScene()), 1)).toThrow(SceneTooLargeError)
    expect(new SceneTooLargeError(14_000_000, 2.6 * 2 ** 30, 2 ** 31).message).toBe(
      'the scene needs about 2.6 GiB for its 14,000,000 triangles, the kernel has room for 2.0 GiB; simplify the mesh',
    )
    expect(new SceneTooLargeError(5_000_000, 2 ** 30, 2 ** 31).message).toContain(
      'needs about 1.0 GiB for its 5,000,000 triangles, this machine cannot allocate that much at once; simplify the mesh, or use a machine with more memory',
    )
  })
})
