/** The one number both sides must share. It grows when old peers would misread what new ones send. */
export const PROTOCOL_VERSION = 4

/** Where a master listens when nothing else is said. */
export const DEFAULT_PORT = 7411

/** Biggest WebSocket message either side accepts, bytes: a whole frame of 8192 × 8192 RGB8 with room for its report. */
export const MAX_MESSAGE_BYTES = 256 * 1024 * 1024

/** Bytes of a part of a scene sent in one message; small enough that heartbeats are never stuck behind one for long. */
export const PART_CHUNK_BYTES = 1024 * 1024

/** Most scenes that a worker says it has built. */
export const MAX_HELD_SCENES = 256

/** Most areas that one worker offers. */
export const MAX_AREAS = 16

/** Of how many works, the newest, a worker keeps the view: later tiles of these name the work alone. */
export const WORKS_HELD = 64
