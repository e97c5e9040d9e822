/**
 * What identifies a peer over its connections: where it connects from, and its name. A name alone would let anybody bring another's into
 * disrepute; an id is of one connection.
 */
export const peerKey = (address: string, name: string): string => JSON.stringify([address, name])
