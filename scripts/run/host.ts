/** The machine a run was measured on, as named in reports. */
import { availableParallelism, cpus } from 'node:os'
import type { Summary } from '../../shared/frame/summary.ts'

export const hostCores = (): number => availableParallelism()

export const describeHost = (): Summary['host'] => ({
  cpu: cpus()[0]?.model.trim() || 'unknown',
  cores: hostCores(),
  node: process.version,
})

/** On one line, for the foot of a page. */
export function hostText(): string {
  const { cpu, cores, node } = describeHost()
  return `${cores} cores (${cpu}), Node.js ${node}`
}
