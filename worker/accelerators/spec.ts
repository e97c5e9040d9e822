/**
 * What `--accelerator` says: `auto`, `webgpu`, `webgpu:nvidia`, `simulated:4`, `simulated:6.7@pcie`, `process:wasm`, `process:wasm:2`. A kind is a line in KINDS and the code that starts it
 * (`worker/node/accelerators.ts`).
 */
import { DEVICE_LINKS, type DeviceLink, LINK_NAMES } from '../../shared/device-link.ts'
import { OptionError } from '../../shared/errors.ts'
import { printable } from '../../shared/text/printable.ts'

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

/** A device of WebGPU, whose rays have the bits of the worker's engine, or it is not used. */
export interface WebgpuSpec {
  readonly kind: 'webgpu'
  readonly text: string
  /** Part of the adapter's name; absent: any that is no software. */
  readonly adapter?: string
  /** It has no cores of the machine. */
  readonly factor: 0
}

export type AcceleratorSpec = SimulatedSpec | ProcessSpec | WebgpuSpec

const MIN_FACTOR = 0.01
const MAX_FACTOR = 1000

const KINDS: Readonly<Record<AcceleratorSpec['kind'] | 'auto', (text: string, parameter: string) => AcceleratorSpec>> =
  {
    simulated,
    process: ofProcess,
    webgpu,
    auto,
  }

/** @throws OptionError */
export function parseAccelerator(text: string): AcceleratorSpec {
  const [, name = '', parameter = ''] = /^([^:]*):?(.*)$/s.exec(text.trim()) ?? []
  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[]
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

function webgpu(text: string, parameter: string): WebgpuSpec {
  const adapter = parameter.trim()
  if (text.includes(':') && (adapter === '' || adapter.length > 64 || printable(adapter) !== adapter))
    throw new OptionError(
      '--accelerator',
      'webgpu, or webgpu: with a part of an adapter’s name, such as webgpu:nvidia',
      JSON.stringify(text),
    )
  return { kind: 'webgpu', text, factor: 0, ...(adapter === '' ? {} : { adapter }) }
}

function auto(text: string): WebgpuSpec {
  if (text !== 'auto') throw new OptionError('--accelerator', 'auto alone', `'${text}'`)
  return { kind: 'webgpu', text, factor: 0 }
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
