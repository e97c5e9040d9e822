/** What is wrong with a value that a schema does not take, in one line. */
import * as z from 'zod'

export const schemaProblem = (error: z.ZodError): string => z.prettifyError(error).replaceAll('\n', ' ')
