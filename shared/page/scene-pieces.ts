/** How a page sends a scene file. Without a parser, because the page loads this. */

/** The most bytes of a scene file that a page sends, and of a piece of it, which is a binary message. */
export const MAX_DROPPED_BYTES = 256 * 2 ** 20
export const MAX_PIECE_BYTES = 64 * 2 ** 10
/** A page sends so many bytes of a file before the master has said that it has taken them. */
export const PIECES_AHEAD_BYTES = 16 * MAX_PIECE_BYTES
