/** Moves a packed scene over a channel in chunks: the sending loop, and the receiving end that trusts no chunk. */
import type { Channel } from './channel.ts'
import type { SceneChunk } from './codec.ts'
import { ProtocolError } from './messages.ts'
import { MAX_SCENE_BYTES, SCENE_CHUNK_BYTES } from './version.ts'

/** A packed scene and its name, the SHA-256 of its bytes. */
export interface HeldScene {
  readonly hash: string
  readonly bytes: Uint8Array
}

/**
 * Sends all chunks in order, each when the one before was handed to the system: a slow peer slows the loop down and
 * never fills the memory. Stops early when `stillWanted` turns false.
 */
export async function sendScene(channel: Channel, scene: HeldScene, stillWanted: () => boolean): Promise<void> {
  for (let index = 0; index * SCENE_CHUNK_BYTES < scene.bytes.length && stillWanted(); index++) {
    const body = scene.bytes.subarray(index * SCENE_CHUNK_BYTES, (index + 1) * SCENE_CHUNK_BYTES)
    await channel.sendBinary({ kind: 'scene-chunk', scene: scene.hash, index, body })
  }
}

/** Puts a scene together again from its chunks, in shared memory so that threads can read it in place. */
export class SceneReceiver {
  readonly hash: string
  readonly bytes: Uint8Array<SharedArrayBuffer>
  #received = 0

  /** @throws ProtocolError when the announced size is beyond what any worker takes */
  constructor(hash: string, totalBytes: number) {
    if (totalBytes > MAX_SCENE_BYTES)
      throw new ProtocolError(`scene: expected at most ${MAX_SCENE_BYTES} bytes, got ${totalBytes}; use a smaller mesh`)
    this.hash = hash
    this.bytes = new Uint8Array(new SharedArrayBuffer(totalBytes))
  }

  /** Takes the next chunk; true when it was the last. @throws ProtocolError for a chunk that does not fit here */
  take(chunk: SceneChunk): boolean {
    const at = chunk.index * SCENE_CHUNK_BYTES
    if (chunk.scene !== this.hash || at !== this.#received || at + chunk.body.length > this.bytes.length)
      throw new ProtocolError(
        `scene: chunk ${chunk.index} of ${chunk.scene.slice(0, 12)} does not continue ${this.hash.slice(0, 12)}`,
      )
    this.bytes.set(chunk.body, at)
    this.#received += chunk.body.length
    return this.#received === this.bytes.length
  }
}
