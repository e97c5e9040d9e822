/** What is used of the optional package, which need not be installed where this is compiled. */
declare module 'webgpu' {
  export function create(flags: readonly string[]): {
    requestAdapter(
      options: Readonly<Record<string, string>>,
    ): Promise<import('../engine/webgpu/gpu.ts').GpuAdapter | null>
  }
  export const globals: object
}
