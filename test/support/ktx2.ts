/**
 * Small KTX2 files. Those of Basis Universal, made with the encoder of its version 2.50, have 8 × 4 texels: the left half red, the right
 * half blue and half transparent.
 */

export const LEFT = [200, 40, 40, 255]
export const RIGHT = [30, 60, 220, 128]

export const ETC1S = Buffer.from(
  'q0tUWCAyMLsNChoKAAAAAAEAAAAIAAAABAAAAAAAAAAAAAAAAQAAAAEAAAABAAAAaAAAADwAAACkAAAAJAAAAMgAAAAAAAAAkgAAAAAAAABaAQAA' +
    'AAAAAAIAAAAAAAAAAAAAAAAAAAA8AAAAAAAAAAIAOACjAQIAAwMAAAgIAAAAAAAAAAA/AAAAAAAAAAAA/////0AAPw8AAAAAAAAAAP////8fAAAA' +
    'S1RYd3JpdGVyAEJhc2lzIFVuaXZlcnNhbCAyLjUwAAAEAAMAMQAAAA0AAAAsAAAAAAAAAAAAAAAAAAAAAQAAAAEAAAABAAAAHsCUAAAAAAAAckIF' +
    'AkwEAAAAAAAgCw54AFMCAAAAAEBQM/BBBCACQAAAAABEFR/mBFRVVVUFAAAAqKqqqgIAwUQAAAAAAADyX40AmAAQAAAAAECUAJgAIAAAAACB4gBg' +
    'AgAAAAAAAAEEAHYI',
  'base64',
)

export const UASTC = Buffer.from(
  'q0tUWCAyMLsNChoKAAAAAAEAAAAIAAAABAAAAAAAAAAAAAAAAQAAAAEAAAAAAAAAaAAAACwAAACUAAAALAAAAAAAAAAAAAAAAAAAAAAAAADAAAAA' +
    'AAAAACAAAAAAAAAAIAAAAAAAAAAsAAAAAAAAAAIAKACmAQIAAwMAABAAAAAAAAAAAAB/AwAAAAAAAAAA/////x8AAABLVFh3cml0ZXIAQmFzaXMg' +
    'VW5pdmVyc2FsIDIuNTAAAAQAAAB/fwAAFxkF5T/IxgAAAAAAAAAAANeDhxtwHEcDAAAAAAAAAAA=',
  'base64',
)

/** Packed with Zstandard. */
export const UASTC_ZSTD = Buffer.from(
  'q0tUWCAyMLsNChoKAAAAAAEAAAAIAAAABAAAAAAAAAAAAAAAAQAAAAEAAAACAAAAaAAAACwAAACUAAAAJAAAAAAAAAAAAAAAAAAAAAAAAAC4AAAA' +
    'AAAAACkAAAAAAAAAIAAAAAAAAAAsAAAAAAAAAAIAKACmAQIAAwMAABAAAAAAAAAAAAB/AwAAAAAAAAAA/////x8AAABLVFh3cml0ZXIAQmFzaXMg' +
    'VW5pdmVyc2FsIDIuNTAAACi1L/0gIAEBABcZBeU/yMYAAAAAAAAAAADXg4cbcBxHAwAAAAAAAAAA',
  'base64',
)

/** Bytes of texels in a file without anything else. @param format Vulkan's number of it */
export function plainKtx2(format: number, [width, height]: readonly [number, number], texels: Uint8Array): Buffer {
  const header = Buffer.alloc(104)
  header.set([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a])
  const words = { 12: format, 16: 1, 20: width, 24: height, 36: 1, 40: 1, 80: header.length, 88: texels.length }
  for (const [at, word] of Object.entries(words)) header.writeUInt32LE(word, Number(at))
  return Buffer.concat([header, texels])
}
