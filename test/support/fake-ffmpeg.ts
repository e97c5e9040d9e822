/** A program in the place of ffmpeg: it lists encoders, and with a film it does what a test needs. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What it does with a film, as JavaScript; `path` is the file to make. */
const DEEDS = {
  makes: `
    writeFileSync(path, '')
    const pieces = []
    for await (const piece of process.stdin) pieces.push(piece)
    writeFileSync(__dirname + '/stdin', Buffer.concat(pieces))
    writeFileSync(path, 'a film')`,
  fails: `
    writeFileSync(path, 'half a')
    console.error('first trouble')
    console.error('No space left on device.\\n')
    process.exitCode = 228
    process.stdin.destroy()`,
  'is killed': `
    writeFileSync(path, 'half a')
    process.kill(process.pid, 'SIGKILL')`,
  'ends early': `
    writeFileSync(path, 'half a')
    process.exit(0)`,
  hangs: `
    writeFileSync(path, 'half a')
    // A file that is there is whole: whoever waits for it reads at once, and may have this killed in between.
    writeFileSync(__dirname + '/pid.part', String(process.pid))
    renameSync(__dirname + '/pid.part', __dirname + '/pid')
    setInterval(() => {}, 1000)`,
} as const

export type Deed = keyof typeof DEEDS

/** Puts it into a folder, which is created; the folder may then be a PATH. Returns its path. */
export function fakeFfmpeg(folder: string, deed: Deed = 'makes', encoders: readonly string[] = ['libx264']): string {
  mkdirSync(folder, { recursive: true })
  const list = [' V..... = Video', ' ------', ...encoders.map(name => ` V....D ${name.padEnd(20)} ${name} H.264`)]
  const text = `#!${process.execPath}
const { renameSync, writeFileSync } = require('node:fs')
const path = process.argv.at(-1).replace(/^file:/, '')
async function main() {
  if (process.argv.includes('-encoders')) return console.log(${JSON.stringify(list.join('\n'))})
  writeFileSync(__dirname + '/arguments', JSON.stringify(process.argv.slice(2)))
  ${DEEDS[deed]}
}
main()
`
  const path = join(folder, 'ffmpeg')
  writeFileSync(path, text)
  chmodSync(path, 0o755)
  return path
}

/** What it was given last. */
export const givenTo = (folder: string): { readonly words: readonly string[]; readonly stdin: Buffer } => ({
  words: JSON.parse(readFileSync(join(folder, 'arguments'), 'utf8')) as string[],
  stdin: readFileSync(join(folder, 'stdin')),
})

/** The word after an option. */
export const wordAfter = (words: readonly string[], option: string): string | undefined =>
  words[words.indexOf(option) + 1]
