/** The engines there are, by name. */
import { UnknownNameError } from '../../shared/errors.ts'
import type { Engine, EngineName } from './engine.ts'
import { referenceEngine } from './reference/reference-engine.ts'

const ENGINES: Readonly<Record<EngineName, Engine>> = { reference: referenceEngine }

export const engineNames: readonly EngineName[] = Object.freeze(Object.keys(ENGINES) as EngineName[])

/** @throws UnknownNameError */
export function engineByName(name: string): Engine {
  const known = engineNames.find(candidate => candidate === name)
  if (!known) throw new UnknownNameError('engine', name, engineNames)
  return ENGINES[known]
}
