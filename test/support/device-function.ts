/**
 * Functions of WGSL, called with many arguments at once on any adapter of this machine, for tests that compare them with the kernel's. They run in a
 * process of its own (`device-function-process.ts`), because the binding may take its process down with it.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { GpuBinding } from '../../worker/engine/webgpu/gpu.ts'
import { anyAdapter } from './any-adapter.ts'

/** What the functions read, `var<uniform> scene: Scene` for example. */
export interface FunctionBuffer {
  readonly declaration: string
  readonly words: Uint32Array
}

export interface FunctionCall {
  /** Functions, and `fn call(at: u32, to: u32)`, which reads its arguments at `inputs[at]` and behind it and writes its answer to `outputs[to]` and behind it; both are f32. */
  readonly code: string
  /** At most six, besides uniform ones. @default none */
  readonly buffers?: readonly FunctionBuffer[]
  /** Arguments of all calls, one after the other. */
  readonly inputs: Float32Array
  /** Numbers that one call has as arguments, and as its answer. */
  readonly counts: readonly [inputs: number, outputs: number]
}

export interface FunctionRequest {
  readonly shader: string
  readonly buffers: readonly { readonly type: GpuBinding; readonly words: Uint32Array }[]
  readonly outputWords: number
  readonly groups: number
}

export type FunctionReply = { readonly outputs: Float32Array } | { readonly problem: string }

const GROUP_CALLS = 64

export interface DeviceFunctions {
  /** The answers of all calls, one after the other. Rejects with what the compiler says. One at a time. */
  call(call: FunctionCall): Promise<Float32Array>
  close(): void
}

/** Undefined, and said, if there is no adapter. */
export async function deviceFunctions(): Promise<DeviceFunctions | undefined> {
  const { name, restore } = await anyAdapter()
  if (name === undefined) return undefined
  const program = fileURLToPath(new URL('./device-function-process.js', import.meta.url))
  const child = fork(program, [name], { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  restore()
  return {
    call: call =>
      new Promise((resolve, reject) => {
        const ended = (code: number | null) => reject(new Error(`the device's process ended with ${code}`))
        child.once('exit', ended)
        child.once('message', (reply: FunctionReply) => {
          child.off('exit', ended)
          if ('outputs' in reply) resolve(reply.outputs)
          else reject(new Error(reply.problem))
        })
        child.send(requestFor(call))
      }),
    close: () => void child.kill('SIGKILL'),
  }
}

function requestFor({ code, buffers = [], inputs, counts: [inputCount, outputCount] }: FunctionCall): FunctionRequest {
  const calls = inputs.length / inputCount
  const declared = [
    { declaration: 'var<storage, read> inputs: array<f32>', words: new Uint32Array(inputs.slice().buffer) },
    ...buffers,
    { declaration: 'var<storage, read_write> outputs: array<f32>', words: new Uint32Array(0) },
  ]
  const bindings = declared.map(({ declaration }, i) => `@group(0) @binding(${i}) ${declaration};`)
  const shader = /* wgsl */ `${bindings.join('\n')}
${code}
@compute @workgroup_size(${GROUP_CALLS})
fn call_all(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&outputs) / ${outputCount}u) { call(id.x * ${inputCount}u, id.x * ${outputCount}u); }
}
`
  return {
    shader,
    buffers: declared.map(({ declaration, words }) => ({ type: typeOf(declaration), words })),
    outputWords: calls * outputCount,
    groups: Math.ceil(calls / GROUP_CALLS),
  }
}

const typeOf = (declaration: string): GpuBinding =>
  declaration.includes('read_write') ? 'storage' : declaration.includes('uniform') ? 'uniform' : 'read-only-storage'
