/** The part of WebAssembly that is used here: TypeScript declares it only together with all that a browser page has. */
// biome-ignore lint/style/noNamespace: this is what it is in every runtime.
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Memory {
    /** Sizes are pages of 64 KiB. @throws RangeError where there is no such memory */
    constructor(size: { initial: number; maximum: number; shared: true })
    /** Another object after every growth. */
    readonly buffer: SharedArrayBuffer
    /** Gives the pages there were. @throws RangeError where there is no more memory */
    grow(pages: number): number
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>)
    readonly exports: Record<string, unknown>
  }
}
