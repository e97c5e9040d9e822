/**
 * A cluster on this machine: a master in this process and worker processes that speak to it over real WebSockets on
 * loopback, exactly as workers elsewhere would.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startMaster } from '../../master/main.ts'
import type { Log } from '../../shared/log.ts'
import { silentLog } from '../../shared/log.ts'
import type { EngineName } from '../../worker/engine/engine.ts'
import { engineFingerprints } from '../../worker/node/engines.ts'
import type { JobRunner } from './job-runner.ts'
import type { Pacing } from './pacing.ts'

export interface EmbeddedOptions {
  readonly pacing: Pacing
  readonly threads: number
  readonly engine: EngineName
}

/** An embedded cluster, with its processes for those who want to harm them. */
export interface EmbeddedCluster extends JobRunner {
  readonly processes: readonly ChildProcess[]
}

const PROGRAM = fileURLToPath(new URL('../sortfirst.js', import.meta.url))

/** @throws ListenError */
export async function startEmbeddedCluster(
  { pacing, threads, engine }: EmbeddedOptions,
  log: Log,
): Promise<EmbeddedCluster> {
  const master = await startMaster({ listen: '127.0.0.1:0', kernels: engineFingerprints([engine]) }, silentLog)
  let closing = false
  const processes = pacing.speeds.map((speed, i) => {
    const name = `worker-${i + 1}`
    const share = pacing.shares?.[i]
    const args = [
      '--name',
      name,
      '--threads',
      `${threads}`,
      '--engine',
      engine,
      '--speed',
      `${speed}`,
      '--retry-for',
      '0',
    ]
    const child = spawn(
      process.execPath,
      [PROGRAM, 'worker', master.url, ...args, ...(share ? ['--cores', `${share}`] : [])],
      {
        // In a process group of their own, Ctrl-C reaches only this process, which then ends the run in order.
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    let lastWords = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      lastWords = `${lastWords}${chunk}`.slice(-2000)
    })
    child.once('exit', (code, signal) => {
      if (!closing)
        log.warn(`${name} ended (${signal ?? `exit code ${code}`})${lastWords ? `: ${lastWords.trim()}` : ''}`)
    })
    return child
  })
  return {
    processes,
    run: master.run,
    async close() {
      closing = true
      const running = processes.filter(child => child.exitCode === null && child.signalCode === null)
      const ended = Promise.all(running.map(child => once(child, 'exit')))
      await master.close()
      // Stopped or stuck processes do not hear a goodbye.
      const deadline = setTimeout(() => running.map(child => child.kill('SIGKILL')), 2000)
      await ended
      clearTimeout(deadline)
    },
  }
}
