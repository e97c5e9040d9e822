/** An adapter of WebGPU for tests, software or not. */
import { existsSync } from 'node:fs'
import { adaptersHere } from '../../worker/node/process-pool.ts'

/** SwiftShader of Debian's Chromium, where no driver of the system is found. */
const CHROMIUM_DRIVER = '/usr/lib/chromium/vk_swiftshader_icd.json'

export interface AnyAdapter {
  /** A part of its name; undefined, and said, if there is none. */
  readonly name: string | undefined
  /** Puts the environment back, which names its driver. */
  restore(): void
}

export async function anyAdapter(): Promise<AnyAdapter> {
  const drivers = process.env.VK_ICD_FILENAMES
  const restore = () => {
    if (drivers === undefined) delete process.env.VK_ICD_FILENAMES
    else process.env.VK_ICD_FILENAMES = drivers
  }
  const look = async () => (await adaptersHere('found').catch(() => []))[0]?.name
  let name = await look()
  if (name === undefined && existsSync(CHROMIUM_DRIVER)) {
    process.env.VK_ICD_FILENAMES = CHROMIUM_DRIVER
    name = await look()
  }
  if (name === undefined) console.warn('no WebGPU adapter on this machine: its tests are skipped')
  return { name, restore }
}
