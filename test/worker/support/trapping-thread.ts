/**
 * A tracing thread whose kernel traps in the first build: the second thread takes all the work there is and dies of it, after which
 * the first one comes to help.
 */
import { workerData } from 'node:worker_threads'
import { KernelMemory } from '../../../worker/engine/wasm/memory.ts'
import { header } from '../../../worker/engine/wasm/records/access.ts'

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
      const views = new KernelMemory(memory)
      // The first word of the build's state.
      const nextRecord = header(views, 'building') >> 2
      if (thread === 0) {
        Atomics.wait(words, nextRecord, 0)
        return (own.buildHelp as () => void)()
      }
      Atomics.store(words, nextRecord, header(views, 'triangleCount'))
      Atomics.notify(words, nextRecord)
      throw new Error('unreachable')
    }
    this.exports = { ...own, buildHelp }
  }
}

await import('../../../worker/node/tracer-thread.js')
