/**
 * Estimates the width of text without a font. Advances are those of DejaVu Sans, one of the widest common sans-serif faces,
 * so text that fits also fits in the others.
 */

export const FONT_FAMILY = 'DejaVu Sans, Verdana, Helvetica, Arial, sans-serif'

/** Width in px of `text` at a font size in px. */
export function textWidth(text: string, fontPx: number, weight: 'normal' | 'bold' = 'normal'): number {
  let em = 0
  for (const char of text) em += advance(char)
  return em * fontPx * (weight === 'bold' ? 1.1 : 1)
}

/** `text` with its middle replaced by an ellipsis if wider than `maxPx`: names differ at either end. */
export function ellipsize(text: string, maxPx: number, fontPx: number): string {
  const chars = [...text]
  let kept = chars.length
  let short = text
  while (kept > 1 && textWidth(short, fontPx) > maxPx) {
    kept--
    const tail = Math.ceil(kept / 2)
    short = `${chars.slice(0, kept - tail).join('')}…${chars.slice(chars.length - tail).join('')}`
  }
  return short
}

/** `text` without control characters that XML does not allow. */
export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD')

function advance(char: string): number {
  if (/[ijlI.,:;'|! ]/.test(char)) return 0.34
  if (/[frt()[\]/\\-]/.test(char)) return 0.41
  if (/[mwMW@%…—]/.test(char)) return 1
  if (/[A-Z&]/.test(char)) return 0.73
  // Beyond Latin, Greek and Cyrillic, a character may fill the whole em square.
  return char.codePointAt(0)! > 0x5ff ? 1.1 : 0.63
}
