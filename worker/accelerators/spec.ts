/**
 * What `--accelerator` says: `simulated:4`, `simulated:6.7@pcie`, `process:wasm`, `process:wasm:2`. A kind is a line in KINDS and the code that starts it
 * (`worker/node/accelerators.ts`).
 */
import { DEVICE_LINKS, type DeviceLink, LINK_NAMES } from '../../shared/device-link.ts'
import { OptionError } from '../../shared/errors.ts'

/** A pool of the worker's own engine, paced so that it is so many times as fast as the CPU's. */
export interface SimulatedSpec {
  readonly kind: 'simulated'
  /** As it was asked for. */
  readonly text: string
  /** Throughput, beside the CPU area's. */
  readonly factor: number
  /** What lies between; absent: nothing. */
  readonly link?: DeviceLink
}

/** An engine in a process of its own. */
export interface ProcessSpec {
  readonly kind: 'process'
  readonly text: string
  /** Its engine makes the bytes of the worker's, which is checked. */
  readonly engine: 'wasm' | 'reference'
  /** Throughput that it is given, beside the CPU area's. */
  readonly factor: number
}

export type AcceleratorSpec = SimulatedSpec | ProcessSpec

const MIN_FACTOR = 0.01
const MAX_FACTOR = 1000

const KINDS: Readonly<Record<AcceleratorSpec['kind'], (text: string, parameter: string) => AcceleratorSpec>> = {
  simulated,
  process: ofProcess,
}

/** @throws OptionError */
export function parseAccelerator(text: string): AcceleratorSpec {
  const [, name = '', parameter = ''] = /^([^:]*):?(.*)$/s.exec(text.trim()) ?? []
  const kinds = Object.keys(KINDS) as AcceleratorSpec['kind'][]
  const kind = kinds.find(known => known === name)
  if (!kind)
    throw new OptionError(
      '--accelerator',
      `a kind that is known (${kinds.join(', ')}), such as simulated:4`,
      `'${text}'`,
    )
  return KINDS[kind](text.trim(), parameter)
}

function simulated(text: string, parameter: string): SimulatedSpec {
  const [number = '', linkName, ...others] = parameter.split('@')
  const factor = number.trim() === '' ? Number.NaN : Number(number)
  if (!(factor >= MIN_FACTOR && factor <= MAX_FACTOR) || others.length > 0)
    throw new OptionError(
      '--accelerator',
      `simulated: with how many times as fast as the CPU it is, from ${MIN_FACTOR} to ${MAX_FACTOR}, such as simulated:4`,
      `'${text}'`,
    )
  if (linkName === undefined) return { kind: 'simulated', text, factor }
  const link = LINK_NAMES.find(known => known === linkName)
  if (!link) throw new OptionError('--accelerator', `a link that is known (${LINK_NAMES.join(', ')})`, `'@${linkName}'`)
  return { kind: 'simulated', text, factor, link: DEVICE_LINKS[link] }
}

const PROCESS_ENGINES = ['wasm', 'reference'] as const

function ofProcess(text: string, parameter: string): ProcessSpec {
  const [name = '', number = '1', ...others] = parameter.split(':')
  const engine = PROCESS_ENGINES.find(known => known === name)
  const factor = number.trim() === '' ? Number.NaN : Number(number)
  if (!engine || !(factor >= MIN_FACTOR && factor <= MAX_FACTOR) || others.length > 0)
    throw new OptionError(
      '--accelerator',
      `process: with an engine (${PROCESS_ENGINES.join(', ')}) and perhaps how many times as fast as the CPU it is given cores to be, such as process:wasm:2`,
      `'${text}'`,
    )
  return { kind: 'process', text, engine, factor }
}
