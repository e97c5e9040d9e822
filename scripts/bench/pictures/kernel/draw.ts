/** The kernel's numbers, as a path would use them: for its first and its second decision. */
import type { WasmEngine } from '../../../../worker/engine/wasm/wasm-engine.ts'
import type { Draw } from '../checks/convergence.ts'
import { probeOf } from './build.ts'

export function kernelDraw(engine: WasmEngine): Draw {
  const probe = probeOf(engine, [])
  // Of each decision the third pair, which chooses a direction.
  return (pixel, sample) => {
    const [first, second] = [probe.draw(SEED * pixel, 1, sample), probe.draw(SEED * pixel, 2, sample)]
    return [first[4]!, first[5]!, second[4]!, second[5]!]
  }
}

const SEED = 7919
