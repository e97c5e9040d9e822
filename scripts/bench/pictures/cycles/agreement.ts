/** Whether Cycles gives the light of formulas: if so, scenes are translated rightly. */
import { setImmediate } from 'node:timers/promises'
import type { Check } from '../checks/check.ts'
import { checkKnown } from '../known/known-picture.ts'
import type { Tracer } from '../model/tracer.ts'
import { knownToCycles, type LeftOut } from './known.ts'

/** `samples`: per pixel of the known pictures. */
export async function checkCycles(
  cycles: Tracer,
  samples: number,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<{ checks: Check[]; leftOut: LeftOut[] }> {
  const { pictures, leftOut } = knownToCycles(samples)
  const checks: Check[] = []
  for (const picture of pictures) {
    await setImmediate()
    signal.throwIfAborted()
    progress(`${cycles.name}, known picture: ${picture.name}`)
    const check = await checkKnown(picture, cycles)
    checks.push({ ...check, name: `${cycles.name}: ${check.name}` })
  }
  return { checks, leftOut }
}
