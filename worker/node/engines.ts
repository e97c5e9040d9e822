/** All engines by name, as loaded in Node; the first is the default everywhere. */
import { UnknownNameError } from '../../shared/errors.ts'
import type { Engine, EngineName } from '../engine/engine.ts'
import { EngineUnavailableError } from '../engine/errors.ts'
import { loadWasmEngine, wasmFingerprint } from './load-kernel.ts'

interface EngineEntry {
  /** One line for lists. */
  readonly summary: string
  /** Known even where the engine cannot run. @throws EngineUnavailableError if it was not built */
  fingerprint(): string
  /** @throws EngineUnavailableError */
  load(): Engine
}

const ENGINES: Readonly<Record<EngineName, EngineEntry>> = {
  wasm: {
    summary: 'SIMD kernel in WebAssembly; the same bytes on every machine',
    fingerprint: () => wasmFingerprint('wasm'),
    load: () => loadWasmEngine('wasm'),
  },
  'wasm-fast': {
    summary: 'the same with fused multiply-add (--fast-math); frames may differ between machines',
    fingerprint: () => wasmFingerprint('wasm-fast'),
    load: () => loadWasmEngine('wasm-fast'),
  },
  reference: {
    summary: 'the kernel, one ray at a time: slow, to check that `wasm` makes the same bytes',
    fingerprint: () => wasmFingerprint('reference'),
    load: () => loadWasmEngine('reference'),
  },
}

export const engineNames: readonly EngineName[] = Object.freeze(Object.keys(ENGINES) as EngineName[])

export const DEFAULT_ENGINE: EngineName = 'wasm'

/** The name, whether or not the engine can run here. @throws UnknownNameError */
export function engineNameOf(text: string): EngineName {
  const known = engineNames.find(candidate => candidate === text)
  if (!known) throw new UnknownNameError('engine', text, engineNames)
  return known
}

/** @throws UnknownNameError, EngineUnavailableError */
export const engineByName = (name: string): Engine => ENGINES[engineNameOf(name)].load()

export interface EngineStatus {
  readonly name: EngineName
  readonly summary: string
  /** Why it cannot be used here, and what to do about it; absent if it can. */
  readonly unavailable?: string
}

/** All engines, and whether they can be used here. */
export const engineList = (): EngineStatus[] =>
  engineNames.map(name => {
    const { summary, load } = ENGINES[name]
    const problem = problemOf(load)
    return problem ? { name, summary, unavailable: problem.reason } : { name, summary }
  })

/** Fingerprints of engines of this release, by name; engines that were not built are omitted. */
export const engineFingerprints = (names: readonly EngineName[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap(name => {
      const fingerprint = known(ENGINES[name].fingerprint)
      return typeof fingerprint === 'string' ? [[name, fingerprint]] : []
    }),
  )

function problemOf(attempt: () => unknown): EngineUnavailableError | undefined {
  const result = known(attempt)
  return result instanceof EngineUnavailableError ? result : undefined
}

function known<T>(attempt: () => T): T | EngineUnavailableError {
  try {
    return attempt()
  } catch (error) {
    if (error instanceof EngineUnavailableError) return error
    throw error
  }
}
