/** A thread that helps once with the build in the memory it is given. */
import { workerData } from 'node:worker_threads'
import { instantiate } from '../../../../worker/engine/wasm/kernel.ts'

const { module, memory } = workerData as { module: WebAssembly.Module; memory: WebAssembly.Memory }
instantiate(module, memory).buildHelp()
