/** `sortfirst master` and `sortfirst worker`: the two programs of a cluster, run by hand. */
import { Socket } from 'node:net'
import { startMaster } from '../../master/main.ts'
import type { Log } from '../../shared/log.ts'
import { runWorker } from '../../worker/main.ts'
import { engineFingerprints } from '../../worker/node/engines.ts'
import { interruptible } from '../run/interrupt.ts'
import { number, wholeNumber } from '../run/option-values.ts'
import { engineOption } from '../run/options.ts'

export interface RawMasterOptions {
  readonly listen: string
  readonly fastMath?: boolean
  /** Whoever started it, and holds its standard input, is gone when that ends. */
  readonly untilInputEnds?: boolean
}

export async function master(raw: RawMasterOptions): Promise<void> {
  if (raw.untilInputEnds) exitWithInput()
  const kernels = engineFingerprints([raw.fastMath ? 'wasm-fast' : 'wasm', 'reference'])
  await interruptible(async signal => {
    const running = await startMaster({ listen: raw.listen, kernels }, stderrLog)
    await new Promise(resolve => signal.addEventListener('abort', resolve))
    await running.close()
  })
}

export interface RawWorkerOptions {
  readonly name?: string
  readonly engine: string
  readonly fastMath?: boolean
  readonly threads: string
  readonly speed: string
  readonly cores?: string
  readonly retryFor: string
  readonly readyFile?: string
  /** Whoever started it, and holds its standard input, is gone when that ends. */
  readonly untilInputEnds?: boolean
}

export async function worker(url: string, raw: RawWorkerOptions): Promise<void> {
  const options = {
    master: url,
    engine: engineOption(raw),
    threads: wholeNumber('--threads', raw.threads, 1, 1024),
    speed: number('--speed', raw.speed, 0, 1e6),
    retryFor: number('--retry-for', raw.retryFor, 0, 31_536_000),
    ...(raw.name === undefined ? {} : { name: raw.name }),
    ...(raw.cores === undefined ? {} : { cores: number('--cores', raw.cores, 0.001, 1024) }),
    ...(raw.readyFile === undefined ? {} : { readyFile: raw.readyFile }),
  }
  if (raw.untilInputEnds) exitWithInput()
  await interruptible(signal => runWorker(options, stderrLog, signal))
}

/** At once: nobody is left to say goodbye to, and neither program holds anything that is not held elsewhere. */
function exitWithInput(): void {
  const exit = () => process.exit()
  process.stdin.once('end', exit).once('error', exit).resume()
  // To wait for that is no reason to stay: a worker that failed ends by itself.
  if (process.stdin instanceof Socket) process.stdin.unref()
}

const stamped = (text: string) => process.stderr.write(`${new Date().toISOString()} ${text}\n`)
const stderrLog: Log = { info: stamped, warn: text => stamped(`warning: ${text}`) }
