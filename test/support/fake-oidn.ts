/** A program in the place of oidnDenoise: it says how it is used, and makes of pictures what a test needs. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What it does with pictures, as JavaScript: `pictures` are the files that it was given, by the names of options. */
const DEEDS = {
  // Floats of the bottom row first, as they are in the files.
  makes: `
    const [light, albedo, normal] = ['--hdr', '--alb', '--nrm'].map(name => floatsOf(pictures[name]))
    const values = light.map((value, i) => value * albedo[i] + normal[i])
    writeFileSync(out, Buffer.concat([headerOf(pictures['--hdr']), Buffer.from(values.buffer)]))`,
  'makes nothing': '',
  'makes another size': `writeFileSync(out, 'PF\\n1 1\\n-1.0\\n012345678901')`,
  fails: `
    console.log('Initializing device')
    console.error('first trouble')
    console.error('Error: out of memory.\\n')
    process.exitCode = 3`,
  'is killed': `process.kill(process.pid, 'SIGKILL')`,
  hangs: `
    writeFileSync(__dirname + '/pid', String(process.pid))
    setInterval(() => {}, 1000)`,
} as const

type Deed = keyof typeof DEEDS

/** Puts it into a folder, which is created; the folder may then be a PATH. Returns its path. */
export function fakeOidn(folder: string, deed: Deed = 'makes'): string {
  mkdirSync(folder, { recursive: true })
  const text = `#!${process.execPath}
const { readFileSync, writeFileSync } = require('node:fs')
const words = process.argv.slice(2)
const HEADER = /^PF\\n\\d+ \\d+\\n-1\\.0\\n/
const headerOf = file => Buffer.from(HEADER.exec(file.toString('latin1'))[0])
const floatsOf = file => new Float32Array(new Uint8Array(file.subarray(headerOf(file).length)).buffer)
if (words[0] === '--help') {
  console.log('Open Image Denoise - Example\\nUsage: oidnDenoise ...')
  process.exitCode = 1
} else {
  const named = Object.fromEntries(words.flatMap((word, i) => (i % 2 ? [] : [[word, words[i + 1]]])))
  const { '-o': out, ...files } = named
  writeFileSync(__dirname + '/out', out)
  const pictures = Object.fromEntries(Object.entries(files).map(([name, path]) => [name, readFileSync(path)]))
  ${DEEDS[deed]}
}
`
  const path = join(folder, 'oidnDenoise')
  writeFileSync(path, text)
  chmodSync(path, 0o755)
  return path
}

/** Where it was told to write last. */
export const outOf = (folder: string): string => readFileSync(join(folder, 'out'), 'utf8')
