/** Runs a program to completion; on interruption, ends it and everything it started before anything is cleaned up. */
import { spawn } from 'node:child_process'

/** @returns its standard output. @throws Error with its output; the signal's reason when interrupted */
export function runCommand(
  folder: string,
  signal: AbortSignal,
  command: string,
  args: readonly string[],
): Promise<string> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    // Leads a process group: npm starts shells, which start compilers.
    const child = spawn(command, args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', chunk => {
      stdout += chunk
    })
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    const stop = () => {
      if (child.pid === undefined) return
      try {
        process.kill(-child.pid)
      } catch {
        // It has just exited.
      }
    }
    signal.addEventListener('abort', stop)
    // 'close' means that no process of the group holds its output any more.
    child.once('close', code => {
      signal.removeEventListener('abort', stop)
      if (signal.aborted) reject(signal.reason)
      else if (code === 0) resolve(stdout.trim())
      else reject(new Error(`${command} ${args.join(' ')} failed\n${stderr}\n${stdout}`))
    })
    child.once('error', reject)
  })
}
