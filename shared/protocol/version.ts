/** Must be equal on both sides. Incremented when old peers would misread what new ones send. */
export const PROTOCOL_VERSION = 12

/** The port that a master listens on by default. */
export const DEFAULT_PORT = 7411

/** Largest WebSocket message that either side accepts, bytes: a complete frame of 8192 × 8192 RGB8 with room for its report. */
export const MAX_MESSAGE_BYTES = 256 * 1024 * 1024

/** What the values of a tile, or of rows of a frame's channel, may take in memory: well below a message, as none are shortened. */
export const MAX_PLANES_BYTES = 64 * 1024 * 1024

/** Bytes of a part of a scene sent in one message; small enough never to delay heartbeats for long. */
export const PART_CHUNK_BYTES = 1024 * 1024

/** The most built scenes that a worker reports. */
export const MAX_HELD_SCENES = 256

/** The most areas that one worker offers. */
export const MAX_AREAS = 16

/** For how many of the newest works a worker keeps the view: later tiles of these name only the work. */
export const WORKS_HELD = 64
