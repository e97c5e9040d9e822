/** A "thread" that is the calling one: for a pool in a thread that shares nothing. Each order is done before anything else is. */
import type { Engine } from '../engine/engine.ts'
import type { StartThread } from '../threads/thread-link.ts'
import { TracingThread, type TracingThreadPorts } from '../threads/tracing-thread.ts'

export const inlineThread =
  (engine: Engine, ports: TracingThreadPorts): StartThread =>
  (_, settings, events) => {
    const thread = new TracingThread(settings, engine, ports)
    queueMicrotask(() => events.answered({ type: 'done' }))
    return {
      post: order => queueMicrotask(() => events.answered(thread.answer(order))),
      end: async () => {},
    }
  }
