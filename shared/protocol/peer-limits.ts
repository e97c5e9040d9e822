/**
 * What one peer may cost the other end of its connection. Every bound is here, with the reason for its value; the README has
 * them in a table. Sizes that both ends have to agree on are in `version.ts`, the time for each step of a handshake in `deadlines.ts`.
 */
import { MAX_AREAS } from './version.ts'

/** Connections to a master. Each costs a file descriptor and some kilobytes; systems allow a process 1024 or more descriptors. */
export const CONNECTIONS = {
  /** In all: hundreds of workers and clients, and as many strangers. */
  total: 960,
  /** Of one address: 200 workers and 64 clients behind one router or on one machine, twice, as after a restart old ones linger. */
  perAddress: 528,
} as const

/** So many workers of one address may be expelled before it gets no new ones in: keys of workers cost nothing. */
export const MOST_EXPELLED_PER_ADDRESS = 3

/** Connections that have not said hello. */
export const STRANGERS = {
  /** After a restart of the master, all its workers connect at once. */
  connections: 256,
  /** A hello is 19 KiB at most: 256 built scenes and 16 areas. */
  bytes: 64 * 1024,
} as const

/** A connection that has not become a WebSocket by then is closed; a health check takes milliseconds. ms */
export const UPGRADE_MS = 10_000

/**
 * Largest JSON message that a master reads, bytes. 32 frames of 64 moments each are 2 MiB. It is checked before parsing: parsed
 * JSON can take twenty times as much memory as its text.
 */
export const MAX_CONTROL_BYTES = 4 * 2 ** 20

/** Largest JSON message that a worker or a client reads, bytes: an order that lists a million cells takes 8 MiB. */
export const MAX_ORDER_BYTES = 32 * 2 ** 20

/** What a worker may send beside the pixels of its largest tile: costs of cells and what LZ4 adds; header, times, and other messages. */
export const TILE_EXTRA = { ratio: 1.25, bytes: 256 * 1024 } as const

/** JSON messages that wait to be sent to a peer, bytes: as much as it would take an honest one seconds to read. */
export const MAX_UNSENT_BYTES = 16 * 2 ** 20

/** While more than this waits to be sent, pings are not answered, bytes: what is sent is a sign of life, too. */
export const PONG_ROOM_BYTES = 64 * 1024

/**
 * A peer in the middle of a message, or with messages waiting for it, has to take or give this many bytes in this time: 8 kbit/s,
 * slower than any line that is used. The time is long because systems report progress in steps of their buffers.
 */
export const LEAST_PACE = { bytes: 32 * 1024, inMs: 30_000 } as const

/** Fragments of a WebSocket message. Peers of this project do not fragment; a proxy between them may. */
export const MAX_FRAGMENTS = 1024

/** Open sessions of a client. A program that renders several scenes opens one for each. */
export const MAX_CLIENT_SESSIONS = 32

/** Parts that were requested from a peer and have not come: those of all scenes that a client may have offered, twice. */
export const MAX_EXPECTED_PARTS = 65_536

/** Orders that a worker has not answered: some hundreds for each of its areas, of several frames. */
export const MAX_OPEN_LEASES = 1024 * MAX_AREAS

/** Scenes that a worker is told to use: those of every moment of the frames in progress of several sessions. */
export const MAX_USED_SCENES = 1024

/** Frames that a client has not delivered: a master sends at most 4 of a session before they are acknowledged. */
export const MAX_UNDELIVERED_FRAMES = 8

/** Previews that a client has not delivered; further ones are left out. */
export const MAX_UNDELIVERED_PREVIEWS = 8

/** A reason for which peers are refused is logged once in this time, and then how often it happened, ms. */
export const REFUSAL_LOG_MS = 10_000

/** Lines that a master logs in this time; those beyond it are counted. 200 workers that join and build a scene are 400 lines. */
export const LOG_LINES = { lines: 1000, inMs: 10_000 } as const
