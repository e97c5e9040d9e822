/** Whose areas may trace the frames of a session. */
import type { SessionOrder } from '../protocol/session-order.ts'

/** The engine beside which others may trace, if that is asked for: CPUs have it. */
const OF_CPUS = 'wasm'

/** An engine, or all of several. */
export type Engines = string | readonly string[]

/** Those of an order: one, unless it says that its frames may be mixed. */
export const enginesOf = ({ engine, mixEngines }: Pick<SessionOrder, 'engine' | 'mixEngines'>): Engines =>
  mixEngines ? [engine, OF_CPUS] : engine

export const isAmong = (engine: string, engines: Engines): boolean =>
  typeof engines === 'string' ? engine === engines : engines.includes(engine)
