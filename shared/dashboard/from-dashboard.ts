/** What the dashboard of a page says to its master: part of what the page may say (`page/from-page.ts`). */
import * as z from 'zod'
import { whole } from '../text/numbers.ts'
import { printableText } from '../text/printable-schema.ts'
import { DASHBOARD_ACTS } from './dashboard-messages.ts'

const number = whole.max(0xffffffff)

export const fromDashboardSchema = z.object({
  type: z.literal('dashboard'),
  ask: z.discriminatedUnion('for', [
    /** It is looked at from now on, or no more. */
    z.object({ for: z.literal('news'), isWatched: z.boolean() }),
    /** A frame, by its run and its place in it; of the last that is asked for, if they come faster than they can be sent. */
    z.object({ for: z.literal('frame'), run: number, place: number }),
    /** The run that is looked at; without one, that which is shown first. */
    z.object({ for: z.literal('run'), run: number.exactOptional() }),
    /** Points of the line of frames of a run, from a place on. */
    z.object({ for: z.literal('line'), run: number, from: number }),
    /** What other strategies would have taken for the frames of a run is to be found out; without one, of none any more. */
    z.object({ for: z.literal('what-if'), run: number.exactOptional() }),
    /** A run is to be balanced by another strategy from its next frame on. */
    z.object({ for: z.literal('strategy'), run: number, strategy: printableText(64) }),
    /** Something is to be done: with a worker, by its name, or a run, by its number. */
    z.object({ for: z.literal('act'), act: z.enum(DASHBOARD_ACTS), on: printableText(160) }),
  ]),
})
