/**
 * A tracing thread whose kernel traps in the first build: the second thread takes all the work there is and dies of it, after which
 * the first one comes to help.
 */
import { workerData } from 'node:worker_threads'
import { SCENE, SCENE_TRIANGLES } from '../../../worker/engine/wasm/kernel/layout.ts'

/** Of the scene header the word with the address of the build's state; the state's first word is the next record to make. */
const STATE_ADDRESS = SCENE + 192

const { thread } = workerData as { thread: number }
const Instance = WebAssembly.Instance
let builds = 0

WebAssembly.Instance = class extends Instance {
  override readonly exports: Record<string, unknown>
  constructor(module: WebAssembly.Module, imports: Record<string, Record<string, unknown>>) {
    super(module, imports)
    const own = Reflect.get(Instance.prototype, 'exports', this) as Record<string, unknown>
    const { memory } = imports.env as { memory: WebAssembly.Memory }
    const buildHelp = () => {
      if (builds++ > 0) return (own.buildHelp as () => void)()
      const words = new Int32Array(memory.buffer)
      const nextRecord = words[STATE_ADDRESS >> 2]! >> 2
      if (thread === 0) {
        Atomics.wait(words, nextRecord, 0)
        return (own.buildHelp as () => void)()
      }
      Atomics.store(words, nextRecord, words[(SCENE + SCENE_TRIANGLES) >> 2]!)
      Atomics.notify(words, nextRecord)
      throw new Error('unreachable')
    }
    this.exports = { ...own, buildHelp }
  }
}

await import('../../../worker/node/tracer-thread.js')
