/** The schema of text from peers, apart from `printable.ts` because the command line begins without a parser. */
import * as z from 'zod'
import { printable } from './printable.ts'

/** Schema of a peer's text of at most `max` characters; parsing makes it printable. */
export const printableText = (max: number) => z.string().max(max).overwrite(printable)
