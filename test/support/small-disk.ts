/**
 * The command line on a real file system that is too small for it: memory, mounted in a namespace of its own, which needs no rights
 * on most machines.
 */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { PROGRAM } from './program.ts'

/** Whether this machine lets tests mount one. */
export const canMount = ((): boolean => {
  try {
    execFileSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'none', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

export interface SmallDiskRun {
  readonly code: number | null
  readonly stderr: string
  /** A copy of all that was on the disk in the end. */
  readonly left: string
}

/**
 * Runs to the end.
 * @param args of the program, given the folder of the disk
 * @param before a shell command that runs first, in that folder
 */
export function onSmallDisk(
  folder: string,
  size: string,
  args: (disk: string) => readonly string[],
  { before = 'true', env = {} }: { before?: string; env?: Record<string, string> } = {},
): Promise<SmallDiskRun> {
  const disk = mkdtempSync(join(folder, 'disk-'))
  const left = mkdtempSync(join(folder, 'left-'))
  const script = `
    mount -t tmpfs -o size=${size} none "$1" && cd "$1" && ${before} || exit 99
    cd / && disk=$1 left=$2 && shift 2
    "$@"; code=$?
    cp -a "$disk/." "$left" && exit $code`
  const words = ['sh', '-c', script, 'sh', disk, left, process.execPath, PROGRAM, ...args(disk)]
  return new Promise(resolve => {
    const child = execFile('unshare', ['-Urm', ...words], { env: { ...process.env, ...env } }, (_, __, stderr) =>
      resolve({ code: child.exitCode, stderr, left }),
    )
  })
}
