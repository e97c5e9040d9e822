/** Adapters of WebGPU, in a process of Node.js and in a browser: what they are, and the devices that they open. */
import { messageOf } from '../../../shared/errors.ts'
import { SOFTWARE } from '../../../shared/frame/traced-by.ts'
import { printable } from '../../../shared/text/printable.ts'
import type { InstancingRule } from '../wasm/instances/instancing.ts'
import type { WasmEngine } from '../wasm/wasm-engine.ts'
import type { DevicePorts } from './compute.ts'
import type { GpuAdapter, GpuDevice } from './gpu.ts'
import { type Probe, probe, problemOf, type TrialPorts } from './probe.ts'
import { RaysDeviceError } from './ray-request.ts'
import { RaysDevice } from './rays-device.ts'

/** An adapter, for people and programs. */
export interface AdapterReport {
  /** By which it can be asked for. */
  readonly name: string
  /** It runs on the CPU: it adds nothing to that, and is used only where it is asked for by name. */
  readonly software: boolean
  readonly vendor: string
  readonly architecture: string
  readonly description: string
  readonly limits: { readonly maxStorageBufferBindingSize: number; readonly maxBufferSize: number }
  /** How it was tried. */
  readonly probe?: Pick<Probe, 'rays' | 'different' | 'left'>
  readonly raysPerSecond?: number
  /** Of whole paths on it: equal ones make equal bytes. */
  readonly fingerprint?: string
  /** Why it is not used. */
  readonly problem?: string
}

export interface FoundAdapter {
  readonly report: AdapterReport
  readonly adapter: GpuAdapter
}

/** A device that traces rays, and has passed its trial, or one that traces whole paths. */
export interface OpenedDevice<Device = RaysDevice> {
  readonly report: AdapterReport
  readonly device: Device
  /** Resolves with a reason when it is lost. */
  readonly lost: Promise<string>
}

const SOFTWARE_NAMES = /llvmpipe|lavapipe|swiftshader|softpipe|basic render/i
/** With what is put around it, at most the 64 characters of a device's name on the wire. */
const MOST_NAME = 46

export function reportOf({ info, limits }: GpuAdapter): AdapterReport {
  const { vendor = '', architecture = '', device = '', description = '' } = info
  const text = (words: string) => printable(words).trim()
  const full = text(`${device} ${description}`)
  const name = text(device || description || architecture || vendor) || 'unnamed'
  const { maxStorageBufferBindingSize, maxBufferSize } = limits
  return {
    name: name.replace(/-+$/, '').slice(0, MOST_NAME),
    software: SOFTWARE_NAMES.test(`${full} ${architecture} ${vendor}`),
    vendor: text(vendor),
    architecture: text(architecture),
    description: full,
    limits: { maxStorageBufferBindingSize, maxBufferSize },
  }
}

/** Whether an adapter can be asked for by this, a part of its name. */
export const isNamed = ({ name, vendor, architecture, description }: AdapterReport, wanted: string): boolean =>
  `${name} ${vendor} ${architecture} ${description}`.toLowerCase().includes(wanted.toLowerCase())

/** Its name, and that it is software if it is no more than that. */
export const shownName = ({ name, software }: Pick<AdapterReport, 'name' | 'software'>): string =>
  `${name}${software ? SOFTWARE : ''}`

export const problemIn = (error: unknown): Pick<AdapterReport, 'problem'> & Partial<AdapterReport> =>
  error instanceof FailedTrial ? { ...error.trial, problem: error.message } : { problem: messageOf(error) }

type Trial = Pick<AdapterReport, 'probe' | 'raysPerSecond'>

class FailedTrial extends RaysDeviceError {
  readonly trial: Trial

  constructor(problem: string, trial: Trial) {
    super(`${problem}; its driver computes in another way, and it is not used`)
    this.trial = trial
  }
}

/** A plain device of it, with the most that it can bind. */
export async function openPlain({ adapter, report }: FoundAdapter) {
  const plain = await adapter.requestDevice({ requiredLimits: report.limits })
  const ended = plain.lost.then(({ reason, message }) => `the device was lost (${message || reason})`)
  const wrong = new Promise<string>(resolve => {
    listen(plain, message => resolve(`the device failed (${message})`))
  })
  return { report, plain, lost: Promise.race([ended, wrong]) }
}

/**
 * A device that traces rays, once it has been tried. Rejects with RaysDeviceError if it does not pass.
 * @param engineOf as for `probe`
 */
export async function openRays(
  found: FoundAdapter,
  engineOf: (rule: InstancingRule) => WasmEngine,
  ports: DevicePorts & TrialPorts,
): Promise<OpenedDevice> {
  const { report, plain, lost } = await openPlain(found)
  const device = new RaysDevice(plain, ports)
  const tried = await Promise.race([
    probe(device, engineOf, ports),
    lost.then(reason => Promise.reject(new RaysDeviceError(reason))),
  ])
  const { raysPerSecond, ...trial } = tried
  const problem = problemOf(tried)
  if (problem !== undefined) throw new FailedTrial(problem, { probe: trial, raysPerSecond })
  return { report: { ...report, probe: trial, raysPerSecond }, device, lost }
}

/** Hears of errors that no call reports. */
function listen(device: GpuDevice, heard: (message: string) => void): void {
  device.onuncapturederror = ({ error }) => heard(error.message.split('\n')[0]!)
}
