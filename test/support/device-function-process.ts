/** The process that calls functions of WGSL (`device-function.ts`): compiles a shader, runs it once, and says what it has written. */
import { messageOf } from '../../shared/errors.ts'
import {
  BUFFER,
  COMPUTE,
  type GpuBuffer,
  type GpuDevice,
  type GpuPipeline,
  MAP_READ,
} from '../../worker/engine/webgpu/gpu.ts'
import { openNamed } from '../../worker/node/webgpu-adapters.ts'
import type { FunctionReply, FunctionRequest } from './device-function.ts'

const LEAST_BYTES = 64
const opened = openNamed(process.argv[2])

/** Compiled shaders by their text: a software device compiles for seconds. */
const compiled = new Map<string, { readonly layout: object; readonly pipeline: GpuPipeline }>()

async function compile(device: GpuDevice, { shader, buffers }: FunctionRequest) {
  const known = compiled.get(shader)
  if (known) return known
  device.pushErrorScope('validation')
  const entries = buffers.map(({ type }, binding) => ({ binding, visibility: COMPUTE, buffer: { type } }))
  const layout = device.createBindGroupLayout({ entries })
  const module = device.createShaderModule({ code: shader })
  const made = device.createComputePipelineAsync({
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module, entryPoint: 'call_all' },
  })
  // The scope says what is wrong with a shader, and the pipeline that something is.
  const pipeline = await made.catch(() => undefined)
  const problem = await device.popErrorScope()
  if (problem || !pipeline) throw new Error(problem?.message ?? 'the driver refuses the shader')
  const program = { layout, pipeline }
  compiled.set(shader, program)
  return program
}

async function outputsOf(device: GpuDevice, request: FunctionRequest): Promise<Float32Array> {
  const { buffers, outputWords, groups } = request
  const { layout, pipeline } = await compile(device, request)
  const bytes = outputWords * 4
  const on = buffers.map(({ type, words }) => {
    if (type === 'storage') return device.createBuffer({ size: bytes, usage: BUFFER.storage | BUFFER.copyFrom })
    const usage = (type === 'uniform' ? BUFFER.uniform : BUFFER.storage) | BUFFER.copyTo
    const buffer = device.createBuffer({ size: Math.max(LEAST_BYTES, words.byteLength), usage })
    device.queue.writeBuffer(buffer, 0, words.slice())
    return buffer
  })
  const read = device.createBuffer({ size: bytes, usage: BUFFER.mapRead | BUFFER.copyTo })
  const resources = on.map((buffer, binding) => ({ binding, resource: { buffer } }))
  const encoder = device.createCommandEncoder()
  const pass = encoder.beginComputePass()
  pass.setPipeline(pipeline)
  pass.setBindGroup(0, device.createBindGroup({ layout, entries: resources }))
  pass.dispatchWorkgroups(groups)
  pass.end()
  encoder.copyBufferToBuffer(on.at(-1) as GpuBuffer, 0, read, 0, bytes)
  device.queue.submit([encoder.finish()])
  await read.mapAsync(MAP_READ, 0, bytes)
  const outputs = new Float32Array(read.getMappedRange(0, bytes).slice(0))
  read.unmap()
  for (const buffer of [...on, read]) buffer.destroy()
  return outputs
}

process.on('message', async (request: FunctionRequest) => {
  const reply = await opened
    .then(({ plain }) => outputsOf(plain, request))
    .then(
      (outputs): FunctionReply => ({ outputs }),
      (error): FunctionReply => ({ problem: messageOf(error) }),
    )
  process.send!(reply)
})
process.on('disconnect', () => process.exit(0))
