/** The kernel's numbers, as a path would use them: for its first and its second decision. */
import type { WasmEngine } from '../../../../worker/engine/wasm/wasm-engine.ts'
import type { Draw } from '../checks/convergence.ts'
import { probeOf } from './build.ts'

export function kernelDraw(engine: WasmEngine): Draw {
  const probe = probeOf(engine, [])
  // Of each decision the third pair, which chooses a direction.
  return (x, y, sample, samples) => {
    const [first, second] = [1, 2].map(set => probe.draw(x, y, samples, sample, set))
    return [first![4]!, first![5]!, second![4]!, second![5]!]
  }
}
