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
  readonly layout: string
  /** Present if another scene's structure is refitted, in the final memory: the cost of its tree when it was built. */
  readonly refitted?: { readonly builtCost: number }
  /** Present if its memory was another scene's, which has workspaces already. */
  readonly room?: ThreadRoom
}

/** Where the textures of a scene are, and how many. */
type TexturePlaces = Omit<PutTextures, 'memory'>

/** The threads' workspaces. */
export interface ThreadRoom {
  /** Address of the first one; they follow each other: `traceBytes` and then `shadeBytes` for each. */
  readonly workspaces: number
  readonly traceBytes: number
  readonly shadeBytes: number
}

/** A scene with its structure and a workspace for every thread that traces it. */
export interface WasmScene extends ThreadRoom {
  readonly memory: WebAssembly.Memory
  /** Size of the scene and its structure, from address 0. */
  readonly bytes: number
  /** Equal for scenes of which everything before the structure lies at the same addresses; absent if the scene was stored, or has instances. */
  readonly layout?: string
  /** As in a building; absent if the scene was stored. */
  readonly textures?: TexturePlaces
  readonly gridMean?: number | undefined
  /** Its number on a device that traces rays in it; absent: there is none. */
  readonly onDevice?: number
  /** Cost of its tree, and what it was when the tree was built; absent if it was built for this scene. */
  readonly tree?: { readonly cost: number; readonly builtCost: number }
}
