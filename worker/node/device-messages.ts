/** What a worker and a device in a process of its own say to each other. Every request is answered by one reply of its number. */
import type { EngineName } from '../engine/engine.ts'
import type { AdapterReport } from '../engine/webgpu/adapters.ts'
import type { TileOrder, TracedTile } from '../tile-order.ts'
import type { ProgressSign } from '../tile-progress.ts'

/** How the device is started: the first message it hears. */
export interface DeviceSettings {
  readonly engine: EngineName
  readonly threads: number
  /** Cores that they use together. */
  readonly cores: number
  /** Whether WebGPU traces the rays: the adapter with this in its name, or any that is no software. Or adapters are only tried, or found, and listed. */
  readonly webgpu?: { readonly adapter?: string; readonly list?: 'tried' | 'found' }
}

export type DeviceRequest =
  | { readonly type: 'start'; readonly number: number; readonly settings: DeviceSettings }
  /** Its scene, of so many bytes, follows in pieces. */
  | { readonly type: 'load'; readonly number: number; readonly name: string; readonly bytes: number }
  /** The next bytes of the scene that the request of that number loads. Not answered. */
  | { readonly type: 'piece'; readonly number: number; readonly piece: Uint8Array }
  | { readonly type: 'unload'; readonly number: number; readonly name: string }
  | { readonly type: 'trace'; readonly number: number; readonly order: TileOrder }
  /** Of the tile of that number only so many rows are wanted any more; 0: none. `leaving`: these without pauses. Not answered. */
  | { readonly type: 'trim'; readonly number: number; readonly rows: number; readonly leaving: boolean }

export type DeviceReply =
  | {
      readonly type: 'done'
      readonly number: number
      readonly buildMs?: number
      readonly traced?: TracedTile | undefined
      /** Of WebGPU: the one that is used, or those that were tried. */
      readonly adapters?: readonly AdapterReport[]
    }
  /** The device cannot be used any more. */
  | { readonly type: 'lost'; readonly reason: string }
  /** `usage`: the code of an error that is the user's, who asked for what there is not. */
  | { readonly type: 'failed'; readonly number: number; readonly reason: string; readonly usage?: string }
  /** Its driver begins to compile, within a call that may take minutes, or has done so. */
  | { readonly type: 'compiling'; readonly isCompiling: boolean }
  /** It is starting, and a part of its trial is done. */
  | { readonly type: 'advanced' }
  /** The device is at work on the request of that number; how far it is with a tile. */
  | { readonly type: 'sign'; readonly number: number; readonly sign?: ProgressSign }
