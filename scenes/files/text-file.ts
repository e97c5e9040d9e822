/** Text of a file whose first bytes say how it is encoded; editors and exporters on Windows write UTF-16. */

/** UTF-16 by its byte-order mark, otherwise UTF-8. The mark is not part of the text. What cannot be decoded becomes U+FFFD. */
export const decodeText = (bytes: Uint8Array): string => new TextDecoder(encodingOf(bytes)).decode(bytes)

/** Whether the last character of a UTF-16 text is cut in two. */
export const isCutUtf16 = (bytes: Uint8Array): boolean => encodingOf(bytes) !== 'utf-8' && bytes.length % 2 === 1

function encodingOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | 'utf-8' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}
