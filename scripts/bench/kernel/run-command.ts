/** Runs a program to its end; an interruption ends it with everything that it has started, before anything is cleaned up. */
import { spawn } from 'node:child_process'

/** @returns what it wrote on standard output. @throws Error with its output; the signal's reason when interrupted */
export function runCommand(
  folder: string,
  signal: AbortSignal,
  command: string,
  args: readonly string[],
): Promise<string> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    // The leader of a group of its own: npm starts shells, which start compilers.
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
        // It has just ended by itself.
      }
    }
    signal.addEventListener('abort', stop)
    // Closed: nobody of the group holds its output any more.
    child.once('close', code => {
      signal.removeEventListener('abort', stop)
      if (signal.aborted) reject(signal.reason)
      else if (code === 0) resolve(stdout.trim())
      else reject(new Error(`${command} ${args.join(' ')} failed\n${stderr}\n${stdout}`))
    })
    child.once('error', reject)
  })
}
