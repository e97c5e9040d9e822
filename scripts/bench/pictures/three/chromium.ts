/** A headless Chromium, if there is one: its pages draw with WebGL in software, the same on every machine, and reach only this machine. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { messageOf } from '../../../../shared/errors.ts'
import type { Unavailable } from '../../kernel/unavailable.ts'

/** Names of the program, in the order in which they are tried. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** A name by which a page may call this machine as others would: not its own address, and not a secure context. */
export const OTHER_NAME = 'machine.test'

/** With them pages have WebGPU, in software. */
export const WEBGPU_ARGUMENTS = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader']

const ARGUMENTS = [
  // WebGL on the CPU, also where that has to be allowed.
  ...['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
  // A file may name textures anywhere: nothing is fetched.
  `--host-resolver-rules=MAP ${OTHER_NAME} 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1`,
]

/**
 * To be closed.
 * @param asked path of the program; default: found by its usual names
 * @param path folders to look in, as in the environment variable PATH
 * @param more arguments
 */
export async function startChromium(
  asked?: string,
  path = process.env.PATH ?? '',
  more: readonly string[] = [],
): Promise<Browser | Unavailable> {
  const program = asked ?? programIn(path.split(delimiter))
  if (program === undefined)
    return { unavailable: `needs Chromium, and PATH has none of ${NAMES.join(', ')}; --chromium says where it is` }
  if (!isProgram(program)) return { unavailable: `needs Chromium, and '${program}' is not a program` }
  const { chromium } = await import('playwright-core').catch(() => ({ chromium: undefined }))
  if (!chromium) return { unavailable: 'needs the package playwright-core (npm install playwright-core)' }
  try {
    return await chromium.launch({
      executablePath: program,
      args: [...ARGUMENTS, ...more],
      // Root has no sandbox.
      chromiumSandbox: process.getuid?.() !== 0,
      // An interruption ends the browser by closing it.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    })
  } catch (error) {
    return { unavailable: `needs Chromium, and '${program}' does not start: ${messageOf(error).split('\n')[0]}` }
  }
}

const programIn = (folders: readonly string[]): string | undefined =>
  NAMES.flatMap(name => folders.filter(folder => folder !== '').map(folder => join(folder, name))).find(isProgram)

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
