/** Describes in one line why a schema rejects a value. */
import * as z from 'zod'

export const schemaProblem = (error: z.ZodError): string => z.prettifyError(error).replaceAll('\n', ' ')
