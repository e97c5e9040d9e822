/** Scenes in the kernel's memory, as they pass between threads. */
import type { RefitFrom } from '../engine.ts'
import type { ScenePlaces } from './scene-header.ts'
import type { PutTextures } from './textures.ts'

/** A scene being built, to be posted to helping threads: what they can help with at the moment. */
export type WasmBuilding = BakeStage | TreeStage | CopyStage

/** Vertices and triangles are baked. */
export interface BakeStage {
  readonly stage: 'bake'
  readonly memory: WebAssembly.Memory
  readonly threads: number
  /** The packed scene. */
  readonly bytes: Uint8Array
  readonly places: ScenePlaces
  readonly layout: string
  /** Another scene with the same texels; `spare` is the one whose memory it is. */
  readonly like: RefitFrom<WasmScene> | undefined
  /** Whether the memory has the tree of `like` already. */
  readonly hasTree: boolean
  /** Of `BakeTogether`. */
  readonly shared: SharedArrayBuffer
}

/** A structure is built, or refitted. */
export interface TreeStage {
  readonly stage: 'tree'
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
  /** Present if another scene's structure is refitted, in the final memory. */
  readonly refitted?: RefittedTree
  /** Present if its memory was another scene's, which has workspaces already. */
  readonly room?: ThreadRoom
}

/** A tree that was built for another scene. */
export interface RefittedTree {
  /** What it cost when it was built. */
  readonly builtCost: number
  /** Hash of its shape. */
  readonly shape: bigint
}

/** All is copied to the final memory. */
export interface CopyStage extends Pick<TreeStage, 'memory' | 'base' | 'threads' | 'textures' | 'gridMean' | 'layout'> {
  readonly stage: 'copy'
  readonly to: WebAssembly.Memory
  /** Where the structure is now. */
  readonly structure: number
  /** Where it will end. */
  readonly end: number
  /** u32: parts that have been taken. */
  readonly shared: SharedArrayBuffer
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
  /** Its tree, and what that costs now; absent if it was built for this scene. */
  readonly tree?: RefittedTree & { readonly cost: number }
}
