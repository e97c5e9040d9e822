/** Scenes in the kernel's memory, as they pass between threads. */
import type { PutTextures } from './textures.ts'

/** A structure being built, to be posted to helping threads. */
export interface WasmBuilding {
  readonly memory: WebAssembly.Memory
  /** Address of the structure in the final memory; everything before it is copied unchanged. */
  readonly base: number
  /** Number of threads that will trace. */
  readonly threads: number
  /** Its textures, which are at the same address in the final memory. */
  readonly textures: TexturePlaces
  /** Of the grid over its environment map, if it has one. */
  readonly gridMean: number | undefined
  /** Present if another scene's structure is refitted, in the final memory: the cost of its tree when it was built. */
  readonly refitted?: { readonly builtCost: number }
}

/** Where the textures of a scene are, and how many. */
type TexturePlaces = Omit<PutTextures, 'memory'>

/** A scene with its structure and a work workspace for every thread that traces it. */
export interface WasmScene {
  readonly memory: WebAssembly.Memory
  /** Size of the scene and its structure, from address 0. */
  readonly bytes: number
  /** Address of the threads' workspaces, one after the other: `traceBytes` and then `shadeBytes` for each. */
  readonly workspaces: number
  readonly traceBytes: number
  readonly shadeBytes: number
  /** As in a building; absent if the scene was stored. */
  readonly textures?: TexturePlaces
  readonly gridMean?: number | undefined
  /** Cost of its tree, and what it was when the tree was built; absent if it was built for this scene. */
  readonly tree?: { readonly cost: number; readonly builtCost: number }
}
