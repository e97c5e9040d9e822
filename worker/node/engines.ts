/** All engines by name, as loaded in Node; the first is the default everywhere. */
import { OptionError, OptionRuleError, UnknownNameError } from '../../shared/errors.ts'
import { printable } from '../../shared/text/printable.ts'
import { type Engine, type EngineKind, type EngineName, engineKind, isWebgpu, WEBGPU } from '../engine/engine.ts'
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

const elsewhere = (): never => {
  throw new EngineUnavailableError(WEBGPU, 'it traces in a process of its own, which workers alone start')
}

const ENGINES: Readonly<Record<EngineKind, EngineEntry>> = {
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
  webgpu: {
    summary: 'whole paths on a graphics card; the same picture, with the bytes of its kind of card and driver',
    // Each adapter has its own.
    fingerprint: elsewhere,
    load: elsewhere,
  },
}

export const engineNames: readonly EngineKind[] = Object.freeze(Object.keys(ENGINES) as EngineKind[])

export const DEFAULT_ENGINE: EngineName = 'wasm'

/** Characters of a part of an adapter's name. */
const MOST_ADAPTER = 50

/** The name, whether or not the engine can run here. @throws UnknownNameError */
export function engineNameOf(text: string): EngineName {
  const adapter = /^webgpu:\s*(\S.*)$/.exec(text)?.[1]?.trim()
  if (adapter !== undefined && adapter.length <= MOST_ADAPTER && printable(adapter) === adapter)
    return `${WEBGPU}:${adapter}`
  const known = engineNames.find(candidate => candidate === text)
  if (!known) throw new UnknownNameError('engine', text, engineNames)
  return known
}

/** @throws UnknownNameError, EngineUnavailableError */
export const engineByName = (name: string): Engine => ENGINES[engineKind(engineNameOf(name))].load()

/** @throws OptionError if the engine is a device itself, and shall have others beside it */
export function checkBeside(engine: EngineName, accelerators: readonly unknown[]): void {
  if (isWebgpu(engine) && accelerators.length > 0)
    throw new OptionError('--accelerator', `none with --engine ${engine}, which is the device`, 'one')
}

/** @throws OptionRuleError if engines are to be mixed, and it is not the one beside which CPUs trace */
export function checkMixed(engine: EngineName, mixEngines: boolean, option: string): void {
  if (mixEngines && !isWebgpu(engine))
    throw new OptionRuleError(option, `needs --engine ${WEBGPU}, beside which CPUs trace, got ${engine}`)
}

/**
 * Of workers elsewhere, which were started with adapters of their own.
 * @throws OptionError for one with an adapter's name
 */
export function engineElsewhere(engine: EngineName, option: string): EngineName {
  const kind = engineKind(engine)
  if (kind === engine) return engine
  throw new OptionError(option, `${kind} with a master elsewhere, whose workers have adapters of their own`, engine)
}

/**
 * The name of an engine that can run here, as far as that is known at once: adapters are looked for by workers.
 * @throws UnknownNameError, EngineUnavailableError, OptionError
 */
export function runnableEngine(text: string, accelerators: readonly unknown[]): EngineName {
  const name = engineNameOf(text)
  checkBeside(name, accelerators)
  return isWebgpu(name) ? name : engineByName(name).name
}

export interface EngineStatus {
  readonly name: EngineKind
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
export const engineFingerprints = (names: readonly EngineKind[]): Record<string, string> =>
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
