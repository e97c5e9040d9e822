/** The part of WebAssembly that is used here: TypeScript declares it only together with all browser APIs. */
// biome-ignore lint/style/noNamespace: this is what it is in every runtime.
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Memory {
    /** Sizes are pages of 64 KiB. @throws RangeError if it cannot be allocated */
    constructor(size: { initial: number; maximum: number; shared: true })
    /** A new object after every growth. */
    readonly buffer: SharedArrayBuffer
    /** Returns the previous number of pages. @throws RangeError if there is no more memory */
    grow(pages: number): number
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>)
    readonly exports: Record<string, unknown>
  }
}
