/** `sortfirst scenes | strategies | engines`: lists what is available. */
import { strategies } from '../../master/strategies/index.ts'
import { FILE_EXTENSIONS, MODULE_EXTENSIONS } from '../../scenes/files/extensions.ts'
import { BUILT_IN_SCENES } from '../../scenes/index.ts'
import { DeviceError } from '../../worker/accelerators/guarded-pool.ts'
import { isWebgpu } from '../../worker/engine/engine.ts'
import type { AdapterReport } from '../../worker/engine/webgpu/adapters.ts'
import { type EngineStatus, engineList } from '../../worker/node/engines.ts'
import { adaptersHere } from '../../worker/node/process-pool.ts'
import { print } from '../files/standard-output.ts'
import { flagOf } from '../options/strategies.ts'
import { plainTable } from '../report/tables/plain-table.ts'
import { withLongSteps } from '../terminal/long-steps.ts'
import { createProgress } from '../terminal/progress.ts'

export async function listScenes({ json }: { json?: boolean }): Promise<void> {
  const rows = BUILT_IN_SCENES.map(({ name, description }) => ({ name, description }))
  if (json) return printJson(rows)
  await print(
    `${plainTable(rows.map(row => [row.name, row.description]))}or a scene file: ${FILE_EXTENSIONS.join(' ')}, or a folder or .zip with one; or a module that builds one: ${MODULE_EXTENSIONS.join(' ')}\n`,
  )
}

export async function listStrategies({ json }: { json?: boolean }): Promise<void> {
  const rows = strategies.map(({ name, summary, advice, source, reads = [] }) => {
    const options = reads.map(flagOf)
    return { name, summary, advice, source, options }
  })
  if (json) return printJson(rows)
  const width = Math.max(...rows.map(row => row.name.length)) + 2
  for (const { name, summary, advice, source, options } of rows) {
    const more = [
      source === 'control' ? 'included for comparison' : source,
      ...(options.length > 0 ? [options.join(' ')] : []),
    ]
    const lines = [summary, advice, more.join('; ')]
    await print(lines.map((line, i) => `${(i === 0 ? name : '').padEnd(width)}${line}\n`).join(''))
  }
}

export async function listEngines({ json }: { json?: boolean }): Promise<void> {
  const { adapters, unavailable } = await foundAdapters()
  const engines = engineList().map(status =>
    isWebgpu(status.name) ? ofAdapters(status, adapters, unavailable) : status,
  )
  if (json) return printJson({ engines, adapters, ...(unavailable === undefined ? {} : { unavailable }) })
  const rows = engines.map(row => [row.name, row.summary, row.unavailable ? `unavailable: ${row.unavailable}` : ''])
  const found =
    adapters.length > 0
      ? `adapters for --engine and --accelerator:\n${plainTable(adapters.map(adapterRow))}`
      : `no adapters for --engine webgpu and --accelerator webgpu${unavailable === undefined ? '' : `: ${unavailable}`}\n`
  await print(`${plainTable(rows)}${found}`)
}

/** Whether there is a device for it. It does not have to answer rays as the kernel does; whether its pictures are right, workers try. */
function ofAdapters(
  { name, summary }: EngineStatus,
  adapters: readonly AdapterReport[],
  why = 'no adapter is found; install the driver of a graphics card',
): EngineStatus {
  if (adapters.some(({ software }) => !software)) return { name, summary }
  const [software] = adapters
  return {
    name,
    summary,
    unavailable: software
      ? `only software is found, which adds nothing to the CPU; to try it, name it, such as ${name}:${software.name.split(/[ -]/)[0]}`
      : why,
  }
}

/** Adapters, or why none can be looked for. */
async function foundAdapters(): Promise<{ adapters: readonly AdapterReport[]; unavailable?: string }> {
  try {
    const adapters = await withLongSteps(createProgress(process.stderr), steps => {
      // Software traces the million rays on the CPU, which takes minutes.
      steps.begin('trying WebGPU adapters')
      return adaptersHere('tried')
    })
    return { adapters }
  } catch (error) {
    if (error instanceof DeviceError) return { adapters: [], unavailable: error.message }
    throw error
  }
}

function adapterRow({ name, software, limits, probe, raysPerSecond = 0, problem }: AdapterReport): string[] {
  const tried = probe ? `${probe.different} of ${probe.rays} rays differ` : 'not tried'
  // The speed of software is that of the CPU, and nobody is to compare it with a card's.
  const speed = software ? 'software' : `${(raysPerSecond / 1e6).toFixed(1)} Mrays/s`
  const mostMiB = Math.floor(Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize) / 2 ** 20)
  return [
    `webgpu:${name}`,
    speed,
    `${tried}, binds ${mostMiB} MiB`,
    problem === undefined ? '' : `not used: ${problem}`,
  ]
}

const printJson = (rows: unknown): Promise<void> => print(`${JSON.stringify(rows, null, 2)}\n`)
