/** A tracing thread that says it is ready and ends at its first order. */
import { parentPort } from 'node:worker_threads'

parentPort?.on('message', () => process.exit(3))
parentPort?.postMessage({ type: 'done' })
