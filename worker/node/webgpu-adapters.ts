/**
 * WebGPU adapters of this machine, by npm `webgpu`, which is optional. Only for a process of its own: the binding takes its process down with it,
 * and keeps the objects of WebGPU alive only as long as what made them.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, UsageError } from '../../shared/errors.ts'
import { sha256 } from '../../shared/node/sha256.ts'
import { printable } from '../../shared/text/printable.ts'
import type { GpuAdapter, GpuDevice } from '../engine/webgpu/gpu.ts'
import { allShaders } from '../engine/webgpu/kernel/integrators.ts'
import { PixelsDevice, type PixelsPorts } from '../engine/webgpu/pixels-device.ts'
import { type Probe, probe, problemOf } from '../engine/webgpu/probe.ts'
import { RaysDeviceError } from '../engine/webgpu/ray-request.ts'
import { RaysDevice } from '../engine/webgpu/rays-device.ts'
import { ALL_INSTANCES, loadWasmEngine, NO_INSTANCES, wasmFingerprint } from './load-kernel.ts'

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

interface Found {
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

/** There are adapters, and none of that name. */
class UnknownAdapterError extends UsageError {
  readonly code = 'UNKNOWN_NAME'
  constructor(wanted: string, known: string) {
    super(`expected an adapter that is here (${known}), got '${wanted}'; use a part of its name`)
  }
}

/** The package, and what is done where it is not installed. */
const PACKAGE = 'webgpu@0.6.2'
const SOFTWARE = /llvmpipe|lavapipe|swiftshader|softpipe|basic render/i
/** With what is put around it, at most the 64 characters of a device's name on the wire. */
const MOST_NAME = 46

/** All adapters, tried or only found. Rejects with RaysDeviceError if none can be looked for. */
export async function listAdapters(how: 'tried' | 'found'): Promise<AdapterReport[]> {
  const reports: AdapterReport[] = []
  if (how === 'found') return (await findAdapters()).map(({ report }) => report)
  for (const found of await findAdapters())
    reports.push(
      await openRays(found).then(
        ({ report }) => report,
        problem => ({ ...found.report, ...problemIn(problem) }),
      ),
    )
  return reports
}

/**
 * The device of an adapter whose name has this in it, or else of the first that is no software, for rays.
 * Rejects with RaysDeviceError.
 */
export const openAdapter = async (wanted: string | undefined): Promise<OpenedDevice> => openRays(await choose(wanted))

/** The same for whole paths; what it computes is tried by who has opened it. */
export async function openPixels(
  wanted: string | undefined,
  compiling: PixelsPorts['compiling'],
): Promise<OpenedDevice<PixelsDevice>> {
  const { report, plain, lost } = await open(await choose(wanted))
  return {
    report: { ...report, fingerprint: fingerprintOf(report) },
    device: new PixelsDevice(plain, { sleep, now, compiling }),
    lost,
  }
}

/** The device of such an adapter as it is, without a trial. */
export const openPlain = async (wanted: string | undefined) => open(await choose(wanted))

/** Pixels depend on the shader, on its compiler, which is part of the package or of the driver, on the card, and on what prepares scenes and views. */
function fingerprintOf({ name, vendor, architecture, description }: AdapterReport): string {
  const parts = [PACKAGE, name, vendor, architecture, description, allShaders(), wasmFingerprint('wasm')]
  return sha256(new TextEncoder().encode(JSON.stringify(parts))).slice(0, 16)
}

async function choose(wanted: string | undefined): Promise<Found> {
  const found = await findAdapters()
  const chosen = found.find(({ report }) =>
    wanted === undefined ? !report.software : wordsOf(report).includes(wanted.toLowerCase()),
  )
  if (chosen) return chosen
  const names = found.map(({ report }) => report.name).join(', ')
  if (found.length === 0)
    throw new RaysDeviceError(
      'expected a graphics card with a driver for Vulkan, Metal or Direct3D 12, got no adapter; install its driver, and see what `sortfirst engines` finds',
    )
  if (wanted !== undefined) throw new UnknownAdapterError(wanted, names)
  throw new RaysDeviceError(
    `expected a graphics card, got only software (${names}), which adds nothing to the CPU; to try one, name it, such as webgpu:${found[0]!.report.name.split(' ')[0]}`,
  )
}

const wordsOf = ({ name, vendor, architecture, description }: AdapterReport): string =>
  `${name} ${vendor} ${architecture} ${description}`.toLowerCase()

async function findAdapters(): Promise<Found[]> {
  // Without a display there is no other way to OpenGL ES.
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
    process.env.EGL_PLATFORM ??= 'surfaceless'
  let create: typeof import('webgpu').create
  try {
    const module = await import('webgpu')
    create = module.create
    Object.assign(globalThis, module.globals)
  } catch (error) {
    throw new RaysDeviceError(
      `WebGPU needs the package ${PACKAGE}, which cannot be loaded (${messageOf(error).split('\n')[0]}); run \`npm install ${PACKAGE}\``,
    )
  }
  const found = new Map<string, Found>()
  const look = async (flags: readonly string[], options: Readonly<Record<string, string>>): Promise<void> => {
    const gpu = create(flags)
    held.add(gpu)
    const adapter = await gpu.requestAdapter(options).catch(() => null)
    const report = adapter && reportOf(adapter)
    if (report && !found.has(report.description)) found.set(report.description, { report, adapter })
  }
  for (const powerPreference of ['high-performance', 'low-power']) await look([], { powerPreference })
  const hasCard = [...found.values()].some(({ report }) => !report.software)
  if (!hasCard && process.platform === 'linux') await look(['backend=opengles'], { featureLevel: 'compatibility' })
  return [...found.values()]
}

/** What adapters were found by: without it they are gone. Bounded by the looks of a process, which are few. */
const held = new Set<object>()

function reportOf({ info, limits }: GpuAdapter): AdapterReport {
  const { vendor = '', architecture = '', device = '', description = '' } = info
  const text = (words: string) => printable(words).trim()
  const full = text(`${device} ${description}`)
  const name = text(device || description || architecture || vendor) || 'unnamed'
  const { maxStorageBufferBindingSize, maxBufferSize } = limits
  return {
    name: name.replace(/-+$/, '').slice(0, MOST_NAME),
    software: SOFTWARE.test(`${full} ${architecture} ${vendor}`),
    vendor: text(vendor),
    architecture: text(architecture),
    description: full,
    limits: { maxStorageBufferBindingSize, maxBufferSize },
  }
}

const problemIn = (error: unknown): Pick<AdapterReport, 'problem'> & Partial<AdapterReport> =>
  error instanceof FailedTrial ? { ...error.trial, problem: error.message } : { problem: messageOf(error) }

type Trial = Pick<AdapterReport, 'probe' | 'raysPerSecond'>

class FailedTrial extends RaysDeviceError {
  readonly trial: Trial

  constructor(problem: string, trial: Trial) {
    super(`${problem}; its driver computes in another way, and it is not used`)
    this.trial = trial
  }
}

const now = () => performance.now()

async function open({ adapter, report }: Found) {
  const plain = await adapter.requestDevice({ requiredLimits: report.limits })
  const ended = plain.lost.then(({ reason, message }) => `the device was lost (${message || reason})`)
  const wrong = new Promise<string>(resolve => {
    listen(plain, message => resolve(`the device failed (${message})`))
  })
  return { report, plain, lost: Promise.race([ended, wrong]) }
}

/** Rejects with RaysDeviceError if it does not pass. */
async function openRays(found: Found): Promise<OpenedDevice> {
  const { report, plain, lost } = await open(found)
  const device = new RaysDevice(plain, { sleep, now })
  const tried = await Promise.race([
    probe(device, instances => loadWasmEngine('wasm', instances ? ALL_INSTANCES : NO_INSTANCES), now),
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
