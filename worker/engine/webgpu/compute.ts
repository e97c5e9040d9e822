/** What every program on a WebGPU device takes: a pipeline for each shader, a pass, and waiting for what it has computed. */
import { COMPUTE, type GpuBinding, type GpuBuffer, type GpuDevice, type GpuPipeline, MAP_READ } from './gpu.ts'

/** Told when a driver begins to compile, and when it has: it may take minutes, and its process hears and says nothing meanwhile. */
export type Compiling = (isCompiling: boolean) => Promise<void>

/** Shaders that differ in what a scene needs of them; each may take a driver long to compile. */
export class Pipelines {
  readonly #device: GpuDevice
  readonly #entryPoint: string
  readonly #layout: object
  readonly #compiling: Compiling
  readonly #made = new Map<string, Promise<GpuPipeline>>()
  /** Those that have had a pass: some drivers compile as late as then. */
  readonly #used = new Set<string>()

  /** @param bindings in their order; a shader need not use all of them */
  constructor(device: GpuDevice, entryPoint: string, bindings: readonly GpuBinding[], compiling: Compiling) {
    this.#compiling = compiling
    this.#device = device
    this.#entryPoint = entryPoint
    const entries = bindings.map((type, binding) => ({ binding, visibility: COMPUTE, buffer: { type } }))
    this.#layout = device.createPipelineLayout({ bindGroupLayouts: [device.createBindGroupLayout({ entries })] })
  }

  /** The pipeline of a shader, which has had a pass: `pass` is run if it has not. Rejects as `use` does. */
  async ready(code: string, pass: (pipeline: GpuPipeline) => Promise<void>): Promise<GpuPipeline> {
    if (!this.#used.has(code)) await this.use(code, pass)
    return this.of(code)
  }

  /** Runs passes of a shader, and tells if they are its first. Rejects if the driver refuses it, or as `run` does. */
  async use(code: string, run: (pipeline: GpuPipeline) => Promise<void>): Promise<void> {
    if (this.#used.has(code)) return run(await this.of(code))
    await this.#compiling(true)
    try {
      await run(await this.of(code))
      this.#used.add(code)
    } finally {
      await this.#compiling(false)
    }
  }

  /** Rejects if the driver refuses the shader. */
  of(code: string): Promise<GpuPipeline> {
    const made = this.#made.get(code)
    if (made) return made
    const module = this.#device.createShaderModule({ code })
    const compute = { module, entryPoint: this.#entryPoint }
    const pipeline = this.#device.createComputePipelineAsync({ layout: this.#layout, compute })
    this.#made.set(code, pipeline)
    // Another scene may try again.
    pipeline.catch(() => this.#made.delete(code))
    return pipeline
  }
}

export interface ComputePass {
  readonly pipeline: GpuPipeline
  /** In the order of their bindings. */
  readonly buffers: readonly GpuBuffer[]
  readonly groups: number
  /** What is copied after it. @default nothing */
  readonly copy?: { readonly from: GpuBuffer; readonly to: GpuBuffer; readonly bytes: number } | undefined
}

export function submitPass(device: GpuDevice, { pipeline, buffers, groups, copy }: ComputePass): void {
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
  })
  const encoder = device.createCommandEncoder()
  const pass = encoder.beginComputePass()
  pass.setPipeline(pipeline)
  pass.setBindGroup(0, group)
  pass.dispatchWorkgroups(groups)
  pass.end()
  if (copy) encoder.copyBufferToBuffer(copy.from, 0, copy.to, 0, copy.bytes)
  device.queue.submit([encoder.finish()])
}

export interface WaitPorts {
  readonly sleep: (ms: number) => Promise<void>
  readonly now: () => number
}

export interface DevicePorts extends WaitPorts {
  readonly compiling: Compiling
}

/** Of the time that a submission is expected to take, what is slept: while a promise is open, the binding keeps a core busy. */
const SLEPT = 0.9

/** Submissions, each as long as it has items, by what an item of the one before took. */
export class Submissions {
  readonly #ports: WaitPorts
  readonly #mostSleptMs: number
  #msPerItem = 0

  constructor(ports: WaitPorts, mostSleptMs = Number.POSITIVE_INFINITY) {
    this.#ports = ports
    this.#mostSleptMs = mostSleptMs
  }

  /** Submits, and hands over what `buffer` holds then, which is there only during the call of `take`. */
  async run(
    items: number,
    submit: () => void,
    { buffer, bytes }: { readonly buffer: GpuBuffer; readonly bytes: number },
    take: (words: Uint32Array) => void,
  ): Promise<void> {
    const { now, sleep } = this.#ports
    const beganAt = now()
    submit()
    await sleep(Math.min(this.#mostSleptMs, SLEPT * items * this.#msPerItem))
    await buffer.mapAsync(MAP_READ, 0, bytes)
    this.#msPerItem = (now() - beganAt) / items
    take(new Uint32Array(buffer.getMappedRange(0, bytes)))
    buffer.unmap()
  }
}
