/**
 * WebGPU adapters of this machine, by npm `webgpu`, which is optional. Only for a process of its own: the binding takes its process down with it,
 * and keeps the objects of WebGPU alive only as long as what made them.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, UsageError } from '../../shared/errors.ts'
import { sha256 } from '../../shared/node/sha256.ts'
import type { InstancingRule } from '../engine/wasm/instances/instancing.ts'
import {
  type AdapterReport,
  type FoundAdapter,
  isNamed,
  type OpenedDevice,
  openPlain,
  openRays,
  problemIn,
  reportOf,
} from '../engine/webgpu/adapters.ts'
import type { Compiling, DevicePorts, WaitPorts } from '../engine/webgpu/compute.ts'
import { allShaders } from '../engine/webgpu/kernel/integrators.ts'
import { PixelsDevice } from '../engine/webgpu/pixels-device.ts'
import type { TrialPorts } from '../engine/webgpu/probe.ts'
import { RaysDeviceError } from '../engine/webgpu/ray-request.ts'
import { loadWasmEngine, wasmFingerprint } from './load-kernel.ts'

/** There are adapters, and none of that name. */
class UnknownAdapterError extends UsageError {
  readonly code = 'UNKNOWN_NAME'
  constructor(wanted: string, known: string) {
    super(`expected an adapter that is here (${known}), got '${wanted}'; use a part of its name`)
  }
}

/** The package, and what is done where it is not installed. */
const PACKAGE = 'webgpu@0.6.2'

/** Who waits hears of what may take minutes. */
type StartSigns = Pick<DevicePorts & TrialPorts, 'compiling' | 'advanced'>

const PORTS: WaitPorts = { sleep, now: () => performance.now() }
const engineOf = (rule: InstancingRule) => loadWasmEngine('wasm', rule)

/** All adapters, tried or only found. Rejects with RaysDeviceError if none can be looked for. */
export async function listAdapters(how: 'tried' | 'found', signs: StartSigns): Promise<AdapterReport[]> {
  const reports: AdapterReport[] = []
  if (how === 'found') return (await findAdapters()).map(({ report }) => report)
  for (const found of await findAdapters())
    reports.push(
      await openRays(found, engineOf, { ...PORTS, ...signs }).then(
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
export const openAdapter = async (wanted: string | undefined, signs: StartSigns): Promise<OpenedDevice> =>
  openRays(await choose(wanted), engineOf, { ...PORTS, ...signs })

/** The same for whole paths; what it computes is tried by who has opened it. */
export async function openPixels(
  wanted: string | undefined,
  compiling: Compiling,
): Promise<OpenedDevice<PixelsDevice>> {
  const { report, plain, lost } = await openPlain(await choose(wanted))
  return {
    report: { ...report, fingerprint: fingerprintOf(report) },
    device: new PixelsDevice(plain, { ...PORTS, compiling }),
    lost,
  }
}

/** The device of such an adapter as it is, without a trial. */
export const openNamed = async (wanted: string | undefined) => openPlain(await choose(wanted))

/** Pixels depend on the shader, on its compiler, which is part of the package or of the driver, on the card, and on what prepares scenes and views. */
function fingerprintOf({ name, vendor, architecture, description }: AdapterReport): string {
  const parts = [PACKAGE, name, vendor, architecture, description, allShaders(), wasmFingerprint('wasm')]
  return sha256(new TextEncoder().encode(JSON.stringify(parts))).slice(0, 16)
}

async function choose(wanted: string | undefined): Promise<FoundAdapter> {
  const found = await findAdapters()
  const chosen = found.find(({ report }) => (wanted === undefined ? !report.software : isNamed(report, wanted)))
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

async function findAdapters(): Promise<FoundAdapter[]> {
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
      `WebGPU needs the package ${PACKAGE}, which cannot be loaded (${withoutImporter(messageOf(error).split('\n')[0]!)}); run \`npm install ${PACKAGE}\``,
    )
  }
  const found = new Map<string, FoundAdapter>()
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

/** Node.js says from which file a package was asked for, which is a file of this program. */
const withoutImporter = (message: string): string => message.replace(/ imported from .*$/, '')

/** What adapters were found by: without it they are gone. Bounded by the looks of a process, which are few. */
const held = new Set<object>()
