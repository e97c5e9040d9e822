/**
 * What is used of WebGPU (https://www.w3.org/TR/webgpu/), which neither Node.js nor the compiler's libraries have: the objects of npm `webgpu` and of
 * a browser are such.
 */

export interface GpuLimits {
  readonly maxStorageBufferBindingSize: number
  readonly maxBufferSize: number
  readonly maxStorageBuffersPerShaderStage: number
}

export interface GpuBuffer {
  mapAsync(mode: number, offset?: number, size?: number): Promise<undefined>
  getMappedRange(offset?: number, size?: number): ArrayBuffer
  unmap(): void
  destroy(): void
}

export type GpuBinding = 'uniform' | 'read-only-storage' | 'storage'

interface GpuPass {
  setPipeline(pipeline: object): void
  setBindGroup(index: number, group: object): void
  dispatchWorkgroups(x: number): void
  end(): void
}

interface GpuEncoder {
  beginComputePass(): GpuPass
  copyBufferToBuffer(from: GpuBuffer, fromOffset: number, to: GpuBuffer, toOffset: number, bytes: number): void
  finish(): object
}

export interface GpuPipeline {
  getBindGroupLayout(index: number): object
}

export interface GpuDevice {
  readonly limits: GpuLimits
  readonly lost: Promise<{ readonly reason: string; readonly message: string }>
  readonly queue: {
    writeBuffer(buffer: GpuBuffer, offset: number, data: ArrayBufferView<ArrayBuffer>): void
    submit(buffers: readonly object[]): void
  }
  createBuffer(description: { readonly size: number; readonly usage: number }): GpuBuffer
  createShaderModule(description: { readonly code: string }): object
  createBindGroupLayout(description: {
    readonly entries: readonly {
      readonly binding: number
      readonly visibility: number
      readonly buffer: { readonly type: GpuBinding }
    }[]
  }): object
  createPipelineLayout(description: { readonly bindGroupLayouts: readonly object[] }): object
  createComputePipelineAsync(description: {
    readonly layout: object
    readonly compute: { readonly module: object; readonly entryPoint: string }
  }): Promise<GpuPipeline>
  createBindGroup(description: {
    readonly layout: object
    readonly entries: readonly { readonly binding: number; readonly resource: { readonly buffer: GpuBuffer } }[]
  }): object
  createCommandEncoder(): GpuEncoder
  pushErrorScope(kind: 'validation' | 'out-of-memory'): void
  popErrorScope(): Promise<{ readonly message: string } | null>
  destroy(): void
  onuncapturederror: ((event: { readonly error: { readonly message: string } }) => void) | null
}

export interface GpuAdapter {
  readonly info: Readonly<Partial<Record<'vendor' | 'architecture' | 'device' | 'description', string>>>
  readonly limits: GpuLimits
  requestDevice(description: { readonly requiredLimits: Partial<Record<keyof GpuLimits, number>> }): Promise<GpuDevice>
}

/** Flags of WebGPU, by their values there. */
export const BUFFER = { mapRead: 1, copyFrom: 4, copyTo: 8, uniform: 64, storage: 128 } as const
export const MAP_READ = 1
export const COMPUTE = 4
